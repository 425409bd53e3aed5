import { expect, it } from "vitest";
import { vendorCode } from "../../../../adapters/modbus/sunspec/vendor-code.ts";

it.each([
  ["Fronius", "FRONIUS"],
  ["SolarEdge ", "SOLAREDGE"],
  ["SMA", "SMA"],
  ["SMA Solar Technology AG", "SMA"],
  ["HUAWEI", "HUAWEI"],
  ["Enphase Energy", "ENPHASE"],
  ["FOX ESS", "FOXESS"],
  ["Sol-Ark", "SOLARK"],
  ["hoymiles", "Hoymiles"],
  ["Smappee", null],
  ["SolarEdgeish", null],
  ["KOSTAL", null],
  ["", null],
  [null, null],
])("the manufacturer %j has the vendor code %j", (manufacturer, code) => {
  expect(vendorCode(manufacturer)).toBe(code);
});
