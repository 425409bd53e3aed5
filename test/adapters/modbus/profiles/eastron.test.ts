import { describe, expect, test } from "vitest";
import { eastronSdm72V1 } from "../../../../adapters/modbus/profiles/eastron-sdm72-v1.ts";
import { eastronSdm72V2 } from "../../../../adapters/modbus/profiles/eastron-sdm72-v2.ts";
import { eastronSdm120 } from "../../../../adapters/modbus/profiles/eastron-sdm120.ts";
import { eastronSdm630 } from "../../../../adapters/modbus/profiles/eastron-sdm630.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

/** Registers as a three-phase meter holds them: export on the second phase. */
function threePhases(): FakeUnit {
  const unit = new FakeUnit();
  unit.set("input", 0, 0x4366, 0x8000, 0x4367, 0x4000, 0x4365, 0xc000);
  unit.set("input", 6, 0x4088, 0x0000, 0xc060, 0x0000, 0x3f40, 0x0000);
  unit.set("input", 12, 0x4474, 0x6000, 0xc448, 0x9800, 0x432c, 0x8000);
  unit.set("input", 52, 0x43ad, 0xd000).set("input", 70, 0x4247, 0xeb85);
  return unit.set("input", 72, 0x4640, 0xe6b6).set("input", 74, 0x4476, 0xe000);
}

const TOTALS = { "meter.power": 347.625, "meter.energyImport": 12_345_678, "meter.energyExport": 987_500 };

describe("Eastron", () => {
  test.each([eastronSdm630, eastronSdm72V2])("$id: phases with their signs, counters in Wh", async (profile) => {
    expect(await readAll(await profileDriver(profile, threePhases()))).toEqual({
      ...TOTALS,
      "meter.voltage.l1": 230.5,
      "meter.voltage.l2": 231.25,
      "meter.voltage.l3": 229.75,
      "meter.current.l1": 4.25,
      "meter.current.l2": -3.5,
      "meter.current.l3": 0.75,
      "meter.power.l1": 977.5,
      "meter.power.l2": -802.375,
      "meter.power.l3": 172.5,
      "meter.frequency": 49.98,
    });
  });

  test("the first SDM72 tells the total and the counters", async () => {
    expect(await readAll(await profileDriver(eastronSdm72V1, threePhases()))).toEqual(TOTALS);
  });

  test("a single-phase meter's power stands where the first phase of the others is", async () => {
    expect(await readAll(await profileDriver(eastronSdm120, threePhases()))).toEqual({
      "meter.voltage.l1": 230.5,
      "meter.current.l1": 4.25,
      "meter.power": 977.5,
      "meter.frequency": 49.98,
      "meter.energyImport": 12_345_678,
      "meter.energyExport": 987_500,
    });
  });

  test("a float that is no number is no value", async () => {
    const unit = threePhases().set("input", 52, 0x7fc0, 0x0000);
    expect(await readAll(await profileDriver(eastronSdm630, unit))).toMatchObject({ "meter.power": null });
  });
});
