import type { DeviceProfile } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { alphaEssSmile } from "../../../../adapters/modbus/profiles/alpha-ess-smile.ts";
import { deye1p } from "../../../../adapters/modbus/profiles/deye-1p.ts";
import { deye3p } from "../../../../adapters/modbus/profiles/deye-3p.ts";
import { huaweiSun2000Luna } from "../../../../adapters/modbus/profiles/huawei-sun2000-luna.ts";
import { sofarHydG3 } from "../../../../adapters/modbus/profiles/sofar-hyd-g3.ts";
import { solaxG3g4 } from "../../../../adapters/modbus/profiles/solax-g3g4.ts";
import { sungrowSh } from "../../../../adapters/modbus/profiles/sungrow-sh.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

/** Registers of the modules' powers, each of which holds 1 in turn, and what one count of them is in W. */
const INPUTS: readonly (readonly [DeviceProfile, "holding" | "input", readonly number[], number])[] = [
  [alphaEssSmile, "holding", [1056, 1060, 1064, 1068, 1072, 1076], 1],
  [deye1p, "holding", [186, 187, 188, 189], 1],
  [deye3p, "holding", [672, 673, 674, 675], 1],
  [sofarHydG3, "holding", [1414, 1417, 1420, 1423, 1426, 1429, 1432, 1435, 1438, 1441], 10],
  [solaxG3g4, "input", [10, 11, 292], 1],
];

test.each(INPUTS.map(([profile, ...rest]) => [profile.id, profile, ...rest] as const))(
  "%s counts the sun of every input",
  async (_id, profile, table, addresses, watts) => {
    for (const address of addresses) {
      const unit = zeroUnit(profile).set(table, address, 7);
      expect([address, (await readAll(await profileDriver(profile, unit)))["inverter.power"]]).toEqual([
        address,
        7 * watts,
      ]);
    }
  },
);

describe("a Deye with three phases", () => {
  const highVoltage = (firmware: number) => {
    const unit = zeroUnit(deye3p).set("holding", 0, 6).set("holding", 15, firmware).set("holding", 516, 30, 0);
    return unit.set("holding", 534, 50, 0).set("holding", 590, 0xff9c).set("holding", 672, 200);
  };

  test("of high voltage is recognized by register 0: battery and sun count 10 W", async () => {
    expect(await readAll(await profileDriver(deye3p, highVoltage(0x1095)))).toMatchObject({
      "inverter.power": 2_000,
      "battery.power": 1_000,
      "battery.energyCharged": 3_000,
      "inverter.energy": 5_000,
    });
  });

  test("counts whole kWh from firmware 1098 on, where it is of high voltage", async () => {
    const newest = await readAll(await profileDriver(deye3p, highVoltage(0x1098)));
    expect(newest).toMatchObject({ "battery.energyCharged": 30_000, "inverter.energy": 50_000 });
    const lowVoltage = highVoltage(0x1098).set("holding", 0, 5);
    expect(await readAll(await profileDriver(deye3p, lowVoltage))).toMatchObject({
      "inverter.power": 200,
      "battery.energyCharged": 3_000,
    });
  });

  test("counts microinverters at its generator port as sun, and a generator not", async () => {
    const unit = zeroUnit(deye3p).set("holding", 672, 1_000).set("holding", 667, 600);
    expect((await readAll(await profileDriver(deye3p, unit)))["inverter.power"]).toBe(1_000);
    unit.set("holding", 133, 2);
    expect((await readAll(await profileDriver(deye3p, unit)))["inverter.power"]).toBe(1_600);
  });
});

describe("a Sungrow SH whose register 13000 stays 0", () => {
  test.each([
    [0xfa24, 0xffff, "CHARGING", 1_500],
    [1_500, 0, "DISCHARGING", -1_500],
    [10, 0, "IDLE", -10],
  ])("tells by its power what the battery does", async (low, high, status, watts) => {
    const unit = zeroUnit(sungrowSh).set("input", 5213, low, high);
    expect(await readAll(await profileDriver(sungrowSh, unit))).toMatchObject({
      "battery.power": watts,
      "battery.status": status,
    });
  });
});

describe("a SUN2000", () => {
  const sun = () => zeroUnit(huaweiSun2000Luna).set("holding", 32064, 0, 4_500).set("holding", 32080, 0, 4_300);

  test("without storage tells the power and yield of its AC side, with one those of its modules", async () => {
    const unit = sun().set("holding", 32106, 0, 700).set("holding", 32108, 0, 900);
    expect(await readAll(await profileDriver(huaweiSun2000Luna, unit))).toMatchObject({
      "inverter.power": 4_300,
      "inverter.energy": 7_000,
    });
    unit.set("holding", 47000, 2);
    expect(await readAll(await profileDriver(huaweiSun2000Luna, unit))).toMatchObject({
      "inverter.power": 4_500,
      "inverter.energy": 9_000,
    });
  });

  test("tells its model and serial number", async () => {
    const words = (text: string) =>
      [...text.matchAll(/../g)].map(([pair]) => pair.charCodeAt(0) * 256 + pair.charCodeAt(1));
    const unit = sun()
      .set("holding", 30000, ...words("SUN2000-10KTL-M1"))
      .set("holding", 30015, ...words("HV21A0B12345"));
    const { identity } = await profileDriver(huaweiSun2000Luna, unit);
    expect(identity).toMatchObject({ model: "SUN2000-10KTL-M1", serial: "HV21A0B12345" });
  });
});
