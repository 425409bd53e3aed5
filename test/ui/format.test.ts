import { describe, expect, test } from "vitest";
import { age, degrees, energy, money, percent, period, power, text } from "../../src/ui/app/format.ts";

const said = (quantity: Parameters<typeof text>[0]): string => text(quantity).replaceAll("\u202f", " ");

describe("Numbers on the page", () => {
  test.each([
    [0.004, "0 W"],
    [0.02, "20 W"],
    [0.9994, "999 W"],
    [1, "1.00 kW"],
    [6.04, "6.04 kW"],
    [-3.96, "3.96 kW"],
    [11.04, "11.0 kW"],
  ])("%d kW is written as %s", (kw, expected) => {
    expect(said(power(kw, "en-GB"))).toBe(expected);
  });

  test("German numbers have a comma, and a point between thousands", () => {
    expect(said(power(6.04, "de-DE"))).toBe("6,04 kW");
    expect(said(energy(24_176.5, "de-DE"))).toBe("24.177 kWh");
  });

  test("Temperatures are written as the language does", () => {
    expect(degrees(49.1, "de-DE")).toBe("49,1\u202f°C");
  });

  test("Money has a true minus, and what rounds to nothing has none", () => {
    expect(money(-8.92, "EUR", "en-GB")).toBe("\u2212€8.92");
    expect(money(-0.001, "EUR", "en-GB")).toBe("€0.00");
    expect(money(-0.4, "JPY", "en-GB")).toBe("JP¥0");
  });

  test("Below zero there is a true minus", () => {
    expect(percent(-5, "en-GB").replaceAll("\u202f", " ")).toBe("\u22125 %");
  });

  test.each([
    ["day", "en-GB", "3 November 2026"],
    ["day", "de-DE", "3. November 2026"],
    ["month", "fr-FR", "novembre 2026"],
    ["year", "sv-SE", "2026"],
  ] as const)("A %s in %s is written as %s", (kind, locale, expected) => {
    expect(period(kind, "2026-11-03", locale)).toBe(expected);
  });

  test.each([
    [-500, "0 s"],
    [12_400, "12 s"],
    [4 * 60_000, "4 min"],
    [3 * 3_600_000, "3 h"],
    [2 * 86_400_000, "2 d"],
  ])("An age of %d ms is written as %s", (ms, expected) => {
    expect(age(ms).replaceAll("\u202f", " ")).toBe(expected);
  });
});
