/**
 * Runs benches one after the other: `npm run bench`, `npm run bench -- --only start`, `npm run bench -- --list`. `--check` says
 * which ratios got worse than `bench/budget.json` allows, and ends with 1; `--write` puts them there, and the tables into
 * docs/benchmarks.md.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Budget, compare, ratiosOf } from "./budget.ts";

const SOURCE = "--conditions=source";
const BUDGET = new URL("budget.json", import.meta.url);
const DOCUMENT = new URL("../docs/benchmarks.md", import.meta.url);

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
  options: {
    only: { type: "string", multiple: true },
    list: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

/** Runs a bench, shows what it prints, and returns it. */
async function run(name: string): Promise<string> {
  const options = BENCHES[name];
  if (options === undefined) {
    console.error(`there is no bench ${name}; there are ${Object.keys(BENCHES).join(", ")}`);
    process.exit(2);
  }
  const script = new URL(`${name}.ts`, import.meta.url).pathname;
  const child = spawn(process.execPath, [...options, script, ...positionals], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (bytes: Buffer) => {
    text += bytes.toString();
    process.stdout.write(bytes);
  });
  const [status] = await once(child, "close");
  if (status !== 0) process.exit(Number(status ?? 1));
  return text;
}

/** Puts what a bench printed between its marks in the document. */
function document(name: string, text: string): void {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end of ${name} -->`];
  const old = readFileSync(DOCUMENT, "utf8");
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) {
    console.error(`docs/benchmarks.md has no place for ${name}: add the lines ${begin} and ${end}`);
    return;
  }
  const commit = spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout.trim();
  const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const made = `${day}, commit \`${commit}\`, Node ${process.versions.node}.`;
  writeFileSync(DOCUMENT, `${old.slice(0, from)}${begin}\n${made}\n\n${text.trim()}\n${old.slice(to)}`);
}

async function main(): Promise<void> {
  if (values.list) {
    console.log(Object.keys(BENCHES).join("\n"));
    return;
  }
  const budget: Budget = JSON.parse(readFileSync(BUDGET, "utf8"));
  const names = values.only ?? (values.check ? Object.keys(budget.ratios) : USUAL);
  const worse: string[] = [];
  for (const name of names) {
    const text = await run(name);
    const ratios = ratiosOf(text);
    if (values.check) worse.push(...compare(budget, name, ratios));
    if (!values.write) continue;
    document(name, text);
    budget.ratios[name] = ratios;
    writeFileSync(BUDGET, `${JSON.stringify(budget, null, 2)}\n`);
  }
  if (!values.check) return;
  console.log(worse.length === 0 ? "nothing is worse than its budget allows" : worse.join("\n"));
  process.exitCode = worse.length === 0 ? 0 : 1;
}

await main();
