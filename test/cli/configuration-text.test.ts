import { expect, test } from "vitest";
import { configurationText } from "../../src/cli/configuration-text.ts";

const NONE = { revision: null, sections: [], trialRevision: null, trialSince: null, last: null };
const AT = "2026-06-21T00:00:00.000Z";

test("what a cloud service set is one line, with what became of its last word", () => {
  expect(configurationText(NONE, true)).toBeNull();
  const last = { at: AT, revision: 7, outcome: "applied", reason: null, errors: [] };
  expect(configurationText({ ...NONE, revision: 7, sections: ["site", "devices"], last }, true)).toBe(
    `revision 7 of site, devices; last: ${AT} revision 7 applied`,
  );
  const errors = [{ path: "devices[0].host", problem: "missing", expected: null }];
  const refused = { ...last, revision: 8, outcome: "refused", errors };
  const trial = { ...NONE, sections: ["pricing"], trialRevision: 9, trialSince: AT, last: refused };
  expect(configurationText(trial, true)).toBe(
    `the house's file alone; revision 9 of pricing on trial since ${AT}; last: ${AT} revision 8 refused (devices[0].host: missing)`,
  );
  expect(configurationText({ ...trial, revision: 8, last: null }, false)).toBe(
    "revision 8; revision 9 of pricing cut short in its trial, and taken back at the next start",
  );
});
