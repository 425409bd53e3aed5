import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MEASURED_TEXTS } from "../../src/domain/checks/measured-text.ts";
import { ENGLISH } from "../../src/ui/app/texts/en-us.ts";
import { LANGUAGES, languageOf } from "../../src/ui/app/texts.ts";
import { LINK_TEXTS, withoutApp } from "../../src/ui/link/link-texts.ts";

/** The paths of all texts, and how many values each takes. */
function shapeOf(texts: object, path = ""): readonly string[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const at = `${path}${key}`;
    if (typeof value === "string") return value.trim() === "" ? [`${at} is empty`] : [at];
    if (typeof value === "function") return [`${at}(${value.length})`];
    return shapeOf(value, `${at}.`);
  });
}

describe("Languages of the page", () => {
  test("There are five", () => {
    expect(Object.keys(LANGUAGES)).toEqual(["en-GB", "de-DE", "nl-NL", "fr-FR", "sv-SE"]);
  });

  test.each(Object.entries(LANGUAGES))("%s has every text, and none is empty", async (_code, { load, ...entry }) => {
    const texts = await load();
    expect(shapeOf(entry)).toEqual(["name", "broken", "again"]);
    expect(shapeOf(texts)).toEqual(shapeOf(ENGLISH));
    expect(shapeOf(texts).filter((line) => line.endsWith("is empty"))).toEqual([]);
  });

  test.each(Object.entries(LANGUAGES))(
    "In %s the warning about a meter of panels names the choices as the page does",
    async (code, { load }) => {
      const { uses } = (await load()).setup.device;
      const { sitePanels } = MEASURED_TEXTS[code === "en-GB" ? "en-US" : code]!;
      expect(sitePanels).toContain(uses.inside.split(":")[0]!.trim());
      expect(sitePanels).toContain(uses["other-panels"].split(" (")[0]!);
    },
  );

  test.each(Object.entries(LANGUAGES))(
    "In %s a device that may serve another program leads to the card about such programs",
    async (_code, { load }) => {
      const { add, settings } = await load();
      const way = [settings.title, settings.pages.connections, settings.links.modbus].join(", ");
      expect(add.refusals["not-answering"]).toContain(way);
    },
  );

  test.each(Object.entries(LINK_TEXTS))("The link page has every text in %s, and none is empty", (_code, texts) => {
    const shape = shapeOf(texts);
    expect(shape).toEqual(shapeOf(LINK_TEXTS["en-US"]));
    expect(shape.filter((line) => line.endsWith("is empty"))).toEqual([]);
    // Who comes from the gateway's own page reads of no app.
    const { intro, outage, consent, failed, closed } = withoutApp(texts);
    const own = JSON.stringify([intro, outage, consent, failed, closed.used, closed.expired, closed.leave]);
    expect(own).not.toMatch(new RegExp(`\\b${texts.anApp}\\b`, "iu"));
  });

  test("The link page is in the languages of the page", () => {
    const bases = (codes: readonly string[]): readonly string[] => codes.map((code) => code.slice(0, 2)).toSorted();
    expect(bases(Object.keys(LINK_TEXTS))).toEqual(bases(Object.keys(LANGUAGES)));
  });

  test("No text breaks before a unit, and no French one before : ; ? ! and inside « »", () => {
    const root = new URL("../../", import.meta.url).pathname;
    const files = globSync("src/**/{de-de,en-us,fr-fr,nl-nl,sv-se}.ts", { cwd: root });
    expect(files.filter((file) => file.endsWith("fr-fr.ts")).length).toBeGreaterThan(10);
    const breaking = files.flatMap((file) => {
      const source = readFileSync(`${root}${file}`, "utf8")
        .replaceAll(/\$\{[^{}]*\}/g, "1")
        .replaceAll(/ \? (?=["`])|(?<=["`]) : (?=["`])/g, ",");
      const wrong = file.endsWith("fr-fr.ts")
        ? /[^ ] [:;?!»]|« |\d (?:k?Wh?|[AV%€]|°C)(?!\w)/u
        : /\d (?:k?Wh?|[AV%€]|°C)(?!\w)/u;
      return (source.match(/"(?:[^"\\]|\\.)*"|`[^`]*`/g) ?? []).filter((text) => wrong.test(text));
    });
    expect(breaking).toEqual([]);
  });

  test("What was chosen goes before the browser, and the browser before English", () => {
    expect(languageOf("fr-FR", ["de-DE"])).toEqual({ code: "fr-FR", ...LANGUAGES["fr-FR"] });
    expect(languageOf(null, ["it-IT", "de-CH"])).toEqual({ code: "de-CH", ...LANGUAGES["de-DE"] });
    expect(languageOf(null, ["it-IT"])).toEqual({ code: "en-GB", ...LANGUAGES["en-GB"] });
  });
});
