import { describe, expect, test } from "vitest";
import { smaDataManager } from "../../../../adapters/modbus/profiles/sma-data-manager.ts";
import { smaHybrid } from "../../../../adapters/modbus/profiles/sma-hybrid.ts";
import { smaPv } from "../../../../adapters/modbus/profiles/sma-pv.ts";
import { smaShm2 } from "../../../../adapters/modbus/profiles/sma-shm2.ts";
import { smaSunnyIsland } from "../../../../adapters/modbus/profiles/sma-sunny-island.ts";
import { calm } from "../bus/bus-world.ts";
import type { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

const NO_INT32 = [0x8000, 0x0000] as const;
const NO_UINT32 = [0xffff, 0xffff] as const;
const NO_UINT64 = [0xffff, 0xffff, 0xffff, 0xffff] as const;

/** A hybrid of two strings: 3.2 kW of sun, 700 W out of the battery, 250 W into the grid. */
function hybrid(deviceClass = 8009): FakeUnit {
  const unit = zeroUnit(smaHybrid).set("holding", 30051, 0, deviceClass).set("holding", 30057, 0xb55a, 0x1c3a);
  unit
    .set("holding", 30773, 0, 2_000)
    .set("holding", 30961, 0, 1_200)
    .set("holding", 30967, ...NO_INT32);
  unit.set("holding", 30513, 0, 0, 0x0001, 0x0000).set("holding", 30581, 0, 500, ...NO_UINT32);
  unit.set("holding", 30845, 0, 64).set("holding", 30955, 0, 2_293).set("holding", 30865, 0, 0, 0, 250);
  unit.set("holding", 31253, 0, 23_010, ...NO_UINT32, 0, 23_050).set("holding", 31259, 0, 100, 0, 0, 0, 0);
  unit.set("holding", 31265, 0, 0, 0, 40, ...NO_UINT32).set("holding", 31393, 0, 0, 0, 700);
  unit.set("holding", 31397, ...NO_UINT64, 0, 0, 0, 9_000).set("holding", 31435, 0, 1_500, ...NO_INT32);
  return unit;
}

describe("SMA hybrid", () => {
  test("sums the strings that exist and takes directions from pairs of registers", async () => {
    const driver = await profileDriver(smaHybrid, hybrid());
    expect(driver.identity).toMatchObject({ manufacturer: "SMA", serial: "3042581562" });
    expect(await readAll(driver)).toMatchObject({
      "inverter.power": 3_200,
      "inverter.energy": 65_536,
      "battery.power": -700,
      "battery.status": "DISCHARGING",
      "battery.soc": 64,
      "battery.energyCharged": null,
      "battery.energyDischarged": 9_000,
      "battery.mode": "SELF_RELIANCE",
      "meter.power": -250,
      "meter.power.l1": -100,
      "meter.power.l2": 40,
      "meter.power.l3": null,
      "meter.energyImport": 500,
      "meter.energyExport": null,
      "meter.voltage.l1": 230.1,
      "meter.voltage.l2": null,
      "meter.current.l1": 1.5,
      "meter.current.l2": null,
    });
  });

  test("a Sunny Boy Storage has produced nothing, and its status may be missing", async () => {
    const unit = hybrid(8007)
      .set("holding", 30773, ...NO_INT32)
      .set("holding", 30961, ...NO_INT32);
    // 0x00FFFFFD: not available
    unit.set("holding", 30955, 0x00ff, 0xfffd);
    expect(await readAll(await profileDriver(smaHybrid, unit))).toMatchObject({
      "inverter.power": null,
      "inverter.energy": null,
      "battery.power": -700,
      "battery.status": "DISCHARGING",
    });
  });

  test("its control, which one driver knows, waits for confirmation", async () => {
    expect(await profileDriver(smaHybrid, hybrid())).toMatchObject({ controls: [], unconfirmed: ["battery.mode"] });
  });

  test.each([
    ["SELF_RELIANCE", 2_424, [0, 2_000, 0, 4_000]],
    ["IDLE", 2_424, [0, 0, 0, 0]],
    ["IMPORT_FOCUS", 2_289, [2_000, 2_000, 0, 0]],
    ["EXPORT_FOCUS", 2_290, [0, 0, 4_000, 4_000]],
  ] as const)("confirmed, %s writes the six registers in order, each with a request", async (mode, code, powers) => {
    const unit = hybrid();
    const driver = await profileDriver(smaHybrid, unit, {
      confirmUnverified: true,
      settings: { maxDischargeW: 4_000 },
    });
    expect(driver.controls).toMatchObject([{ holdMs: 60_000, safeDefault: "SELF_RELIANCE" }]);
    await driver.write("battery.mode", mode, calm);
    expect(unit.writes).toEqual([
      [40236, [0, code], 16],
      [40793, [0, powers[0]], 16],
      [40795, [0, powers[1]], 16],
      [40797, [0, powers[2]], 16],
      [40799, [0, powers[3]], 16],
      [40801, [0, 0], 16],
    ]);
    expect(await readAll(driver)).toMatchObject({ "battery.mode": mode });
  });
});

describe("Sunny Island", () => {
  test("what it gives to its AC side is discharged", async () => {
    const unit = zeroUnit(smaSunnyIsland).set("holding", 30775, 0xffff, 0xf830).set("holding", 30845, 0, 51);
    unit.set("holding", 30513, 0, 0, 0, 12_345);
    const driver = await profileDriver(smaSunnyIsland, unit);
    expect(await readAll(driver)).toEqual({
      "battery.power": 2_000,
      "battery.powerSetpoint": 0,
      "battery.status": "CHARGING",
      "battery.soc": 51,
      "battery.energyDischarged": 12_345,
      "battery.mode": "SELF_RELIANCE",
    });
    unit
      .set("holding", 30775, ...NO_INT32)
      .set("holding", 30845, ...NO_UINT32)
      .set("holding", 30513, ...NO_UINT64);
    expect(await readAll(driver)).toMatchObject({
      "battery.power": null,
      "battery.status": null,
      "battery.soc": null,
      "battery.energyDischarged": null,
    });
  });

  test.each([
    ["SELF_RELIANCE", null, 803],
    ["IDLE", [0, 0], 802],
    ["IMPORT_FOCUS", [0xffff, 0xf830], 802],
    ["EXPORT_FOCUS", [0, 2_000], 802],
  ] as const)("%s: the set point, then the command to follow it", async (mode, power, command) => {
    const unit = zeroUnit(smaSunnyIsland);
    const driver = await profileDriver(smaSunnyIsland, unit);
    expect(driver.controls).toMatchObject([
      { holdMs: 60_000, safeDefault: "SELF_RELIANCE" },
      { point: "battery.powerSetpoint", holdMs: null },
    ]);
    await driver.write("battery.mode", mode, calm);
    const setPoint = power === null ? [] : [[40149, power, 16]];
    expect(unit.writes).toEqual([...setPoint, [40151, [0, command], 16]]);
  });
});

test("a Sunny Boy in the dark tells no power, and what it has produced", async () => {
  const unit = zeroUnit(smaPv)
    .set("holding", 30775, ...NO_INT32)
    .set("holding", 30513, 0, 1, 0, 0);
  const driver = await profileDriver(smaPv, unit);
  expect(await readAll(driver)).toEqual({ "inverter.power": null, "inverter.energy": 4_294_967_296 });
  unit.set("holding", 30775, 0, 4_600).set("holding", 30513, ...NO_UINT64);
  expect(await readAll(driver)).toEqual({ "inverter.power": 4_600, "inverter.energy": null });
});

test("a Home Manager's power is import less export; without a meter there is none", async () => {
  const unit = zeroUnit(smaShm2).set("input", 30865, 0, 0, 0, 900).set("holding", 30581, 0, 11, 0, 22);
  const driver = await profileDriver(smaShm2, unit);
  expect(await readAll(driver)).toEqual({ "meter.power": -900, "meter.energyImport": 11, "meter.energyExport": 22 });
  unit.set("input", 30865, ...NO_INT32, ...NO_INT32);
  expect(await readAll(driver)).toMatchObject({ "meter.power": null });
});

test("a Data Manager tells of the plant, and counts export as positive", async () => {
  const unit = zeroUnit(smaDataManager).set("holding", 31249, 0, 1_500).set("holding", 31535, 0xffff, 0xf448);
  unit.set("holding", 30775, 0, 6_000).set("holding", 30513, 0, 0, 0, 70).set("holding", 31393, 0, 2_500, 0, 0);
  unit.set("holding", 31401, 0, 0, 0, 80).set("holding", 30845, 0, 90);
  expect(await readAll(await profileDriver(smaDataManager, unit))).toMatchObject({
    "inverter.power": 6_000,
    "inverter.energy": 70,
    "battery.power": 2_500,
    "battery.status": "CHARGING",
    "battery.soc": 90,
    "battery.energyDischarged": 80,
    "meter.power": -1_500,
    "meter.current.l1": 3,
  });
});
