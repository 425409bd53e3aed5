/** `npm run sim -- --seed 8 --hours 24`: the sandbox home for some virtual hours, with faults, checked as it goes. */
import { parseArgs } from "node:util";
import { ADAPTERS } from "../../src/cli/adapters.ts";
import { EXIT, type ExitCode } from "../../src/cli/exit-code.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { SHORTEST_RUN_MS } from "./fault-script.ts";
import { type SimulationResult, simulate } from "./simulation.ts";
import { simulationText, unfiredClasses } from "./simulation-text.ts";

const USAGE = `usage: npm run sim -- [--seed N] [--hours H] [--json]

Runs the sandbox home and its gateway in virtual time, with faults from the seed, and checks what must always hold.
Exit codes: 0 all held; 1 something broke, or a fault class never struck; 2 the command line cannot be understood.`;
const HOUR_MS = 3_600_000;
const MAX_HOURS = 24 * 366;

interface SimulateOptions {
  readonly seed: number;
  readonly hours: number;
  readonly isJson: boolean;
}

/** The options of a command line; null when it cannot be understood. */
function readOptions(words: readonly string[]): SimulateOptions | null {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        seed: { type: "string", default: "1" },
        hours: { type: "string", default: "24" },
        json: { type: "boolean", default: false },
      },
    });
    const seed = Number(values.seed);
    const hours = Number(values.hours);
    const isValid = Number.isSafeInteger(seed) && seed >= 0 && hours > 0 && hours <= MAX_HOURS;
    return isValid ? { seed, hours, isJson: values.json } : null;
  } catch {
    return null;
  }
}

/** A short run cannot have every class of fault; a longer one that misses one has not shown what it is there to show. */
function exitCode(result: SimulationResult): ExitCode {
  const isComplete = result.hours * HOUR_MS < SHORTEST_RUN_MS || unfiredClasses(result).length === 0;
  return result.breaches.length === 0 && isComplete ? EXIT.ok : EXIT.failed;
}

async function main(words: readonly string[]): Promise<ExitCode> {
  const options = readOptions(words);
  if (options === null) {
    console.error(USAGE);
    return EXIT.usage;
  }
  const clock = nodeClock(() => "synced");
  const startMs = clock.monotonicMs();
  const result = await simulate({ ...options, adapters: ADAPTERS });
  const tookS = (clock.monotonicMs() - startMs) / 1_000;
  const timesFaster = Math.round((options.hours * 3_600) / tookS);
  if (options.isJson) console.log(JSON.stringify({ ...result, tookS, timesFaster }));
  else console.log(simulationText(result, { tookS, timesFaster }));
  return exitCode(result);
}

process.exitCode = await main(process.argv.slice(2));
