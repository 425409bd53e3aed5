import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KNOWN_PROFILES } from "../../adapters/modbus/profile/known-profiles.ts";
import { devicesText } from "../../scripts/devices-text.ts";

const DOCUMENT = new URL("../../docs/devices.md", import.meta.url);

test("docs/devices.md is what the profiles say; scripts/update-devices-doc.mjs writes it", () => {
  expect(readFileSync(DOCUMENT, "utf8")).toBe(devicesText());
});

test("each Modbus device says what it was tested against, and what stays when the gateway is gone", () => {
  const sections = devicesText()
    .split(/\n##+ /)
    .slice(1);
  for (const { id, controls } of KNOWN_PROFILES) {
    const section = sections.find((text) => text.includes(`Profile \`${id}\``)) ?? "";
    expect([id, section.includes("Tested against: ")]).toEqual([id, true]);
    expect([id, section.match(/Failsafe: /g)?.length ?? 0]).toEqual([id, controls.length]);
  }
});
