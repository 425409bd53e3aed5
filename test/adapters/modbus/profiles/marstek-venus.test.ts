import { describe, expect, test } from "vitest";
import { marstekVenus } from "../../../../adapters/modbus/profiles/marstek-venus.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

function venus(control: number, force: number, workMode = 1): FakeUnit {
  const unit = new FakeUnit();
  unit.set("holding", 32104, 66).set("holding", 32202, 0xffff, 0xfce0).set("holding", 33002, 0, 12_345);
  return unit.set("holding", 42000, control).set("holding", 42010, force).set("holding", 43000, workMode);
}

describe("Marstek Venus", () => {
  test("counts discharging as positive", async () => {
    expect(await readAll(await profileDriver(marstekVenus, venus(21_947, 0)))).toEqual({
      "battery.soc": 66,
      "battery.power": 800,
      "battery.powerSetpoint": 0,
      "battery.status": "CHARGING",
      "battery.energyDischarged": 123_450,
      "battery.mode": "SELF_RELIANCE",
    });
  });

  test.each([
    [21_930, 0, 1, "IDLE"],
    [21_930, 1, 1, "IMPORT_FOCUS"],
    [21_930, 2, 1, "EXPORT_FOCUS"],
    // It forgot that it is controlled.
    [21_947, 1, 1, "SELF_RELIANCE"],
    [21_947, 0, 0, "UNKNOWN"],
    [21_947, 0, 2, "UNKNOWN"],
  ])("control %i, force %i and work mode %i are %s", async (control, force, workMode, shown) => {
    const unit = venus(control, force, workMode);
    expect(await readAll(await profileDriver(marstekVenus, unit))).toMatchObject({ "battery.mode": shown });
  });

  test.each([
    [
      "SELF_RELIANCE",
      [
        [42010, [0], 6],
        [42000, [21_947], 6],
      ],
    ],
    [
      "IDLE",
      [
        [42000, [21_930], 6],
        [42010, [0], 6],
      ],
    ],
    [
      "IMPORT_FOCUS",
      [
        [42000, [21_930], 6],
        [42010, [1], 6],
        [42020, [800], 6],
      ],
    ],
    [
      "EXPORT_FOCUS",
      [
        [42000, [21_930], 6],
        [42010, [2], 6],
        [42021, [800], 6],
      ],
    ],
  ] as const)("%s is written with function 6 only", async (mode, writes) => {
    const unit = venus(21_947, 0);
    await (await profileDriver(marstekVenus, unit, { confirmUnverified: true })).write("battery.mode", mode, calm);
    expect(unit.writes).toEqual(writes);
  });

  test("the discharge power, which one source knows, is off until it is confirmed", async () => {
    const { controls } = await profileDriver(marstekVenus, venus(21_947, 0));
    expect(controls).toMatchObject([
      { holdMs: null, values: ["SELF_RELIANCE", "IDLE", "IMPORT_FOCUS"] },
      { point: "battery.powerSetpoint" },
    ]);
  });
});
