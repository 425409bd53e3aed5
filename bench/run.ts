/** Runs benches one after the other: `npm run bench`, `npm run bench -- --only start`, `npm run bench -- --list`. */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const SOURCE = "--conditions=source";

/** Each bench with the options of Node that it runs with. `start` measures what `npm run build` made. */
const BENCHES: Readonly<Record<string, readonly string[]>> = {
  modbus: [SOURCE],
  api: [SOURCE],
  routes: [SOURCE],
  memory: [SOURCE],
  webhooks: [SOURCE],
  "flash-wear": [SOURCE],
  statistics: [SOURCE, "--expose-gc"],
  start: [],
  growth: [SOURCE],
  "poll-load": [SOURCE],
  "poll-cost": [SOURCE],
  lateness: [SOURCE],
  planner: [SOURCE, "--expose-gc"],
  economics: [SOURCE],
  fleet: [SOURCE, "--max-old-space-size=12000"],
};
/** What runs when none is named: these need nothing but this machine, and a few minutes. */
const USUAL = ["modbus", "api", "routes", "memory", "webhooks", "flash-wear", "statistics", "start", "planner"];

const { values, positionals } = parseArgs({
  options: { only: { type: "string", multiple: true }, list: { type: "boolean" } },
  allowPositionals: true,
});

if (values.list === true) {
  console.log(Object.keys(BENCHES).join("\n"));
} else {
  for (const name of values.only ?? USUAL) {
    const options = BENCHES[name];
    if (options === undefined) {
      console.error(`there is no bench ${name}; there are ${Object.keys(BENCHES).join(", ")}`);
      process.exit(2);
    }
    const script = new URL(`${name}.ts`, import.meta.url).pathname;
    const { status } = spawnSync(process.execPath, [...options, script, ...positionals], { stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
}
