import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allProfiles } from "../../adapters/modbus/profile/known-profiles.ts";
import { devicesText } from "../../scripts/devices-text.ts";

const DOCUMENT = new URL("../../docs/devices.md", import.meta.url);

test("docs/devices.md is what the profiles say; scripts/update-devices-doc.mjs writes it", async () => {
  expect(readFileSync(DOCUMENT, "utf8")).toBe(await devicesText());
});

test("each Modbus device says what it was tested against, and what stays when the gateway is gone", async () => {
  const sections = (await devicesText()).split(/\n##+ /).slice(1);
  for (const { id, controls } of await allProfiles()) {
    const section = sections.find((text) => text.includes(`Profile \`${id}\``)) ?? "";
    expect([id, section.includes("Tested against: ")]).toEqual([id, true]);
    expect([id, section.match(/Failsafe: /g)?.length ?? 0]).toEqual([id, controls.length]);
  }
});
