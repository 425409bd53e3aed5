import { describe, expect, test } from "vitest";
import { solisHybrid } from "../../../../adapters/modbus/profiles/solis-hybrid.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

interface State {
  readonly power?: readonly [number, number];
  readonly direction?: number;
  readonly override?: number;
  readonly chargePower?: number;
  readonly dischargePower?: number;
  readonly storageMode?: number;
}

function solis(state: State = {}): FakeUnit {
  const unit = new FakeUnit();
  unit.set("input", 33029, 0, 12_345).set("input", 33057, 0, 4_321);
  unit.set("input", 33135, state.direction ?? 0).set("input", 33139, 64);
  unit
    .set("input", 33149, ...(state.power ?? [0, 1_500]))
    .set("input", 33161, 0, 800)
    .set("input", 33165, 0, 700);
  unit.set("input", 33252, 512).set("input", 33254, 3).set("input", 33256, 0);
  // 1000 W of import on phase 1, 200 W of export on phase 2.
  unit.set("input", 33257, 0xffff, 0xfc18, 0, 200, 0, 0, 0xffff, 0xfce0);
  unit.set("input", 33283, 0, 500, 0, 600);
  unit.set("holding", 43024, 20).set("holding", 43110, state.storageMode ?? 17);
  unit.set("holding", 43129, state.dischargePower ?? 0).set("holding", 43135, state.override ?? 0);
  return unit.set("holding", 43136, state.chargePower ?? 0);
}

describe("Solis hybrid", () => {
  test("reads the meter's sign, the energies in Wh and the reserve", async () => {
    expect(await readAll(await profileDriver(solisHybrid, solis()))).toMatchObject({
      "inverter.power": 4_321,
      "inverter.energy": 12_345_000,
      "battery.energyCharged": 800_000,
      "meter.power": 800,
      "meter.power.l1": 1_000,
      "meter.power.l2": -200,
      "meter.current.l1": 5.12,
      "meter.energyImport": 5_000,
      "meter.energyExport": 6_000,
      "battery.reserve": 20,
    });
  });

  test.each([
    ["a magnitude that charges", { direction: 0, power: [0, 1_500] }, 1_500, "CHARGING"],
    ["a magnitude that discharges", { direction: 1, power: [0, 1_500] }, -1_500, "DISCHARGING"],
    ["a signed value that discharges (RHI)", { direction: 1, power: [0xffff, 0xfa24] }, -1_500, "DISCHARGING"],
    ["next to nothing", { direction: 1, power: [0, 7] }, -7, "IDLE"],
  ] as const)("%s", async (_name, state, power, status) => {
    expect(await readAll(await profileDriver(solisHybrid, solis(state)))).toMatchObject({
      "battery.power": power,
      "battery.status": status,
    });
  });

  test.each([
    ["self use", {}, "SELF_RELIANCE"],
    ["self use by times of day", { storageMode: 19 }, "TIME_OF_USE"],
    ["feed-in first", { storageMode: 64 }, "UNKNOWN"],
    ["a forced charge", { override: 1, chargePower: 200 }, "IMPORT_FOCUS"],
    ["a forced charge of nothing", { override: 1 }, "IDLE"],
    ["a forced discharge", { override: 2, dischargePower: 200 }, "EXPORT_FOCUS"],
  ] as const)("%s is shown", async (_name, state, mode) => {
    expect(await readAll(await profileDriver(solisHybrid, solis(state)))).toMatchObject({ "battery.mode": mode });
  });

  test("an inverter without the override shows its own mode", async () => {
    const unit = new FakeUnit().set("input", 33029, 0, 1).set("holding", 43110, 33);
    expect(await readAll(await profileDriver(solisHybrid, unit))).toMatchObject({ "battery.mode": "SELF_RELIANCE" });
  });

  test.each([
    [
      "IMPORT_FOCUS",
      {},
      [
        [43135, [1], 6],
        [43136, [200], 6],
      ],
    ],
    [
      "EXPORT_FOCUS",
      {},
      [
        [43135, [2], 6],
        [43129, [200], 6],
      ],
    ],
    ["IDLE", { override: 2 }, [[43135, [1], 6]]],
    ["SELF_RELIANCE", { override: 1, chargePower: 200 }, [[43135, [0], 6]]],
    ["SELF_RELIANCE", { storageMode: 64 }, [[43110, [17], 6]]],
    // Grid charging that the owner allowed beside self use stays.
    ["SELF_RELIANCE", { storageMode: 49 }, []],
    ["IMPORT_FOCUS", { override: 1, chargePower: 200 }, []],
  ] as const)("%s from %j writes what differs, 10 W a step", async (mode, state, writes) => {
    const unit = solis(state);
    const driver = await profileDriver(solisHybrid, unit);
    await readAll(driver);
    await driver.write("battery.mode", mode, calm);
    expect(unit.writes).toEqual(writes);
  });

  test("its override has no timer", async () => {
    const { controls } = await profileDriver(solisHybrid, solis());
    expect(controls).toMatchObject([{ point: "battery.mode", holdMs: null, safeDefault: "SELF_RELIANCE" }]);
  });
});
