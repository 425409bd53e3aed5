/** `hemgate add` in a house with an inverter that has settings, and meters that want something first. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CliError } from "../../src/cli/exit-code.ts";
import { EXIT } from "../../src/cli/exit-code.ts";
import { type AddOptions, add } from "../../src/cli/house/add.ts";
import type { Ask } from "../../src/platform/node/terminal-question.ts";
import { openRealHouse, type RealHouse } from "../api/support/real-house.ts";
import { clientOf } from "../client/house-client.ts";
import { HYBRID, makeModbusHome } from "../engine/discovery/modbus-home.ts";

const PATIENCE = { timeout: 60_000 };
const HYBRID_HOST = "192.168.1.6";
const NOTHING: AddOptions = {
  isJson: false,
  hosts: [HYBRID_HOST],
  set: [],
  confirm: [],
  confirmNoFailsafe: false,
  saveAnyway: false,
  isSure: false,
};
let house: RealHouse;

beforeAll(async () => {
  const home = makeModbusHome({ isListening: false, followsAddresses: false });
  await home.place(HYBRID, HYBRID_HOST);
  const txt = { product_type: "HWE-P1", product_name: "P1 Meter", serial: "5c2fafaabb01" };
  const p1 = { type: "_homewizard._tcp", name: "p1", host: "p1.local", addresses: ["192.168.1.11"], port: 80, txt };
  home.world.mdns.announce(p1);
  house = await openRealHouse({ home });
}, 60_000);
afterAll(async () => await house[Symbol.asyncDispose]());

/** Runs the command; `answers` are those of the person at the terminal, `null` where nobody is. */
async function run(options: Partial<AddOptions>, answers: readonly string[] | null = null) {
  const out: string[] = [];
  const err: string[] = [];
  const asked: string[] = [];
  const left = [...(answers ?? [])];
  const ask: Ask = async (question) => {
    asked.push(question);
    const answer = left.shift();
    if (answer === undefined) throw new Error(`asked without an answer: ${question}`);
    return answer;
  };
  const parts = {
    client: clientOf(house).client,
    clock: { sleep: async (ms: number) => await house.pass(ms) },
    ask: answers === null ? null : ask,
    stop: new AbortController().signal,
    out: (text: string) => out.push(text),
    err: (text: string) => err.push(text),
  };
  const code = await add({ ...NOTHING, ...options }, parts).catch((error: CliError) => {
    err.push(error.message);
    return error.exitCode;
  });
  return { code, out: out.join("\n"), err: err.join("\n"), asked };
}

function optionsOf(): readonly unknown[] {
  return house.run.store.all("device").map(({ options }) => options);
}

describe("hemgate add", () => {
  test("says what is wrong with each value, and adds nothing", PATIENCE, async () => {
    expect(await run({ set: ["maxChargeW=much"] })).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining("maxChargeW: much is no number"),
    });
    const tooMuch = await run({ set: ["maxChargeW=90000"] });
    expect(tooMuch.code).toBe(EXIT.failed);
    expect(tooMuch.err).toMatch(/settings\.maxChargeW: .*\(--set maxChargeW=…\)/);
    const unknown = await run({ set: ["colour=red"] });
    expect(unknown.err).toMatch(/options\.colour: The adapter modbus has no such option/);
    expect(optionsOf()).toEqual([]);
  });

  test("names what was found where nothing of the brand was", PATIENCE, async () => {
    const { code, err } = await run({ brand: "Fronius" });
    expect([code, err]).toEqual([EXIT.failed, expect.stringContaining('nothing of "Fronius" was found, but Deye')]);
  });

  test("shows the reading, asks for what is not said, and adds nothing without a yes", PATIENCE, async () => {
    const { code, err, asked } = await run({}, ["", "", "", "n", "n", "n"]);
    expect(code).toBe(EXIT.failed);
    expect(err).toMatch(/^Deye .* at 192\.168\.1\.6: reads .+$/m);
    expect(err).toContain("nothing was added");
    expect(asked[0]).toMatch(/, 100 to 20000 W, empty: 2000: $/);
    expect(asked.at(-1)).toMatch(/^Add Deye .*\? \[y\/N\] $/);
    expect(optionsOf()).toEqual([]);
  });

  test("adds by flags alone, as the page does, and says so the second time", PATIENCE, async () => {
    const flags = { brand: "deye", name: "Roof", set: ["maxChargeW=2500"], confirm: ["battery.mode"], isJson: true };
    const { code, out, err } = await run(flags);
    expect([code, err]).toEqual([EXIT.ok, expect.stringContaining("Deye")]);
    const { deviceId, device } = JSON.parse(out) as { deviceId: string; device: object };
    expect(device).toMatchObject({ address: HYBRID_HOST, manufacturer: "Deye" });
    expect(house.run.store.get("device", deviceId)).toMatchObject({
      name: "Roof",
      options: { host: HYBRID_HOST, settings: { maxChargeW: 2_500 }, confirmUnverified: ["battery.mode"] },
    });
    await house.pass(20_000);
    const again = await run({});
    expect(again.code).toBe(EXIT.failed);
    expect(again.err).toMatch(/left alone|has it already/);
  });
});
