import { expect, test } from "vitest";
import { planReasonText } from "../../../../src/domain/energy/energy-texts.ts";

const HOUR_MS = 3_600_000;
const NOON_MS = Date.parse("2026-06-10T12:00:00Z");

test("A reason names the day of a time that is not on the day of the first one, and ends with one mark", () => {
  const spanAt = (hours: number) => ({ fromMs: NOON_MS + hours * HOUR_MS, toMs: NOON_MS + (hours + 1) * HOUR_MS });
  const reason = { code: "covers-house", priceDifference: null, alternative: null, shortKwh: null } as const;
  const textOf = (hours: readonly number[], language: string) =>
    planReasonText({ ...reason, when: hours.map(spanAt) }, { zone: "UTC", language, currency: "EUR" });
  expect(textOf([0, 24], "en-US")).toMatch(/from 12:00 to 13:00 and from Thu 12:00 to 13:00\.$/u);
  expect(textOf([0, 24], "de-DE")).toContain("von Do 12:00 bis 13:00 Uhr");
  expect(textOf([0, 2, 4, 6], "en-US")).toMatch(/, …$/u);
});
