#!/usr/bin/env bash
# What takes hours; a release runs it. Ends at the first suite that fails.
set -eu
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PATH" NO_COLOR=1
for seed in 1 2 3 4 5 6 7 8; do node --conditions=source test/simulation/simulate.ts --seed "$seed" --hours 24; done
SYNC_SEEDS=1-10000 vitest run --project slow sync-lives
LEASE_KILLS=72 vitest run --project slow leases
MONTH_SEEDS=1-20 vitest run --project month
ENERGY_SEEDS=1-20 vitest run --project energy
CLOUDS_SEEDS=1-4 vitest run --project clouds
WEEK_SEEDS=1-4 vitest run --project week
WEBHOOK_SEEDS=1-4 WEBHOOK_HOURS=24 SCHEDULE_SEEDS=1-3 VEHICLE_SEEDS=1-4 SWAPS_EVERY=1 GENERATOR_REQUESTS=50000 CANARY_FORMS=all vitest run --project slow
CRASH_KILLS=500 DAMAGED_COPIES=5000 vitest run --project crash
vitest run --project schedules
FUZZ_SECONDS=3600 vitest run --project fuzz
CLOUD_BROKERS=all CLOUD_KILLS=50 CLOUD_CUTS=10 vitest run --project cloud-receiver --no-file-parallelism
HOME_DAYS=7 vitest run --project recordings --passWithNoTests home-week
npm ci --ignore-scripts --prefix test/browser --loglevel=error
BROWSER_LANGUAGES=all vitest run --project browser
npm ci --ignore-scripts --prefix test/node-red --loglevel=error
vitest run --project node-red
npm run bench -- --check
bash test/peers/setup.sh long
npm run build && .ci/debian long

# What breaks on the Node after the pinned one is reported, and fails nothing.
node26=$(mktemp -d)
npm install --no-save --ignore-scripts --loglevel=error --prefix "$node26" "node-linux-$(node -p process.arch)@26"
PATH="$node26/node_modules/.bin:$PATH" node node_modules/vitest/vitest.mjs run --project unit || echo "Node 26 is not ready for us, or we for it"
rm -rf "$node26"
