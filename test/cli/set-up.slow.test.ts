/** `hemgate setup FILE`: a house is set up from a file, as a fleet does it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CliError } from "../../src/cli/exit-code.ts";
import { EXIT } from "../../src/cli/exit-code.ts";
import { setUp } from "../../src/cli/house/set-up.ts";
import { openRealHouse, type RealHouse } from "../api/support/real-house.ts";
import { clientOf } from "../client/house-client.ts";
import { HYBRID, makeModbusHome } from "../engine/discovery/modbus-home.ts";
import { temporaryFolder } from "./hemgate-process.ts";

const PATIENCE = { timeout: 60_000 };
const HYBRID_HOST = "192.168.1.6";
const FILE = `
site: { fuseA: 25, phases: 3 }
devices:
  - { name: Roof, host: ${HYBRID_HOST}, set: { maxChargeW: 2500 }, confirm: [battery.mode] }
people:
  - { name: Ann, role: owner, password: correct horse battery }
  - { name: Ben, role: member, password: another horse battery }
leaveOut: { checks: no sun today, control-tests: done in the workshop, prices: the fleet sets them }
handOver: { note: set up by file }
`;
const folder = temporaryFolder();
let house: RealHouse;

beforeAll(async () => {
  const home = makeModbusHome({ isListening: false, followsAddresses: false });
  await home.place(HYBRID, HYBRID_HOST);
  house = await openRealHouse({ home, mayManagePeople: true });
}, 60_000);
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function run(text: string, isJson = false) {
  const file = join(folder.path, "house.yaml");
  writeFileSync(file, text);
  const lines: string[] = [];
  const parts = {
    client: clientOf(house).client,
    clock: { sleep: async (ms: number) => await house.pass(ms) },
    stop: new AbortController().signal,
    out: (line: string) => lines.push(line),
    err: () => undefined,
  };
  const code = await setUp(file, parts, isJson).catch((error: CliError) => {
    lines.push(error.message);
    return error.exitCode;
  });
  return { code, text: lines.join("\n").replaceAll(folder.path, "") };
}

test("A file with a mistake is refused with its place, and nothing is done", PATIENCE, async () => {
  const wrong = await run("site: { fuseA: 25 }\ndevices:\n  - { name: Roof, hots: 192.168.1.6 }\n");
  expect(wrong.code).toBe(EXIT.usage);
  expect(wrong.text).toMatch(/^\/house\.yaml:3: devices\.0\.hots: /u);
  expect(await run("[}")).toMatchObject({ code: EXIT.usage, text: expect.stringContaining("/house.yaml:1:") });
  expect((await house.ask({ url: "/local/site" })).json().connection.fuseA).toBeUndefined();
});

test("A house is set up from a file, ends handed over, and the same file again changes nothing", PATIENCE, async () => {
  const first = await run(FILE);
  expect(first.text).toMatch(
    /^site: limits are set\nRoof: added Deye .*\nAnn: is owner\nBen: is member\nchecks: left out/u,
  );
  expect(first.text).toContain("the house is handed over");
  expect(first.code).toBe(EXIT.ok);
  const { handOver, steps } = (await house.ask({ url: "/local/setup" })).json();
  expect(handOver).toMatchObject({ note: "set up by file" });
  expect(steps.find(({ step }: { step: string }) => step === "checks").skip).toMatchObject({ reason: "no sun today" });
  expect((await house.ask({ url: "/local/site" })).json().connection).toMatchObject({ fuseA: 25, phases: 3 });
  expect(house.run.store.all("device")).toMatchObject([
    { name: "Roof", options: { settings: { maxChargeW: 2_500 }, confirmUnverified: ["battery.mode"] } },
  ]);
  const again = await run(FILE);
  expect(again.text).toContain("Roof: is here already\nAnn: has an account already\nBen: has an account already");
  expect([again.code, house.run.store.all("device").length]).toEqual([EXIT.ok, 1]);
  const { done, open } = JSON.parse((await run(FILE, true)).text);
  expect(done.slice(0, 2)).toEqual(["site: limits are set", "Roof: is here already"]);
  expect(open.every((step: unknown) => typeof step === "string")).toBe(true);
});

test("What the gateway refuses ends the setup with the step and the reason", PATIENCE, async () => {
  expect(await run("controlTests: false\nhandOver: {}\nleaveOut: {}\nsite: { fuseA: 0 }\n")).toEqual({
    code: EXIT.usage,
    text: "/house.yaml:4: site.fuseA: Expected at least 1",
  });
  const absent = await run("devices: [{ name: Cellar, host: 192.168.1.9 }]\n");
  expect(absent).toMatchObject({ code: EXIT.failed, text: expect.stringMatching(/^device Cellar: no new device/u) });
});

test("Each device that can be tested is tested, and what it answered is said", PATIENCE, async () => {
  const { text } = await run("controlTests: true\n");
  expect(text).toMatch(/: (passed its control test|not tested: .+|failed its control test: .+)$/mu);
});
