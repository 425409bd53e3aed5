import { describe, expect, test } from "vitest";
import { victronGx } from "../../../../adapters/modbus/profiles/victron-gx.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

interface State {
  readonly grid?: readonly [number, number, number];
  readonly batteryW?: number;
  readonly ownersSetpoint?: number;
  readonly setpoint?: readonly [number, number];
  readonly maxCharge?: number;
  readonly maxDischarge?: number;
  readonly essMode?: number;
  readonly dynamicEss?: number;
}

function gx(state: State = {}): FakeUnit {
  const unit = new FakeUnit();
  // HQ2112ABCDEF
  unit.set("holding", 800, 0x4851, 0x3231, 0x3132, 0x4142, 0x4344, 0x4546);
  unit.set("holding", 808, 100, 0, 0, 1_000, 900, 800, 0, 0, 0, 300, 200, 100);
  unit.set("holding", 820, ...(state.grid ?? [0xfe0c, 100, 0]));
  unit.set("holding", 842, state.batteryW ?? 1_200, 71, 1).set("holding", 850, 2_500);
  unit.set("holding", 2700, state.ownersSetpoint ?? 50).set("holding", 2701, state.maxCharge ?? 100);
  unit.set("holding", 2702, state.maxDischarge ?? 100).set("holding", 2716, ...(state.setpoint ?? [0, 0]));
  unit.set("holding", 2901, 150, state.essMode ?? 1);
  return unit.set("holding", 5400, state.dynamicEss ?? 0);
}

async function written(mode: "SELF_RELIANCE" | "IMPORT_FOCUS" | "EXPORT_FOCUS", state: State) {
  const unit = gx(state);
  const driver = await profileDriver(victronGx, unit, { confirmUnverified: true });
  await readAll(driver);
  await driver.write("battery.mode", mode, calm);
  return unit.writes;
}

describe("Victron GX", () => {
  test("tells sun of all sides, house, grid and battery", async () => {
    const driver = await profileDriver(victronGx, gx());
    expect(driver.identity).toMatchObject({ manufacturer: "Victron", model: "GX", serial: "HQ2112ABCDEF" });
    expect(await readAll(driver)).toEqual({
      "battery.powerSetpoint": 0,
      "inverter.power": 5_300,
      "hem.load": 600,
      "meter.power.l1": -500,
      "meter.power.l2": 100,
      "meter.power.l3": 0,
      "meter.power": -400,
      "battery.power": 1_200,
      "battery.soc": 71,
      "battery.status": "CHARGING",
      "battery.reserve": 15,
      "battery.mode": "SELF_RELIANCE",
    });
  });

  test("a GX that does not know Dynamic ESS still tells its power", async () => {
    const unit = new FakeUnit()
      .set("holding", 800, 0)
      .set("holding", 820, 10, 20, 30)
      .set("holding", 842, 0xff9c, 40, 2);
    unit.set("holding", 808, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    expect(await readAll(await profileDriver(victronGx, unit))).toMatchObject({
      "meter.power": 60,
      "battery.power": -100,
      "battery.status": "DISCHARGING",
      "inverter.power": 45,
      "battery.mode": null,
    });
  });

  test.each([
    ["nothing is overridden", { setpoint: [0, 0] }, "SELF_RELIANCE"],
    ["the owner's set point was given back", { setpoint: [0, 50] }, "SELF_RELIANCE"],
    ["an import that somebody set", { setpoint: [0, 900] }, "IMPORT_FOCUS"],
    ["a charge that the sun does alone", { setpoint: [0, 1] }, "IMPORT_FOCUS"],
    ["an export that somebody set", { setpoint: [0xffff, 0xff00] }, "EXPORT_FOCUS"],
    ["both directions are forbidden", { maxCharge: 0, maxDischarge: 0 }, "IDLE"],
    ["external control", { essMode: 3 }, "UNKNOWN"],
    ["Victron's own schedule", { dynamicEss: 1, essMode: 3 }, "TIME_OF_USE"],
  ] as const)("%s", async (_name, state, shown) => {
    expect(await readAll(await profileDriver(victronGx, gx(state)))).toMatchObject({ "battery.mode": shown });
  });

  test("a forced charge moves the volatile grid set point by what the battery lacks", async () => {
    // Grid 300 W, battery -700 W: 2000 W into the battery are 3000 W from the grid.
    expect(await written("IMPORT_FOCUS", { grid: [300, 0, 0], batteryW: 0xfd44 })).toEqual([[2716, [0, 3_000], 16]]);
  });

  test("a forced charge never asks for export, a forced discharge never for import", async () => {
    // 5000 W of sun go out: the charge takes them first.
    expect(await written("IMPORT_FOCUS", { grid: [0xec78, 0, 0], batteryW: 0 })).toEqual([[2716, [0, 1], 16]]);
    expect(await written("EXPORT_FOCUS", { grid: [5_000, 0, 0], batteryW: 0 })).toEqual([[2716, [0xffff, 0xffff], 16]]);
  });

  test("a forced discharge of 2000 W out of a calm house exports them", async () => {
    expect(await written("EXPORT_FOCUS", { grid: [0, 0, 0], batteryW: 0 })).toEqual([[2716, [0xffff, 0xf830], 16]]);
  });

  test("self reliance gives the owner's own set point back, and nothing in flash is ever written", async () => {
    const forbidden = { maxCharge: 0, maxDischarge: 0, grid: [0, 0, 0], batteryW: 0 } as const;
    expect(await written("SELF_RELIANCE", forbidden)).toEqual([[2716, [0, 50], 16]]);
    expect(await written("SELF_RELIANCE", { ownersSetpoint: 0xffce })).toEqual([[2716, [0xffff, 0xffce], 16]]);
    expect(await written("IMPORT_FOCUS", forbidden)).toEqual([[2716, [0, 2_000], 16]]);
  });

  test.each([
    ["Dynamic ESS is active", { dynamicEss: 1 }],
    ["the system is under external control", { essMode: 3 }],
  ] as const)("nothing is written while %s", async (_name, state) => {
    for (const mode of ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS"] as const) {
      await expect(written(mode, state)).rejects.toMatchObject({ kind: "rejected" });
    }
  });

  test("worked out anew, the set point brings the battery back to its power after the house changed", async () => {
    let houseW = 500;
    let batteryW = 0;
    const unit = gx({ grid: [houseW, 0, 0], batteryW: 0 });
    const driver = await profileDriver(victronGx, unit);
    for (const nextHouseW of [500, 4_500, 5_500, 1_000]) {
      houseW = nextHouseW;
      // The house moves the grid before the GX does anything about it.
      unit.set("holding", 820, houseW + batteryW).set("holding", 842, batteryW);
      await readAll(driver);
      await driver.write("battery.mode", "IMPORT_FOCUS", calm);
      const [, [high = 0, low = 0] = []] = unit.writes.at(-1) ?? [];
      // ESS steers the battery so that the grid shows the set point.
      batteryW = ((high << 16) | low) - houseW;
      expect(batteryW).toBe(2_000);
    }
  });

  test("the set point is worked out anew every 10 s; ESS has no timer for it", async () => {
    const { controls } = await profileDriver(victronGx, gx());
    expect(controls).toMatchObject([
      { holdMs: null, renewMs: 10_000, values: ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS"] },
      { point: "battery.powerSetpoint", holdMs: null },
    ]);
  });
});
