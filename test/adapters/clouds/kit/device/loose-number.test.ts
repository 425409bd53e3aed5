import { expect, test } from "vitest";
import { looseNumber } from "../../../../../adapters/clouds/kit/device/loose-number.ts";

test.each([
  [12.3, 12.3],
  [0, 0],
  ["1234(W)", 1234],
  ["-12.5 (W)", -12.5],
  ["12.3 kWh", 12.3],
  ["12.3kWh", 12.3],
  ["+7", 7],
  ["1e3", 1000],
  [" 45 % ", 45],
  ["21.5 °C", 21.5],
])("%j is %d", (value, number) => {
  expect(looseNumber(value)).toBe(number);
});

test.each([
  "",
  " ",
  "--",
  "N/A",
  "NaN",
  "Infinity",
  "1e999",
  "1,234",
  "12,5 kWh",
  "1.2.3",
  "12 34",
  "0x10",
  "kWh",
  "12:30",
  "2026-01-01",
  null,
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  [3],
  {},
  true,
])("%j is no number", (value) => {
  expect(looseNumber(value)).toBeNull();
});
