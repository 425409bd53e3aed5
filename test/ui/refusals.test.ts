import { expect, test } from "vitest";
import { refusalText } from "../../src/ui/app/pages/refusals.ts";
import { LANGUAGES } from "../../src/ui/app/texts.ts";

const CAUSES = [
  "connection-refused",
  "no-such-host",
  "wrong-device",
  "wrong-unit",
  "not-answering",
  "name-not-found",
  "no-serial-port",
  "invalid-credentials",
];

test.each(Object.entries(LANGUAGES))(
  "In %s each cause of a device that was not added is another sentence",
  async (code, { load }) => {
    const texts = await load();
    const sentences = CAUSES.map((cause) => refusalText(cause, texts));
    expect(new Set(sentences).size).toBe(CAUSES.length);
    expect(sentences).not.toContain(null);
    if (code !== "en-GB") {
      const english = await LANGUAGES["en-GB"]?.load();
      expect(english && CAUSES.filter((cause, at) => refusalText(cause, english) === sentences[at])).toEqual([]);
    }
    expect(refusalText("invalid_type", texts)).toBeNull();
  },
);
