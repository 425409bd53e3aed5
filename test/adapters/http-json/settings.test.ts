import { expect, test } from "vitest";
import { httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";

test.each([
  [{ maxChargeW: 1_000 }, null],
  [{ maxCharge: 1_000 }, /settings\.maxCharge: sonnen-v2 has no such setting; it has maxChargeW/],
  [{ maxChargeW: -1 }, /settings\.maxChargeW: -1 is not from/],
])("settings %j of a device are held against its profile", (settings, told) => {
  const options = httpJsonAdapter.options.parse({ host: "a", profile: "sonnen-v2", settings });
  const problem = httpJsonAdapter.check?.(options) ?? null;
  if (told === null) expect(problem).toBeNull();
  else expect(problem).toMatch(told);
});

test.each([
  [["battery.mode"], null],
  [["battery.mode", "charger.enabled"], /"charger\.enabled" is no control of sonnen-v2; possible are battery\.mode/],
])("controls %j that are confirmed are held against the profile", (confirmUnverified, told) => {
  const options = httpJsonAdapter.options.parse({ host: "a", profile: "sonnen-v2", confirmUnverified });
  const problem = httpJsonAdapter.check?.(options) ?? null;
  if (told === null) expect(problem).toBeNull();
  else expect(problem).toMatch(told);
});
