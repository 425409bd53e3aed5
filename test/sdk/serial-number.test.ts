import { serialNumber } from "hemgate/sdk";
import { expect, test } from "vitest";

test.each([
  ["A2350415770", "A2350415770"],
  ["  HV2250012345 ", "HV2250012345"],
  ["9010KETU22AW1234", "9010KETU22AW1234"],
  ["1384202.0012", "1384202.0012"],
  ["b827ebaabbcc", "b827ebaabbcc"],
  ["1234567", "1234567"],
  ["10000", "10000"],
])("%j is a serial number", (told, number) => {
  expect(serialNumber(told)).toBe(number);
});

test.each([
  null,
  "",
  "   ",
  "0",
  "0000000000",
  "0000000001",
  "AA00000000",
  "AA-00000000",
  "SN000000",
  "FFFFFFFF",
  "------",
  "XXXXXXXXXX",
  "1234567890",
  "0123456789",
  "12345678",
  "unknown",
  "Not Set",
  "N\u00fcrnberg\ufffd",
  "\u0001\u0002\u0003",
])("%j is none: two devices may tell it", (told) => {
  expect(serialNumber(told)).toBeNull();
});
