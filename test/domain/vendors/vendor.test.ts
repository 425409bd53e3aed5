import { expect, test } from "vitest";
import { brandFor, VENDORS, vendorFor } from "../../../src/domain/vendors/vendor.ts";

test("the first code that the category knows is shown", () => {
  expect(vendorFor("inverter", ["FRONIUS", "SUNSPEC"])).toBe("FRONIUS");
  expect(vendorFor("charger", ["KEBA", "MODBUS"])).toBe("KEBA");
});

test("a brand that the category does not know gives the protocol's generic code", () => {
  expect(vendorFor("battery", ["FRONIUS", "SUNSPEC"])).toBe("SUNSPEC");
  expect(vendorFor("meter", ["EASTRON", "MODBUS"])).toBe("MODBUS");
});

test("a code is shown as the list writes it", () => {
  expect(vendorFor("inverter", ["DEYE", "MODBUS"])).toBe("Deye");
});

test("a driver that names none is UNKNOWN", () => {
  expect(vendorFor("battery", [])).toBe("UNKNOWN");
});

test("the brand is the vendor's, else what the device calls its maker", () => {
  expect(brandFor("SOLAREDGE", "SolarEdge Technologies ")).toBe("SolarEdge");
  expect(brandFor("MODBUS", "Eastron")).toBe("Eastron");
  expect(brandFor("MODBUS", null)).toBeNull();
});

test("the lists have as many codes as the specification counts", () => {
  expect(Object.values(VENDORS).map((codes) => codes.length)).toEqual([9, 9, 20, 17, 24, 48]);
});
