import { describe, expect, it } from "vitest";
import { connect, HOLD_SECONDS } from "./device.ts";
import { chain, common, type ModelImage, storage124 } from "./images.ts";

/** Model 124 stands right behind model 1. */
const AT = 40_000 + 2 + 68;
const RATES = AT + 12;
const SETPOINT = "battery.powerSetpoint";

/** `WChaMax` of 5,000 W, rates in 0.01 %. */
function battery(words: ModelImage["words"] = {}, choices: { readonly confirmUnverified?: boolean } = {}) {
  return connect(chain(40_000, [common("Fronius"), storage124(words)]), choices);
}

function word(value: number): number {
  return value & 0xffff;
}

describe("the power of a forced mode through model 124", () => {
  it("has the range of WChaMax, and discharging only once the owner confirmed that mode", async () => {
    const confirmed = { range: { min: -5_000, max: 5_000 }, holdMs: null, safeDefault: 0 };
    expect((await battery()).control(SETPOINT)).toMatchObject(confirmed);
    const plain = await battery({}, { confirmUnverified: false });
    expect(plain.control(SETPOINT)).toMatchObject({ range: { min: 0, max: 5_000 } });
  });

  it("is a share of WChaMax: 1,500 W are a discharge limit of -30 %, and -700 W a charge limit of -14 %", async () => {
    const device = await battery();
    await device.write("battery.mode", "IMPORT_FOCUS");
    await device.write(SETPOINT, 1_500);
    expect(device.unit.writes.at(-1)).toEqual([RATES, word(-3_000), 10_000]);
    expect(await device.read()).toMatchObject({ "battery.mode": "IMPORT_FOCUS", [SETPOINT]: 1_500 });
    await device.write(SETPOINT, -700);
    expect(device.unit.writes.at(-1)).toEqual([RATES, word(-3_000), 10_000]);
    await device.write("battery.mode", "EXPORT_FOCUS");
    expect(await device.read()).toMatchObject({ "battery.mode": "EXPORT_FOCUS", [SETPOINT]: -700 });
    expect(device.unit.writes).toContainEqual([RATES, 10_000, word(-1_400)]);
  });

  it("forces nothing by itself, and each write of the mode has the timer and the power", async () => {
    const device = await battery();
    await device.write(SETPOINT, 2_000);
    expect(device.unit.writes).toEqual([]);
    expect(await device.read()).toMatchObject({ "battery.mode": "SELF_RELIANCE", [SETPOINT]: 2_000 });
    await device.write("battery.mode", "IMPORT_FOCUS");
    expect(device.unit.writes[0]).toEqual([AT + 15, HOLD_SECONDS]);
    expect(device.unit.writes).toContainEqual([RATES, word(-4_000), 10_000]);
    await device.write("battery.mode", "SELF_RELIANCE");
    await device.write(SETPOINT, 0);
    await device.write("battery.mode", "IMPORT_FOCUS");
    expect(device.unit.writes).toContainEqual([RATES, word(-10_000), 10_000]);
  });

  it("shows the power that another controller sets, and not what was written before", async () => {
    const device = await battery();
    await device.write(SETPOINT, 2_000);
    await device.write("battery.mode", "IMPORT_FOCUS");
    device.unit.registers.set(RATES, word(-8_000));
    expect(await device.read()).toMatchObject({ "battery.mode": "IMPORT_FOCUS", [SETPOINT]: 4_000 });
  });

  it("goes on with the power before when a write fails", async () => {
    const device = await battery();
    await device.write(SETPOINT, 2_000);
    await device.write("battery.mode", "IMPORT_FOCUS");
    device.unit.refusesWriteOf.add(RATES);
    await expect(device.write(SETPOINT, 1_000)).rejects.toMatchObject({ kind: "rejected" });
    expect(await device.read()).toMatchObject({ [SETPOINT]: 2_000 });
  });

  it("is not offered where the battery's power is not told, or only a release is", async () => {
    expect((await battery({ 2: 0xffff })).map.controls.map(({ point }) => point)).toEqual(["battery.mode"]);
    expect((await battery({ 15: 0xffff })).map.controls.map(({ point }) => point)).toEqual(["battery.mode"]);
  });
});
