import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLOUD_VENDORS } from "../../adapters/clouds/cloud-vendors.generated.ts";
import { vendorOf } from "../../adapters/clouds/kit/vendor.ts";
import { PROFILE_SUMMARIES } from "../../adapters/modbus/profile/profile-summaries.generated.ts";
import { summaryOf } from "../../adapters/modbus/profile/profile-summary.ts";
import { INDEXES } from "../../scripts/summaries-text.ts";

const ROOT = new URL("../../", import.meta.url);

test.each(INDEXES)("$path is current; scripts/update-summaries.mjs writes it", async ({ path, text }) => {
  expect(readFileSync(new URL(path, ROOT), "utf8")).toBe(await text());
});

test.each(PROFILE_SUMMARIES)("the Modbus profile $id is loaded as its summary says", async (summary) => {
  const { load: _summary, ...facts } = summary;
  const { load: _profile, ...expected } = summaryOf(await summary.load());
  expect(facts).toEqual(expected);
});

test.each(CLOUD_VENDORS)("the cloud $id is loaded as its summary says", async (vendor) => {
  const { load: _vendor, ...facts } = vendor;
  const { load: _connector, ...expected } = vendorOf(await vendor.load());
  expect(facts).toEqual(expected);
});
