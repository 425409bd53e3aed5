import { VirtualClock } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { createTwin } from "./create-twin.ts";
import { RegisterTwin } from "./register-twin.ts";
import { TWIN_IDS } from "./twin-maps.ts";
import type { TwinRegister } from "./twin-register.ts";

const TABLE: readonly TwinRegister[] = [
  { id: "power", address: 10, function: 3, type: "int32", nan: "0x80000000" },
  { id: "count", address: 12, function: 3, type: "uint16" },
  { id: "input", address: 10, function: 4, type: "uint16" },
  { id: "limit", address: 20, function: 3, type: "uint32", access: "rw", writeFunction: 16 },
  { id: "mode", address: 22, function: 3, type: "uint16", access: "rw", writeFunction: 6 },
  { id: "secret", address: 10, function: 3, type: "uint16", access: "w", writeFunction: 6 },
  { id: "coil", address: 1, function: 1, type: "bool", access: "rw", writeFunction: 5 },
];
const REFUSED = { kind: "exception", code: 2 };

function makeTwin(change: Partial<ConstructorParameters<typeof RegisterTwin>[1]> = {}) {
  const clock = new VirtualClock();
  return { clock, twin: new RegisterTwin(TABLE, { clock, ...change }) };
}

describe("a register twin", () => {
  test("answers whole blocks, and exception 2 for a hole", () => {
    const { twin } = makeTwin();
    twin.set("power", -2);
    twin.set("count", 7);
    expect(twin.readHolding(1, 10, 3)).toEqual({ kind: "values", values: [0xffff, 0xfffe, 7] });
    expect(twin.readHolding(1, 10, 4)).toEqual(REFUSED);
    expect(twin.readInput(1, 10, 1)).toEqual({ kind: "values", values: [0] });
    expect(twin.readInput(1, 12, 1)).toEqual(REFUSED);
  });

  test("is silent for other units, and where it is told so for what it does not have", () => {
    const { twin } = makeTwin({ unit: 3, outside: "silence", answerMs: 20 });
    expect(twin.readHolding(1, 10, 1)).toEqual({ kind: "silence" });
    expect(twin.readHolding(3, 99, 1)).toEqual({ kind: "silence" });
    expect(twin.readHolding(3, 12, 1)).toEqual({ kind: "values", values: [0], delayMs: 20 });
    expect(twin.requests).toBe(2);
  });

  test("takes whole values by the function that they have", () => {
    const { twin } = makeTwin();
    expect(twin.writeHolding(1, 20, [1, 2, 3], 16).kind).toBe("values");
    expect([twin.value("limit"), twin.value("mode")]).toEqual([0x1_0002, 3]);
    expect(twin.writeHolding(1, 20, [1], 6)).toEqual(REFUSED);
    expect(twin.writeHolding(1, 20, [1], 16)).toEqual(REFUSED);
    expect(twin.writeHolding(1, 12, [1], 6)).toEqual(REFUSED);
    expect(twin.writeHolding(1, 22, [5], 6).kind).toBe("values");
    expect(twin.writeCoil(1, 1, true).kind).toBe("values");
    expect(twin.readCoils(1, 1, 1)).toEqual({ kind: "values", values: [1] });
    expect(twin.writes.map(({ id, words }) => [id, words])).toEqual([
      ["limit", [1, 2]],
      ["mode", [3]],
      ["mode", [5]],
      ["coil", [1]],
    ]);
  });

  test("keeps what is only written apart from what is read at the same address", () => {
    const { twin } = makeTwin();
    twin.set("power", 9);
    twin.writeHolding(1, 10, [4], 6);
    expect([twin.value("power"), twin.value("secret")]).toEqual([9, 4]);
  });

  test("says no value, refuses a register, and sleeps in either way", () => {
    const { twin } = makeTwin();
    expect([twin.setNothing("power"), twin.setNothing("count")]).toEqual([true, false]);
    expect(twin.value("power")).toBeNull();
    twin.refuse("count");
    expect(twin.readHolding(1, 12, 1)).toEqual(REFUSED);
    twin.accept("count");
    twin.set("count", 5);
    twin.sleep("no-values");
    expect(twin.readHolding(1, 10, 3)).toEqual({ kind: "values", values: [0x8000, 0, 0] });
    twin.sleep("silent");
    expect(twin.readHolding(1, 10, 3)).toEqual({ kind: "silence" });
    twin.wake();
    expect(twin.readHolding(1, 12, 1)).toEqual({ kind: "values", values: [5] });
  });

  test("counts what wears its memory for nothing", () => {
    const { twin } = makeTwin({ behaviour: { stored: ["mode"] } });
    for (const value of [1, 1, 2, 2]) twin.writeHolding(1, 22, [value], 6);
    twin.writeHolding(1, 20, [0, 0], 16);
    expect(twin.wear.map(({ words }) => words)).toEqual([[1], [2]]);
  });

  test("falls back when nobody feeds it", async () => {
    const reversion = {
      fedBy: ["mode"],
      afterMs: () => 1_000,
      fallBack: (twin: { set(id: string, value: number): void }) => twin.set("mode", 0),
    };
    const { twin, clock } = makeTwin({ behaviour: { reversion } });
    twin.writeHolding(1, 22, [1], 6);
    await clock.advance(900);
    twin.writeHolding(1, 22, [1], 6);
    await clock.advance(900);
    expect([twin.value("mode"), twin.isFed("mode")]).toEqual([1, true]);
    await clock.advance(100);
    expect([twin.value("mode"), twin.isFed("mode")]).toEqual([0, false]);
  });
});

describe("the twin of", () => {
  test.each(TWIN_IDS)("%s is made from its table", async (id) => {
    const twin = await createTwin(id, { clock: new VirtualClock() });
    expect(twin.registers.length).toBeGreaterThan(0);
    const { battery, charger } = twin.effect;
    expect(battery?.does ?? "own-control").toBe("own-control");
    expect(charger?.isAllowed ?? true).toBe(true);
  });

  test("every control register names its function, and only those", async () => {
    for (const id of TWIN_IDS) {
      const { registers } = await createTwin(id, { clock: new VirtualClock() });
      for (const { id: name, access, writeFunction } of registers) {
        expect(access !== undefined && access !== "r", `${id} ${name}`).toBe(writeFunction !== undefined);
      }
    }
  });

  test("a KEBA that nobody asks falls to its failsafe current, and measures it", async () => {
    const clock = new VirtualClock();
    const twin = await createTwin("keba-p30-p40", { clock });
    expect(twin.value("charger.power")).toBeCloseTo(3 * 230 * 16, 6);
    twin.writeHolding(255, 5018, [10], 6);
    twin.writeHolding(255, 5016, [0], 6);
    await clock.advance(9_000);
    expect(twin.readHolding(255, 1100, 2)).toEqual({ kind: "values", values: [0, 16_000] });
    await clock.advance(9_000);
    expect(twin.effect.charger).toMatchObject({ isAllowed: true, limitA: 16 });
    await clock.advance(1_000);
    expect(twin.effect.charger).toMatchObject({ isAllowed: false, limitA: 0 });
    expect([twin.value("charger.power"), twin.value("charger.state")]).toEqual([0, 5]);
    expect(twin.readHolding(255, 1000, 4)).toEqual(REFUSED);
  });

  test("a LUNA that is told to charge charges for the minutes it was told", async () => {
    const clock = new VirtualClock();
    const twin = await createTwin("huawei-sun2000-luna", { clock });
    twin.writeHolding(1, 47247, [0, 2_500], 16);
    twin.writeHolding(1, 47083, [2], 6);
    twin.writeHolding(1, 47100, [1], 6);
    expect([twin.effect.battery, twin.value("battery.power")]).toEqual([{ does: "charge", askedW: 2_500 }, 2_500]);
    await clock.advance(120_000);
    expect(twin.effect.battery?.does).toBe("own-control");
    expect(twin.value("battery.power")).toBeLessThan(0);
  });
});
