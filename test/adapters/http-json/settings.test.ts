import { expect, test } from "vitest";
import { httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";

test.each([
  [{ maxChargeW: 1_000 }, null],
  [
    { maxCharge: 1_000 },
    {
      path: ["settings", "maxCharge"],
      message: expect.stringContaining("sonnen-v2 has no such setting; it has maxChargeW"),
      validNames: expect.arrayContaining(["maxChargeW"]),
    },
  ],
  [{ maxChargeW: -1 }, { path: ["settings", "maxChargeW"], message: expect.stringContaining("-1 is not from") }],
])("settings %j of a device are held against its profile", (settings, expected) => {
  const options = httpJsonAdapter.options.parse({ host: "a", profile: "sonnen-v2", token: "t", settings });
  const problem = httpJsonAdapter.check?.(options) ?? null;
  expect(problem).toEqual(expected);
});

test.each([
  [["battery.mode"], null],
  [
    ["battery.mode", "charger.enabled"],
    {
      path: ["confirmUnverified", 1],
      message: expect.stringContaining('"charger.enabled" is no control of sonnen-v2; possible are battery.mode'),
    },
  ],
])("controls %j that are confirmed are held against the profile", (confirmUnverified, expected) => {
  const options = httpJsonAdapter.options.parse({ host: "a", profile: "sonnen-v2", token: "t", confirmUnverified });
  const problem = httpJsonAdapter.check?.(options) ?? null;
  expect(problem).toEqual(expected);
});

test.each([
  ["sonnen-v2", {}, "token"],
  ["sonnen-v2", { password: "p" }, "token"],
  ["sonnen-v2", { token: "t" }, null],
  ["tasmota-http", {}, null],
  ["kostal-plenticore", {}, "password"],
  ["kostal-plenticore", { password: "p" }, null],
])("a device of %s with the credentials %j lacks: %s", (profile, credentials, missing) => {
  const problem =
    httpJsonAdapter.check?.(httpJsonAdapter.options.parse({ host: "a", profile, ...credentials })) ?? null;
  const expected = { path: [missing], message: `missing; a device of ${profile} needs it` };
  expect(problem).toEqual(missing === null ? null : expected);
});
