import { describe, expect, test } from "vitest";
import { createChargerTwin } from "../../../adapters/simulated/charger-twin.ts";
import { HOUR_MS, makeHome, NIGHT_MS, steady } from "./make-home.ts";

function makeCharger({ hasCar = true } = {}) {
  const home = makeHome({ hasCar, startMs: NIGHT_MS, profile: steady(300, 0) });
  const image = createChargerTwin(home);
  return {
    home,
    image,
    read(address: number): number {
      const reply = image.readHolding(255, address, 2);
      if (reply.kind !== "values") throw new Error(`register ${address}: ${JSON.stringify(reply)}`);
      return reply.values[0]! * 0x1_0000 + reply.values[1]!;
    },
    write: (address: number, value: number) => image.writeHolding(255, address, [value], 6),
  };
}

const DONE = { kind: "values", values: [] };

test("without a car the made-up charger is not ready, and only its own end of the cable is in", () => {
  const { home, read } = makeCharger({ hasCar: false });
  home.step(60_000);
  expect([read(1000), read(1004), read(1020)]).toEqual([1, 1, 0]);
});

test("with a car the made-up charger is ready first and charges a moment later, on three phases", () => {
  const { home, read, image } = makeCharger();
  home.step(2_000);
  expect([read(1000), read(1004), read(1008)]).toEqual([2, 7, 0]);
  home.step(60_000);
  expect([read(1000), read(1008), read(1010), read(1012)]).toEqual([3, 16_000, 16_000, 16_000]);
  expect(read(1020)).toBe(Math.round(home.truth().carW * 1_000));
  // About 11 kW in mW: the high register is not zero, and comes first.
  expect(image.readHolding(255, 1020, 2)).toMatchObject({
    values: [expect.toBeOneOf([165, 166, 167, 168, 169]), expect.anything()],
  });
});

test("energy counts in tenths of a Wh, over its life and in the session", () => {
  const { home, read } = makeCharger();
  expect([read(1036), read(1502)]).toEqual([18_254_360, 0]);
  home.step(HOUR_MS / 2);
  const tenths = Math.round(home.truth().energies.car * 10);
  expect(tenths).toBeGreaterThan(50_000);
  expect([read(1036), read(1502)]).toEqual([18_254_360 + tenths, tenths]);
});

test("a current is taken in mA, shown, and followed within seconds", () => {
  const { home, read, write } = makeCharger();
  home.step(60_000);
  expect(write(5004, 10_000)).toEqual(DONE);
  home.step(5_000);
  expect([read(1100), read(1008), read(1000)]).toEqual([10_000, 10_000, 3]);
  expect(write(5004, 40_000)).toEqual(DONE);
  expect(read(1100)).toBe(32_000);
});

test("a stop and a current of 0 suspend, a start charges again", () => {
  const { home, read, write } = makeCharger();
  home.step(60_000);
  write(5014, 0);
  home.step(3_000);
  expect([read(1000), read(1020), read(1004)]).toEqual([5, 0, 7]);
  write(5014, 1);
  home.step(60_000);
  expect(read(1000)).toBe(3);
  write(5004, 0);
  home.step(3_000);
  expect([read(1000), read(1020), read(1100)]).toEqual([5, 0, 0]);
});

test("the box suspends when the session has its energy", () => {
  const { home, read, write } = makeCharger();
  expect(write(5010, 300)).toEqual(DONE);
  home.step(HOUR_MS);
  expect([read(1000), read(1502)]).toEqual([5, 30_000]);
});

describe("failsafe", () => {
  test("after the silence it falls to the failsafe current, and stays there until told otherwise", () => {
    const { home, read, write } = makeCharger();
    write(5016, 6_000);
    write(5018, 60);
    home.step(61_000);
    expect([read(1100), read(1600), read(1602)]).toEqual([6_000, 6_000, 60]);
    home.step(5_000);
    expect(read(1008)).toBe(6_000);
    write(5004, 16_000);
    home.step(5_000);
    expect(read(1008)).toBe(16_000);
  });

  test("any request feeds it", () => {
    const { home, read, write } = makeCharger();
    write(5018, 60);
    for (let round = 0; round < 5; round++) {
      home.step(59_000);
      read(1000);
    }
    expect(read(1100)).toBe(32_000);
  });

  test("a failsafe current of 0 stops, and takes both a current and an enable to undo", () => {
    const { home, read, write } = makeCharger();
    write(5018, 60);
    home.step(70_000);
    expect(read(1000)).toBe(5);
    write(5004, 16_000);
    home.step(10_000);
    expect(read(1000)).toBe(5);
    write(5014, 1);
    home.step(10_000);
    expect(read(1000)).toBe(3);
  });

  test("a box that was stopped switches itself on to its failsafe current", () => {
    const { home, read, write } = makeCharger();
    write(5014, 0);
    write(5016, 6_000);
    write(5018, 60);
    home.step(90_000);
    expect([read(1000), read(1008)]).toEqual([3, 6_000]);
  });
});

test.each([
  ["two values at once", 3, 1000, 4, 2],
  ["half a value", 3, 1000, 1, 2],
  ["the second half of a value", 3, 1001, 2, 2],
  ["an address without a value", 3, 1002, 2, 2],
  ["an input register", 4, 1000, 2, 1],
])("%s is refused by the made-up charger", (_name, table, address, count, code) => {
  const { image } = makeCharger();
  const reply = table === 3 ? image.readHolding(255, address, count) : image.readInput(255, address, count);
  expect(reply).toEqual({ kind: "exception", code });
});

test.each([
  ["less than 6 A", 5004, 5_999, 3],
  ["more than 63 A", 5004, 63_001, 3],
  ["an enable of 2", 5014, 2, 3],
  ["a failsafe of 9 s", 5018, 9, 3],
  ["a failsafe of 601 s", 5018, 601, 3],
  ["a measurement", 1008, 1, 2],
])("a write of %s is refused", (_name, address, value, code) => {
  expect(makeCharger().write(address, value)).toEqual({ kind: "exception", code });
});

test("the made-up charger takes writes with function 6 only, and another unit is silent", () => {
  const { image } = makeCharger();
  expect(image.writeHolding(255, 5004, [10_000], 16)).toEqual({ kind: "exception", code: 1 });
  expect(image.readHolding(1, 1000, 2)).toEqual({ kind: "silence" });
});
