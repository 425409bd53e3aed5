/** The power of a forced charge or discharge, by profile: registers, sign, range, and that it forces nothing by itself. */
import type { DeviceProfile } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { foxessH3, foxessH3Pro } from "../../../adapters/modbus/profiles/foxess-h3.ts";
import { kostalPlenticore } from "../../../adapters/modbus/profiles/kostal-plenticore.ts";
import { marstekVenus } from "../../../adapters/modbus/profiles/marstek-venus.ts";
import { smaSunnyIsland } from "../../../adapters/modbus/profiles/sma-sunny-island.ts";
import { solaxG3g4 } from "../../../adapters/modbus/profiles/solax-g3g4.ts";
import { victronGx } from "../../../adapters/modbus/profiles/victron-gx.ts";
import { calm } from "./bus/bus-world.ts";
import { type FakeUnit, floatWords, words32 } from "./fake-unit.ts";
import { profileDriver, readAll } from "./profile-driver.ts";
import { zeroUnit } from "./zero-unit.ts";

const SETTINGS = { maxChargeW: 2_400, maxDischargeW: 1_800 };
const SETPOINT = "battery.powerSetpoint";

function remote(watts: number): readonly number[] {
  const [high, low] = words32(watts);
  return [4, 1, 0, 0, 0, 0, 60, 0, 0, 0, 0, 0, 60, low, high];
}

/** ESS runs by its own loop: 500 W from the grid, 300 W into the battery. */
function gx(unit: FakeUnit): FakeUnit {
  return unit.set("holding", 820, 200, 200, 100).set("holding", 842, 300).set("holding", 2902, 1);
}

interface Case {
  readonly profile: DeviceProfile;
  readonly prepare?: (unit: FakeUnit) => FakeUnit;
  /** What is written for a power in force, W into the battery. */
  readonly written: (watts: number) => FakeUnit["writes"];
}

const CASES: readonly Case[] = [
  {
    profile: kostalPlenticore,
    prepare: (unit) => unit.set("holding", 5, 1),
    written: (watts) => [[1034, floatWords(-watts), 16]],
  },
  {
    profile: smaSunnyIsland,
    written: (watts) => [
      [40149, words32(-watts), 16],
      [40151, [0, 802], 16],
    ],
  },
  { profile: solaxG3g4, written: (watts) => [[124, remote(-watts), 16]] },
  { profile: foxessH3, written: (watts) => [[44002, words32(-watts), 16]] },
  { profile: foxessH3Pro, written: (watts) => [[46003, words32(-watts), 16]] },
  { profile: marstekVenus, written: (watts) => [[watts > 0 ? 42020 : 42021, [Math.abs(watts)], 6]] },
  // The grid takes what the battery is to take more than now.
  { profile: victronGx, prepare: gx, written: (watts) => [[2716, words32(500 + watts - 300), 16]] },
];

async function open({ profile, prepare = (unit) => unit }: Case) {
  const unit = prepare(zeroUnit(profile));
  const driver = await profileDriver(profile, unit, { confirmUnverified: true, settings: SETTINGS });
  await readAll(driver);
  const writes = async (work: () => Promise<void>): Promise<FakeUnit["writes"]> => {
    unit.writes.length = 0;
    await work();
    return [...unit.writes];
  };
  return { unit, driver, writes };
}

describe.each(CASES.map((each) => [each.profile.id, each] as const))("%s", (_id, each) => {
  test("takes the powers that its owner allows, and refuses others with what it takes", async () => {
    const { driver, writes } = await open(each);
    expect(driver.controls.find(({ point }) => point === SETPOINT)).toMatchObject({
      range: { min: -1_800, max: 2_400 },
      holdMs: null,
      safeDefault: 0,
    });
    for (const watts of [2_401, -1_801, Number.NaN]) {
      const refused = await writes(async () => {
        await expect(driver.write(SETPOINT, watts, calm)).rejects.toMatchObject({
          kind: "rejected",
          message: `battery.powerSetpoint does not take ${watts}: it takes -1800 to 2400 W`,
        });
      });
      expect(refused).toEqual([]);
    }
  });

  test("writes a power in the sense of its own sign into the mode that is in force", async () => {
    const { driver, writes } = await open(each);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(await writes(() => driver.write(SETPOINT, 1_500, calm))).toEqual(each.written(1_500));
    await driver.write("battery.mode", "EXPORT_FOCUS", calm);
    expect(await writes(() => driver.write(SETPOINT, -700, calm))).toEqual(each.written(-700));
  });

  test("forces nothing by itself, and neither does a power of the other direction or none", async () => {
    const { driver, writes } = await open(each);
    expect(await writes(() => driver.write(SETPOINT, 1_500, calm))).toEqual([]);
    expect(await readAll(driver)).toMatchObject({ [SETPOINT]: 1_500 });
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(await writes(() => driver.write(SETPOINT, -700, calm))).toEqual([]);
    expect(await writes(() => driver.write(SETPOINT, 0, calm))).toEqual([]);
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(await writes(() => driver.write(SETPOINT, 1_500, calm))).toEqual([]);
  });

  test("is taken up by the mode that follows, which has its owner's power again once it is taken back", async () => {
    const { driver, writes } = await open(each);
    const isPower = ([address]: FakeUnit["writes"][number]) =>
      [...each.written(1), ...each.written(-1)].some((write) => write[0] === address);
    const modeWrites = async (mode: "IMPORT_FOCUS" | "EXPORT_FOCUS") =>
      (await writes(() => driver.write("battery.mode", mode, calm))).filter(isPower);
    await driver.write(SETPOINT, 1_500, calm);
    expect(await modeWrites("IMPORT_FOCUS")).toEqual(each.written(1_500));
    await driver.write(SETPOINT, 0, calm);
    expect(await modeWrites("IMPORT_FOCUS")).toEqual(each.written(2_400));
    await driver.write(SETPOINT, -700, calm);
    expect(await modeWrites("EXPORT_FOCUS")).toEqual(each.written(-700));
    await driver.write(SETPOINT, 1_500, calm);
    expect(await modeWrites("EXPORT_FOCUS")).toEqual(each.written(-1_800));
  });
});

test("An inverter that shows the power in force shows what another controller sets there", async () => {
  const { unit, driver } = await open({ profile: foxessH3, written: () => [] });
  await driver.write(SETPOINT, 1_500, calm);
  await driver.write("battery.mode", "IMPORT_FOCUS", calm);
  unit.set("holding", 44000, 1).set("holding", 44002, ...words32(-3_000));
  expect(await readAll(driver)).toMatchObject({ "battery.mode": "IMPORT_FOCUS", [SETPOINT]: 3_000 });
});
