import { describe, expect, test } from "vitest";
import { ApiError, PageError } from "../../src/ui/app/api.ts";
import { errorText, waitText } from "../../src/ui/app/error-text.ts";
import { LANGUAGES } from "../../src/ui/app/texts.ts";

const STATUSES = [0, 400, 403, 404, 405, 408, 409, 413, 415, 422, 429, 500, 503];
const DETAIL = "The detail of the gateway.";

describe("What the page says of an error", () => {
  test.each(Object.entries(LANGUAGES))("In %s each answer has a sentence before the detail", async (code, { load }) => {
    const texts = await load();
    const { ENGLISH } = await import("../../src/ui/app/texts/en-us.ts");
    for (const status of STATUSES) {
      const said = errorText(new ApiError(status, DETAIL), texts);
      expect(said.startsWith(DETAIL)).toBe(false);
      expect(said === errorText(new ApiError(status, DETAIL), ENGLISH)).toBe(code === "en-GB");
    }
  });

  test("The sentence of a click takes the place of the usual one, and the detail of a fault follows the usual one", async () => {
    const texts = await (LANGUAGES["de-DE"]?.load() ?? Promise.reject(new Error("no German")));
    const conflict = new ApiError(409, DETAIL);
    expect(errorText(conflict, texts, { 409: texts.errors.lastOwner })).toBe(texts.errors.lastOwner);
    const issues = [{ path: ["name"], code: "too_small", message: "Required" }];
    expect(errorText(new ApiError(400, DETAIL, issues), texts)).toBe(
      `Das Gateway nimmt das so nicht an. ${DETAIL} name: zu klein oder zu kurz (Required).`,
    );
    const custom = [{ path: ["circuits", 0], code: "custom", message: "Twice" }];
    expect(errorText(new ApiError(400, DETAIL, custom), texts)).toContain("circuits.0: nicht gültig (Twice).");
    expect(errorText(new PageError("Die Batterie hat es nicht getan."), texts)).toBe(
      "Die Batterie hat es nicht getan.",
    );
    expect([waitText(null, texts), waitText(conflict, texts)]).toEqual([
      texts.loading,
      `Das geht gerade nicht. ${DETAIL}`,
    ]);
  });
});
