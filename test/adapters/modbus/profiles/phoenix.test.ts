import { describe, expect, test } from "vitest";
import { phoenixCharx, phoenixCharx2 } from "../../../../adapters/modbus/profiles/phoenix-charx.ts";
import { phoenixEmCp } from "../../../../adapters/modbus/profiles/phoenix-em-cp.ts";
import { phoenixEvEthWallbe } from "../../../../adapters/modbus/profiles/phoenix-ev-eth-wallbe.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

const LETTERS = { A: 65, B: 66, C: 67, D: 68, E: 69, F: 70 } as const;

function evEth(letter: keyof typeof LETTERS, enabled: number, limit: number): FakeUnit {
  const unit = new FakeUnit().set("input", 100, LETTERS[letter]).set("coil", 400, enabled).set("holding", 528, limit);
  // 70,000 W would need both words: low first.
  unit.set("input", 108, 231, 0, 0, 0, 229, 0, 10, 0, 0, 0, 9, 0, 0x1170, 0x0001);
  return unit.set("holding", 904, 0xd687, 0x0012);
}

describe("Phoenix EV-ETH and Wallbe", () => {
  test("32-bit values come low word first", async () => {
    expect(await readAll(await profileDriver(phoenixEvEthWallbe, evEth("C", 1, 16)))).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.voltage.l1": 231,
      "charger.current.l3": 9,
      "charger.power": 70_000,
      "charger.energy": 1_234_567,
      "charger.energySession": null,
      "charger.maxCurrent": 16,
      "charger.enabled": true,
    });
  });

  test("the firmware of Wallbe counts tenths, and energy elsewhere", async () => {
    const unit = evEth("C", 1, 160).set("holding", 904, 0, 0).set("holding", 2_980, 0x1170, 0x0001, 0, 0);
    unit.set("holding", 3_376, 900, 0, 0, 0);
    const driver = await profileDriver(phoenixEvEthWallbe, unit);
    expect(await readAll(driver)).toMatchObject({
      "charger.maxCurrent": 16,
      "charger.energy": 70_000,
      "charger.energySession": 900,
    });
    await driver.write("charger.maxCurrent", 13.5, calm);
    expect(unit.writes).toEqual([[528, [135], 6]]);
  });

  test.each([
    ["A", 1, "UNPLUGGED"],
    ["B", 1, "PLUGGED_IN:INITIALIZING"],
    ["B", 0, "PLUGGED_IN:STOPPED"],
    ["C", 0, "PLUGGED_IN:STOPPED"],
    ["D", 1, "PLUGGED_IN:CHARGING"],
    ["E", 1, "PLUGGED_IN:FAULT"],
    ["F", 0, "PLUGGED_IN:FAULT"],
  ] as const)("%s with the coil at %i is %s", async (letter, enabled, state) => {
    expect(await readAll(await profileDriver(phoenixEvEthWallbe, evEth(letter, enabled, 16)))).toMatchObject({
      "charger.state": state,
    });
  });

  test("start and stop are a coil, written with function 5; the limit is whole amperes", async () => {
    const unit = evEth("C", 1, 16);
    const driver = await profileDriver(phoenixEvEthWallbe, unit);
    await readAll(driver);
    await driver.write("charger.enabled", true, calm);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.maxCurrent", 8, calm);
    expect(unit.writes).toEqual([
      [400, [1], 5],
      [400, [0], 5],
      [528, [8], 6],
    ]);
    expect(driver.controls.map(({ holdMs }) => holdMs)).toEqual([null, null]);
  });

  test("without knowing how the firmware counts nothing is written", async () => {
    const driver = await profileDriver(phoenixEvEthWallbe, new FakeUnit().set("input", 100, 65));
    await readAll(driver);
    await expect(driver.write("charger.maxCurrent", 8, calm)).rejects.toMatchObject({ kind: "rejected" });
  });
});

describe("Phoenix EM-CP", () => {
  test("reads steps of 10 W and 10 Wh, and writes once confirmed", async () => {
    const unit = new FakeUnit().set("input", 100, LETTERS.C).set("input", 120, 0xff9c, 0xffff, 0, 0, 0, 0, 0, 0);
    unit.set("input", 128, 0xe240, 0x0001).set("holding", 300, 16).set("coil", 400, 1);
    expect((await profileDriver(phoenixEmCp, unit)).controls).toEqual([]);
    const driver = await profileDriver(phoenixEmCp, unit, { confirmUnverified: true });
    expect(await readAll(driver)).toEqual({
      "charger.power": -1_000,
      "charger.energy": 1_234_560,
      "charger.maxCurrent": 16,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.enabled": true,
    });
    await driver.write("charger.maxCurrent", 10, calm);
    await driver.write("charger.enabled", false, calm);
    expect(unit.writes).toEqual([
      [300, [10], 6],
      [400, [0], 5],
    ]);
  });
});

describe("Phoenix CHARX", () => {
  function charx(base: number, state: number): FakeUnit {
    const unit = new FakeUnit();
    unit.set("holding", base + 232, 0x0003, 0x8464, 0, 0, 0, 0, 0, 16_000, 0, 0, 0, 0, 0x0038, 0x2700);
    unit.set("holding", base + 250, 0, 0, 0x0012, 0xd687).set("holding", base + 289, 0, 900);
    return unit.set("holding", base + 112, 5).set("holding", base + 299, state, 1, 16);
  }

  test.each([0, 0xffff])("no power and no current is known without a meter (%i)", async (meter) => {
    const unit = charx(1_000, 0x4332)
      .set("holding", 1_112, meter)
      .set("holding", 1_232, ...Array(14).fill(0));
    expect(await readAll(await profileDriver(phoenixCharx, unit))).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": null,
      "charger.current.l1": null,
      "charger.energy": null,
    });
  });

  test.each([
    [phoenixCharx, 1_000],
    [phoenixCharx2, 2_000],
  ] as const)("each connector has its own thousand: %#", async (profile, base) => {
    const unit = charx(base, 0x4332);
    const driver = await profileDriver(profile, unit, { confirmUnverified: true });
    expect(await readAll(driver)).toMatchObject({
      "charger.voltage.l1": 230.5,
      "charger.current.l1": 16,
      "charger.power": 3_680,
      "charger.energy": 1_234_567,
      "charger.energySession": 900,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.enabled": true,
      "charger.maxCurrent": 16,
    });
    await driver.write("charger.maxCurrent", 9, calm);
    await driver.write("charger.enabled", false, calm);
    expect(unit.writes).toEqual([
      [base + 301, [9], 16],
      [base + 300, [0], 16],
    ]);
  });

  test.each([
    [0x4131, "UNPLUGGED"],
    [0x4231, "PLUGGED_IN:STOPPED"],
    [0x4520, "PLUGGED_IN:FAULT"],
    [0x4600, "PLUGGED_IN:FAULT"],
    [0x5858, "UNKNOWN"],
  ])("the characters %i are %s", async (word, state) => {
    expect(await readAll(await profileDriver(phoenixCharx, charx(1_000, word)))).toMatchObject({
      "charger.state": state,
    });
  });
});
