import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { CostSum, CostText, costOf, money, moneyNumber, moneyText, sum, ZERO } from "../../src/domain/money.ts";

describe("the text of a cost", () => {
  it.each(["12.", ".5", "-0.03", "+0.28", "0", "999999999.999999999", "1"])("may be %s", (text) => {
    expect(CostText.safeParse(text).success).toBe(true);
  });

  it.each(["", ".", "-", "-.", "1e3", "1,5", "0x1", " 1", "1 ", "1234567890", "0.1234567890", "NaN", "--1", "1.2.3"])(
    "is not %j",
    (text) => {
      expect(CostText.safeParse(text).success).toBe(false);
    },
  );

  it("is read and written without loss", () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,8}$/);
    const places = fc.stringMatching(/^\d{0,8}[1-9]$/);
    fc.assert(
      fc.property(fc.constantFrom("", "-"), digits, places, (sign, whole, part) => {
        const text = `${sign}${whole}.${part}`;
        expect(CostText.safeParse(text).success).toBe(true);
        expect(moneyText(money(text))).toBe(text);
      }),
    );
  });
});

describe("money", () => {
  it.each([
    ["12.", "12"],
    [".5", "0.5"],
    ["+1.50", "1.5"],
    ["-0.000", "0"],
    ["0.000000001", "0.000000001"],
  ])("of %s is written %s", (text, plain) => {
    expect(moneyText(money(text))).toBe(plain);
  });

  it("of an energy has no floating error", () => {
    expect(moneyText(costOf("0.1", 0.2))).toBe("0.02");
    expect(moneyText(costOf("0.28", 3e-7))).toBe("0.000000084");
    expect(moneyText(sum(Array.from({ length: 10 }, () => costOf("0.1", 1))))).toBe("1");
    expect(moneyText(sum([]))).toBe(moneyText(ZERO));
  });

  it("sums to the same in any order", () => {
    const amount = fc.tuple(
      fc.integer({ min: -999_999_999, max: 999_999_999 }),
      fc.double({ min: 0, max: 1e5, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 200 }), (pairs) => {
        const amounts = pairs.map(([price, kwh]) => costOf(String(price), kwh));
        expect(moneyText(sum(amounts))).toBe(moneyText(sum(amounts.toReversed())));
      }),
    );
  });

  it("is shown as a number of 9 places, and never as minus zero", () => {
    expect(moneyNumber(money("0.1").plus(money("0.2")))).toBe(0.3);
    expect(moneyNumber(money("1").div(money("3")))).toBe(0.333333333);
    expect(Object.is(moneyNumber(money("-0.0000000001")), 0)).toBe(true);
  });
});

test("a sum of costs is exact, whatever the form of the prices", () => {
  const price = fc.oneof(
    fc.stringMatching(/^[+-]?\d{1,9}\.\d{0,9}$/),
    fc.stringMatching(/^-?\.\d{1,25}$/),
    // A price of less than a millionth of a millionth is a rounding error.
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -10, max: 10 })
      .map((cost) => String(Math.abs(cost) < 1e-12 ? 0 : cost)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(price, fc.integer({ min: 0, max: 1e12 })), { maxLength: 20 }), (parts) => {
      const total = new CostSum();
      for (const [cost, mwh] of parts) total.add(cost, mwh);
      expect(total.total().toFixed()).toBe(sum(parts.map(([cost, mwh]) => costOf(cost, mwh / 1e6))).toFixed());
    }),
  );
  expect(() => new CostSum().add("much", 1)).toThrow();
});
