import { describe, expect, test } from "vitest";
import { ablEm4 } from "../../../../adapters/modbus/profiles/abl-em4.ts";
import { ablEmh1 } from "../../../../adapters/modbus/profiles/abl-emh1.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

/** Above the outlet's state, and above the duty cycle, the registers hold other bits. */
function emh1(state: number, duty: number, currents: readonly number[]): FakeUnit {
  const unit = new FakeUnit().set("holding", 4, 0x2e00 | state);
  unit.set("holding", 15, 0x8201, 0x0140, 0x0100, 0x8000 | duty, 0x0000);
  return unit.set("holding", 46, 0x2e20, 0x00c2, ...currents);
}

describe("ABL eMH1", () => {
  test("power is reckoned from the currents at 230 V; a phase without sensor is none", async () => {
    const unit = emh1(0xc2, 267, [160, 100, 0xffff]);
    const driver = await profileDriver(ablEmh1, unit);
    unit.reads.length = 0;
    expect(await readAll(driver)).toEqual({
      "charger.current.l1": 16,
      "charger.current.l2": 10,
      "charger.current.l3": null,
      "charger.power": 5_980,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 16,
      "charger.enabled": true,
    });
    expect(unit.reads).toEqual([
      ["holding", 4, 1],
      ["holding", 15, 5],
      ["holding", 46, 5],
    ]);
  });

  test("a box without sensors has no power", async () => {
    const driver = await profileDriver(ablEmh1, emh1(0xa1, 100, [1_000, 1_000, 1_000]));
    expect(await readAll(driver)).toMatchObject({
      "charger.state": "UNPLUGGED",
      "charger.power": null,
      "charger.current.l1": null,
      "charger.maxCurrent": 6,
    });
  });

  test.each([
    [0xb1, "PLUGGED_IN:STOPPED"],
    [0xb2, "PLUGGED_IN:INITIALIZING"],
    [0xc3, "PLUGGED_IN:CHARGING"],
    [0xc4, "PLUGGED_IN:CHARGING"],
    [0xe0, "UNKNOWN"],
    [0xf1, "PLUGGED_IN:FAULT"],
    [0xfb, "PLUGGED_IN:FAULT"],
    [0xfc, "UNKNOWN"],
  ])("state %i is %s", async (state, shown) => {
    expect(await readAll(await profileDriver(ablEmh1, emh1(state, 267, [0, 0, 0])))).toMatchObject({
      "charger.state": shown,
    });
  });

  test("currents become duty cycles with function 16; 100 % stops", async () => {
    const unit = emh1(0xc2, 267, [0, 0, 0]);
    const driver = await profileDriver(ablEmh1, unit);
    await readAll(driver);
    await driver.write("charger.maxCurrent", 10, calm);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.maxCurrent", 6, calm);
    expect(unit.writes).toEqual([
      [20, [167], 16],
      [20, [1_000], 16],
      [20, [1_000], 16],
    ]);
  });

  test("a start takes the last limit up, after switching an outlet on that was off", async () => {
    const unit = emh1(0xe0, 1_000, [0, 0, 0]);
    const driver = await profileDriver(ablEmh1, unit);
    expect(await readAll(driver)).toMatchObject({ "charger.enabled": false, "charger.maxCurrent": null });
    await driver.write("charger.maxCurrent", 12, calm);
    await driver.write("charger.enabled", true, calm);
    expect(unit.writes).toEqual([
      [20, [1_000], 16],
      [5, [0xa1a1], 16],
      [20, [200], 16],
    ]);
  });

  test("its line is ASCII, and each request is sent again when it only woke it", () => {
    expect(ablEmh1.transports[0]).toMatchObject({ kind: "ascii", baudRate: 38_400, parity: "even" });
    expect(ablEmh1.limits.isWokenByRequest).toBe(true);
  });
});

describe("ABL eM4", () => {
  function em4(): FakeUnit {
    const unit = new FakeUnit().set("holding", 12_289, 0, 1_600, 0, 0, 0, 50);
    unit.set("holding", 12_301, 0, 3_680, 0x0001, 0xe240);
    return unit.set("holding", 12_337, 0xc2, 160);
  }

  test("reads; which scale its currents have is in dispute", async () => {
    expect(await readAll(await profileDriver(ablEm4, em4()))).toEqual({
      "charger.current.l1": 16,
      "charger.current.l2": 0,
      "charger.current.l3": 0.5,
      "charger.power": 3_680,
      "charger.energy": 1_234_560,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 16,
      "charger.enabled": true,
    });
    expect(ablEm4.points[0]?.confidence).toBe("conflict");
  });

  test("controls wait for the owner, then write tenths with function 16", async () => {
    expect((await profileDriver(ablEm4, em4())).controls).toEqual([]);
    const unit = em4();
    const driver = await profileDriver(ablEm4, unit, { confirmUnverified: true });
    await readAll(driver);
    await driver.write("charger.maxCurrent", 8, calm);
    await driver.write("charger.enabled", false, calm);
    expect(unit.writes).toEqual([
      [12_338, [80], 16],
      [12_338, [0], 16],
    ]);
  });
});
