import { expect, test } from "vitest";
import { CONNECTORS } from "../../adapters/clouds/connectors.ts";
import { HTTP_VENDORS } from "../../adapters/http-json/http-linking.ts";
import { KNOWN_HTTP_PROFILES } from "../../adapters/http-json/known-http-profiles.ts";
import { MODBUS_VENDORS } from "../../adapters/modbus/modbus-linking.ts";
import { KNOWN_PROFILES } from "../../adapters/modbus/profile/known-profiles.ts";
import { speedwireAdapter } from "../../adapters/speedwire/speedwire-adapter.ts";
import { vendorName } from "../../src/domain/vendors/vendor.ts";

test("each brand has one spelling in all profiles, in what people can link, and in the API", () => {
  const profiles = [...KNOWN_PROFILES, ...KNOWN_HTTP_PROFILES];
  const linkable = [...MODBUS_VENDORS, ...HTTP_VENDORS, ...CONNECTORS, ...(speedwireAdapter.linking ?? [])];
  const codes = [...profiles, ...linkable].flatMap(({ vendors }) => vendors);
  const names = new Set([
    ...profiles.map(({ brand }) => brand),
    ...linkable.map(({ displayName }) => displayName),
    ...codes.map((code) => vendorName(code)),
  ]);
  // A code of the interface that no brand stands for is no name.
  for (const code of codes) if (vendorName(code) === code) names.delete(code);
  for (const { brand } of profiles) names.add(brand);
  expect(names.size).toBeGreaterThan(50);
  const spellings = Map.groupBy(names, (name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
  expect([...spellings.values()].filter((each) => each.length > 1)).toEqual([]);
});
