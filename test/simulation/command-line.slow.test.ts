/** `npm run sim` as a person runs it, in a process of its own. */
import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { ADAPTERS } from "../../src/cli/adapters.ts";
import { simulate } from "./simulation.ts";

interface Ended {
  readonly code: number | string | null;
  readonly out: string;
  readonly err: string;
}

function sim(...words: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const node = ["--conditions=source", "test/simulation/simulate.ts", ...words];
    execFile(process.execPath, node, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
  });
}

test("a seed gives the same hash in another process", async () => {
  const { code, out } = await sim("--seed", "7", "--hours", "0.1", "--json");
  expect(code).toBe(0);
  const { hash } = await simulate({ seed: 7, hours: 0.1, adapters: ADAPTERS });
  expect(JSON.parse(out)).toMatchObject({ seed: 7, hash, breaches: [] });
}, 60_000);

test("people are told seed, hours, readings, commands, faults, hash and speed", async () => {
  const { out } = await sim("--seed", "3", "--hours", "0.02");
  expect(out).toMatch(/^seed +3$/m);
  expect(out).toMatch(/^virtual time +0\.02 h in .* times faster than real time$/m);
  expect(out).toMatch(/^readings +\d+$/m);
  expect(out).toMatch(/^commands +\d+, register writes \d+/m);
  expect(out).toMatch(/^faults +refused \d+, .*gateway-restart \d+$/m);
  expect(out).toMatch(/SHA-256 [0-9a-f]{64}$/m);
  expect(out).toMatch(/^all invariants held$/m);
}, 60_000);

test("a command line that cannot be understood is refused with the usage", async () => {
  const { code, err } = await sim("--seed", "x");
  expect(code).toBe(2);
  expect(err).toContain("usage: npm run sim");
});
