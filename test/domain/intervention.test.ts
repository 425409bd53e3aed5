import { describe, expect, test } from "vitest";
import { findIntervention, Intervention, interventionId, interventions } from "../../src/domain/intervention.ts";

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

  test("speak German", () => {
    expect(findIntervention(RELINK_EASEE, "de-DE")?.resolution.title).toBe("Easee-Konto erneut verknüpfen");
  });

  test.each(["en-GB", "fr-FR", "ja-JP", "xx-XX", "", "../etc"])("fall back to English for %j", (language) => {
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
    ]);
  });
});
