import { expect, test } from "vitest";
import { CLOUD_VENDORS } from "../../adapters/clouds/cloud-vendors.generated.ts";
import { HTTP_VENDORS } from "../../adapters/http-json/http-json-adapter.ts";
import { KNOWN_HTTP_PROFILES } from "../../adapters/http-json/known-http-profiles.ts";
import { MODBUS_VENDORS } from "../../adapters/modbus/modbus-vendors.ts";
import { allProfiles } from "../../adapters/modbus/profile/known-profiles.ts";
import { speedwireAdapter } from "../../adapters/speedwire/speedwire-adapter.ts";
import { vendorName } from "../../src/domain/vendors/vendor.ts";

const KNOWN_PROFILES = await allProfiles();

test("each brand has one spelling in all profiles, in what people can link, and in the API", () => {
  const profiles = [...KNOWN_PROFILES, ...KNOWN_HTTP_PROFILES];
  const linkable = [...MODBUS_VENDORS, ...HTTP_VENDORS, ...CLOUD_VENDORS, ...(speedwireAdapter.linking ?? [])];
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
