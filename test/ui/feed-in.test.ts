import { expect, test } from "vitest";
import { replacingShare, shareSetting, shareText } from "../../src/ui/app/pages/feed-in.ts";

test.each([
  [{ feedInPreset: "60%" as const }, "feedInPreset", "60 %"],
  [{ feedInShare: 0.57 }, "feedInShare", "57 %"],
  [{ feedInKw: 6 }, null, null],
  [{}, null, null],
])("A feed-in of %j is limited to a share by %s, which is %s", (connection, setting, share) => {
  expect([shareSetting(connection), shareText(connection, "de-DE")?.replace("\u202f", " ") ?? null]).toEqual([
    setting,
    share,
  ]);
});

test("A power takes the place of a share, and an empty field leaves it", () => {
  const share = { feedInPreset: "70%" } as const;
  expect(replacingShare({ feedInKw: 5, fuseA: 25 }, share)).toEqual({ feedInKw: 5, fuseA: 25, feedInPreset: null });
  expect(replacingShare({ feedInKw: null }, share)).toEqual({ feedInKw: null });
  expect(replacingShare({ fuseA: 25 }, share)).toEqual({ fuseA: 25 });
  expect(replacingShare({ feedInKw: 5 }, { feedInKw: 6 })).toEqual({ feedInKw: 5 });
});
