import { expect, it } from "vitest";
import { vendorNames } from "../../../../adapters/modbus/sunspec/vendor-names.ts";
import { vendorFor } from "../../../../src/domain/vendors/vendor.ts";

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
  ["Smappee", "SUNSPEC"],
  ["SolarEdgeish", "SUNSPEC"],
  ["KOSTAL", "SUNSPEC"],
  ["", "SUNSPEC"],
  [null, "SUNSPEC"],
])("an inverter of the manufacturer %j is shown as %j", (manufacturer, code) => {
  expect(vendorFor("inverter", [...vendorNames(manufacturer), "SUNSPEC"])).toBe(code);
});
