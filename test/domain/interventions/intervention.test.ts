import { describe, expect, test } from "vitest";
import {
  findIntervention,
  Intervention,
  interventionId,
  interventions,
} from "../../../src/domain/interventions/intervention.ts";
import { INTERVENTION_LANGUAGES } from "../../../src/domain/language.ts";

const RELINK_EASEE = interventionId("relink", "EASEE", "charger");

describe("interventions", () => {
  test("keep their ids for good", () => {
    expect(RELINK_EASEE).toBe("bb8ca856-59ea-5216-b500-1c97106f298c");
  });

  test("are all different, valid, and found by their id", () => {
    const all = interventions(undefined);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const each of all) expect(Intervention.parse(each)).toEqual(findIntervention(each.id, "en-US"));
  });

  test("of a vendor that the catalogue does not know are the ones for any vendor", () => {
    const found = findIntervention(interventionId("relink", "NOBODY", "charger"), undefined);
    expect(found).toMatchObject({ vendor: null, vendorType: null, brand: null, resolution: { action: "Link" } });
  });

  test("to link again are a call of linking, by the user, from anywhere", () => {
    expect(findIntervention(RELINK_EASEE, "en-US")).toMatchObject({
      vendor: "EASEE",
      vendorType: "charger",
      brand: "Easee",
      domain: "Account",
      resolution: { title: "Link your Easee account again", access: "Remote", agent: "User", action: "Link" },
    });
  });

  test("are found by an id in capital letters too", () => {
    expect(findIntervention(RELINK_EASEE.toUpperCase(), undefined)?.id).toBe(RELINK_EASEE);
  });

  test.each(INTERVENTION_LANGUAGES)(
    "in %s have the Markdown, the brand and the figures of the English ones",
    (language) => {
      const shapes = interventions(language).map(shapeOf);
      expect(shapes).toEqual(interventions("en-US").map(shapeOf));
    },
  );

  test.each(INTERVENTION_LANGUAGES)("in %s leave nothing to be filled in", (language) => {
    for (const { resolution } of interventions(language)) {
      const { title, description } = resolution;
      expect(`${title}\n${description}`).not.toMatch(/null|undefined|NaN|[{}$%]| {2}|[ \t]$/m);
    }
  });

  test.each(INTERVENTION_LANGUAGES.filter((language) => !language.startsWith("en")))(
    "in %s share no title or description with the English ones",
    (language) => {
      const english = new Set(interventions("en-US").flatMap(wordsOf));
      expect(
        interventions(language)
          .flatMap(wordsOf)
          .filter((words) => english.has(words)),
      ).toEqual([]);
    },
  );

  test("tick a box in Britain and check it in America", () => {
    const id = interventionId("grant-control", "EASEE", "charger");
    expect(findIntervention(id, "en-GB")?.resolution.description).toMatch(/it ticked\.$/);
    expect(findIntervention(id, "en-US")?.resolution.description).toMatch(/it checked\.$/);
  });

  test("put a space before the Finnish hyphen after a brand of two words", () => {
    const found = findIntervention(interventionId("relink", "CHARGEAMPS", "charger"), "fi-FI");
    expect(found?.resolution.title).toBe("Yhdistä Charge Amps -tilisi uudelleen");
  });

  test.each(["en-AU", "it-IT", "xx-XX", "", "../etc"])("fall back to English for %j", (language) => {
    expect(findIntervention(RELINK_EASEE, language)?.resolution.title).toBe("Link your Easee account again");
  });

  test("are filtered by vendor and type", () => {
    const ofVendor = interventions("en-US", { vendor: "TESLA" });
    expect(new Set(ofVendor.map(({ vendorType }) => vendorType))).toEqual(
      new Set(["battery", "charger", "inverter", "meter", "vehicle"]),
    );
    const ofBoth = interventions("en-US", { vendor: "TESLA", vendorType: "vehicle" });
    expect(ofBoth.map(({ resolution }) => resolution.title)).toEqual([
      "Link your Tesla account again",
      "Allow control of your Tesla device",
      "Find out what else controls your Tesla device",
    ]);
  });
});

function wordsOf({ resolution }: Intervention): readonly string[] {
  return [resolution.title, resolution.description];
}

/** What a translation has to keep: paragraphs, numbered steps, bold words, names and numbers, and where the brand stands. */
function shapeOf({ id, brand, resolution: { title, description } }: Intervention) {
  const isBranded = (text: string) => brand !== null && text.includes(brand);
  return {
    id,
    paragraphs: description.split("\n\n").length,
    steps: description.match(/^\d\. /gm),
    bold: description.match(/\*\*[^*]+\*\*/g)?.length,
    names: ["Modbus TCP", "SunSpec", "502"].filter((name) => description.includes(name)),
    brand: [title, ...description.split("\n\n")].map(isBranded),
  };
}
