import { readdirSync } from "node:fs";
import { type DeviceProfile, defineProfile } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { allProfiles } from "../../../adapters/modbus/profile/known-profiles.ts";
import { eastronSdm630 } from "../../../adapters/modbus/profiles/eastron-sdm630.ts";
import { goodweEt } from "../../../adapters/modbus/profiles/goodwe-et.ts";
import { kebaP30, kebaP40 } from "../../../adapters/modbus/profiles/keba-p30-p40.ts";
import { calm } from "./bus/bus-world.ts";
import { FakeUnit, floatWords, silence, words32 } from "./fake-unit.ts";
import { profileDriver, readAll } from "./profile-driver.ts";

const KNOWN_PROFILES = await allProfiles();

test("every known profile has a name of its own, a source for each fact, and a generic vendor code last", () => {
  expect(new Set(KNOWN_PROFILES.map(({ id }) => id)).size).toBe(KNOWN_PROFILES.length);
  for (const { vendors, points, controls } of KNOWN_PROFILES) {
    expect(vendors.at(-1)).toBe("MODBUS");
    for (const { source } of [...points, ...controls]) expect(source).not.toBe("");
  }
});

test("each test file of profiles is named after a profile, or by what the ids of its profiles begin with", () => {
  const files = readdirSync(new URL("profiles/", import.meta.url)).map((file) =>
    file.replace(/(\.slow)?\.test\.ts$/, ""),
  );
  const isOfProfile = (name: string): boolean =>
    KNOWN_PROFILES.some(({ id }) => id === name || id.startsWith(`${name}-`));
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((name) => !isOfProfile(name))).toEqual([]);
});

test("every known profile says where its device's serial number is, or why there is none", () => {
  const forgotten = KNOWN_PROFILES.filter(({ identity, noSerial }) => (identity?.serial ?? noSerial) === undefined);
  expect(forgotten.map(({ id }) => id)).toEqual([]);
  for (const { identity = {}, noSerial } of KNOWN_PROFILES) {
    for (const { source } of Object.values(identity)) expect(source).not.toBe("");
    expect(noSerial).not.toBe("");
  }
});

test.each(KNOWN_PROFILES.map((profile) => [profile.id, profile] as const))(
  "%s is data: it survives JSON",
  (_id, profile) => {
    const copy: DeviceProfile = JSON.parse(JSON.stringify(profile));
    expect(copy).toStrictEqual(profile);
    expect(() => defineProfile(copy)).not.toThrow();
  },
);

test.each(KNOWN_PROFILES.map((profile) => [profile.id, profile] as const))(
  "%s uses each of its settings, and each that it uses is one",
  (_id, { settings = {}, ...rest }) => {
    const used = new Set([...JSON.stringify(rest).matchAll(/"setting":"(\w+)"/g)].map(([, name]) => name));
    expect(Object.keys(settings).toSorted()).toEqual([...used].toSorted());
    for (const { min, max, default: preset = min } of Object.values(settings)) {
      expect(preset).toBeGreaterThanOrEqual(min);
      expect(preset).toBeLessThanOrEqual(max);
    }
  },
);

/** One inverter of a plant: the meter belongs to the plant, which is a unit of its own. */
const PARTS_OF_PLANTS = ["sigenergy-inverter"];

test("what reads battery and inverter tells power, charge and status of the battery, sun and meter", () => {
  const told = ({ points, derived }: DeviceProfile) => [...points, ...derived].map(nameOf);
  const hybrids = KNOWN_PROFILES.filter((profile) =>
    ["battery.power", "inverter.power"].every((point) => told(profile).includes(point)),
  );
  expect(hybrids.length).toBeGreaterThanOrEqual(15);
  const needed = ["battery.power", "battery.soc", "battery.status", "inverter.power", "meter.power"];
  for (const profile of hybrids.filter(({ id }) => !PARTS_OF_PLANTS.includes(id))) {
    const missing = needed.filter((point) => !told(profile).includes(point));
    expect([profile.id, missing]).toEqual([profile.id, []]);
  }
});

function nameOf(point: { readonly key: string } | { readonly point: string }): string {
  return "key" in point ? point.key : point.point;
}

describe("a profile that contradicts itself throws when it is declared", () => {
  const [point] = eastronSdm630.points;
  const wrong: Readonly<Record<string, Partial<DeviceProfile>>> = {
    "a name with spaces": { id: "My Meter" },
    "the same key twice": { points: [point!, point!] },
    "a string without length": { points: [{ ...point!, type: "string" }] },
    "a register beyond the table": { points: [{ ...point!, address: 65_535 }] },
    "a value longer than a request": { limits: { ...eastronSdm630.limits, maxRegisters: 1 } },
    "more registers than Modbus has": { limits: { ...eastronSdm630.limits, maxRegisters: 126 } },
    "a scale from nowhere": { points: [{ ...point!, scaleFrom: "raw.sf" }] },
    "a derived point from nowhere": { derived: [{ point: "meter.power.l1", value: { of: "raw.x" } }] },
    "a control that writes nothing": {
      controls: [{ ...kebaP30.controls[0]!, write: { steps: [] } }],
    },
  };
  test.each(Object.entries(wrong))("%s", (_name, change) => {
    expect(() => defineProfile({ ...eastronSdm630, ...change })).toThrow();
  });
});

describe("Eastron SDM630", () => {
  test("two requests fetch the meter, none over 80 registers, and energy is told in Wh", async () => {
    const unit = new FakeUnit();
    for (let address = 0; address < 80; address += 2) unit.set("input", address, ...floatWords(address + 0.5));
    unit.set("input", 52, ...floatWords(-1234.5)).set("input", 72, ...floatWords(12_345.678));
    const driver = await profileDriver(eastronSdm630, unit);
    unit.reads.length = 0;
    expect(await readAll(driver)).toMatchObject({
      "meter.power": -1234.5,
      "meter.voltage.l2": 2.5,
      "meter.current.l3": 10.5,
      "meter.frequency": 70.5,
      "meter.energyImport": 12_345_678,
      "meter.energyExport": 74_500,
    });
    for (const [, , count] of unit.reads) expect(count).toBeLessThanOrEqual(80);
    expect(unit.reads).toHaveLength(2);
    expect(driver.controls).toEqual([]);
  });

  test("connecting needs an answer, though the meter says nothing of itself", async () => {
    const unit = new FakeUnit();
    unit.failures.set(0, silence);
    await expect(profileDriver(eastronSdm630, unit)).rejects.toBe(silence);
  });
});

function kebaUnit(state: number, cable: number): FakeUnit {
  const unit = new FakeUnit();
  for (const address of [1008, 1010, 1012, 1020, 1036, 1040, 1042, 1044, 1100, 1502]) {
    unit.set("holding", address, ...words32(1_000 * (address - 1_000)));
  }
  unit.set("holding", 1000, ...words32(state)).set("holding", 1004, ...words32(cable));
  return unit.set("holding", 1014, ...words32(18_416_854)).set("holding", 1018, ...words32(10_201));
}

describe("KEBA P30", () => {
  test("each value is a request of its own, in A, W, V and Wh", async () => {
    const unit = kebaUnit(3, 7);
    const driver = await profileDriver(kebaP30, unit);
    expect(driver.identity).toEqual({
      manufacturer: "KEBA",
      model: "KeContact P30",
      serial: "18416854",
      version: "10201",
    });
    unit.reads.length = 0;
    expect(await readAll(driver)).toMatchObject({
      "charger.current.l1": 8,
      "charger.power": 20,
      "charger.maxCurrent": 100,
      "charger.energy": 3_600,
      "charger.energySession": 50_200,
    });
    expect(unit.reads.every(([, , count]) => count === 2)).toBe(true);
    expect(unit.reads).toHaveLength(kebaP30.points.length);
  });

  test.each([
    [3, 7, "PLUGGED_IN:CHARGING", true],
    [2, 7, "PLUGGED_IN:INITIALIZING", true],
    [5, 7, "PLUGGED_IN:STOPPED", false],
    [1, 7, "PLUGGED_IN:STOPPED", null],
    [0, 5, "PLUGGED_IN:INITIALIZING", null],
    [4, 5, "PLUGGED_IN:FAULT", null],
    [9, 7, "UNKNOWN", null],
    [1, 3, "UNPLUGGED", null],
    [1, 1, "UNPLUGGED", null],
    [4, 0, "UNPLUGGED", null],
  ])("state %i with cable %i is %s, enabled %s", async (state, cable, shown, isEnabled) => {
    const told = await readAll(await profileDriver(kebaP30, kebaUnit(state, cable)));
    expect(told).toMatchObject({ "charger.state": shown, "charger.enabled": isEnabled });
  });

  test("a charger that refuses its cable register has no state", async () => {
    const unit = kebaUnit(3, 7);
    const driver = await profileDriver(
      {
        ...kebaP30,
        points: kebaP30.points.map((point) => (point.key === "raw.cable" ? { ...point, address: 9 } : point)),
      },
      unit,
    );
    expect(await readAll(driver)).toMatchObject({ "charger.state": null, "charger.enabled": true });
  });

  test("by default it writes only what two sources agree on, and holds nothing", async () => {
    const unit = kebaUnit(3, 7);
    const driver = await profileDriver(kebaP30, unit);
    expect(driver.controls.map(({ point, holdMs }) => [point, holdMs])).toEqual([
      ["charger.maxCurrent", null],
      ["charger.enabled", null],
    ]);
    await driver.write("charger.maxCurrent", 16, calm);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.enabled", true, calm);
    expect(unit.writes).toEqual([
      [5004, [16_000], 6],
      [5014, [0], 6],
      [5014, [1], 6],
    ]);
    await expect(driver.write("charger.maxCurrent", 5, calm)).rejects.toMatchObject({ kind: "rejected" });
    await expect(driver.write("charger.maxCurrent", 64, calm)).rejects.toMatchObject({ kind: "rejected" });
  });

  test("confirmed, the station's own timer is set before each value, to stop where the wish is to stop", async () => {
    const unit = kebaUnit(3, 7);
    const driver = await profileDriver(kebaP30, unit, { confirmUnverified: true });
    expect(driver.controls.map(({ holdMs }) => holdMs)).toEqual([60_000, 60_000]);
    await driver.write("charger.maxCurrent", 10, calm);
    await driver.write("charger.enabled", false, calm);
    expect(unit.writes).toEqual([
      [5018, [60], 6],
      [5016, [6_000], 6],
      [5004, [10_000], 6],
      [5018, [60], 6],
      [5016, [0], 6],
      [5014, [0], 6],
    ]);
    unit.writes.length = 0;
    await driver.write("charger.maxCurrent", 10, calm);
    expect(unit.writes).toEqual([
      [5018, [60], 6],
      [5016, [0], 6],
      [5004, [10_000], 6],
    ]);
  });
});

describe("KEBA P40", () => {
  test.each([
    [10_200, 36_000_000, 502_000_000],
    [10_201, 3_600_000, 50_200_000],
  ])("software %i counts energy in its own unit", async (firmware, energy, session) => {
    const unit = kebaUnit(3, 7).set("holding", 1018, ...words32(firmware));
    unit.set("holding", 1036, ...words32(36_000_000)).set("holding", 1502, ...words32(502_000_000));
    expect(await readAll(await profileDriver(kebaP40, unit))).toMatchObject({
      "charger.energy": energy,
      "charger.energySession": session,
    });
  });

  test("it stops at 0 A, a limit set meanwhile does not start it, and a start takes the limit up", async () => {
    const unit = kebaUnit(3, 7);
    const driver = await profileDriver(kebaP40, unit);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.maxCurrent", 13, calm);
    await driver.write("charger.enabled", true, calm);
    expect(unit.writes).toEqual([
      [5004, [0], 6],
      [5004, [0], 6],
      [5004, [13_000], 6],
    ]);
  });
});

test("a GoodWe inverter without battery and meter tells its sun and nulls for the rest", async () => {
  const unit = new FakeUnit();
  for (let address = 35_100; address < 35_225; address++) unit.set("holding", address, 0);
  unit.set("holding", 35_105, ...words32(857)).set("holding", 35_109, ...words32(691));
  unit.set("holding", 35_113, 0xffff, 0xffff).set("holding", 35_117, 0xffff, 0xffff);
  expect(await readAll(await profileDriver(goodweEt, unit))).toMatchObject({
    "inverter.power": 1_548,
    "battery.status": null,
    "battery.soc": null,
    "meter.power": null,
  });
});
