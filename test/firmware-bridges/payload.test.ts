import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, jsonOf, numberOf, PayloadError, textOf } from "../../firmware-bridges/kit/payload.ts";
import { conversionTo } from "../../firmware-bridges/kit/units.ts";
import { countedExpect } from "../counted-expect.ts";

describe("a payload", () => {
  it.each(["NaN", "nan", "unavailable", "unknown", "None", "", " "])("%j is no number that the device has", (text) => {
    expect(numberOf(text)).toBeNull();
  });

  it.each(["1e999", "Infinity", "0x10", "1,5", "12 W", "--1", "1e", "1_000"])("%j is refused as a number", (text) => {
    expect(() => numberOf(text)).toThrow(PayloadError);
  });

  it.each([
    ["a number", numberOf],
    ["JSON", jsonOf],
  ])("that is not %s is refused by what was expected, and not repeated", (expected, parse) => {
    const secret = "my-broker-password";
    expect(() => parse(secret)).toThrow(
      expect.objectContaining({ message: `expected ${expected}, but 18 other characters came` }),
    );
  });

  it("is refused when it is too large, no UTF-8, or nested too deep", () => {
    expect(() => textOf(new Uint8Array(1_100_000))).toThrow("1100000 bytes are more than");
    expect(() => textOf(new Uint8Array([0xff]))).toThrow("not UTF-8");
    expect(() => jsonOf("[".repeat(30) + "]".repeat(30))).toThrow("nested deeper");
    expect(() => jsonOf('{"a":1e999}')).toThrow("not finite");
  });

  it("gives what stands there and nothing that objects inherit", () => {
    const json = jsonOf('{"a":{"b":[1,2]},"__proto__":{"x":1}}');
    expect(at(json, "a", "b", 1)).toBe(2);
    expect(at(json, "constructor")).toBeUndefined();
    expect(at(json, "x")).toBeUndefined();
    expect(at(json, "a", 0)).toBeUndefined();
  });

  it("is a number exactly when it is one", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(numberOf(String(value))).toBe(value === 0 ? Number(String(value)) : value);
      }),
    );
  });

  it("never crashes, whatever it is", () => {
    const expectRefusal = countedExpect();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const parse of [numberOf, jsonOf]) {
          try {
            parse(textOf(bytes));
          } catch (error) {
            expectRefusal(error).toBeInstanceOf(PayloadError);
          }
        }
      }),
    );
    expectRefusal.wasCalled();
  });
});

describe("a unit", () => {
  it.each([
    ["kWh", "meter.energyImport", 1.2345, 1_234.5],
    ["kW", "meter.power", 0.3, 300],
    ["mA", "charger.current.l1", 15_990, 15.99],
    ["°F", "hvac.temperature", 68, 20],
    ["d°C", "hvac.temperature", 215, 21.5],
    ["cHz", "meter.frequency", 5_001, 50.01],
  ] as const)("%s of %s", (unit, point, given, expected) => {
    expect(conversionTo(unit, point)?.(given)).toBe(expected);
  });

  it("that measures something else, or that nobody knows, is refused", () => {
    expect(conversionTo("kWh", "meter.power")).toBeNull();
    expect(conversionTo("furlong", "meter.power")).toBeNull();
  });
});
