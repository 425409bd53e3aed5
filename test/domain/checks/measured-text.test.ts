import { describe, expect, test } from "vitest";
import {
  MEASURED_LANGUAGES,
  MEASURED_TEXTS,
  measured,
  measuredIn,
  watts,
} from "../../../src/domain/checks/measured-text.ts";

const ENGLISH = MEASURED_TEXTS["en-US"];
const KEYS = Object.keys(ENGLISH) as (keyof typeof ENGLISH)[];

function placesOf(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();
}

test("there are five languages", () => {
  expect(MEASURED_LANGUAGES).toEqual(["en-US", "de-DE", "nl-NL", "fr-FR", "sv-SE"]);
});

describe.each(Object.entries(MEASURED_TEXTS))("what was measured in %s", (code, texts) => {
  test("has every text, with the places of the English one", () => {
    expect(Object.keys(texts).toSorted()).toEqual([...KEYS].toSorted());
    for (const key of KEYS) expect([key, placesOf(texts[key])]).toEqual([key, placesOf(ENGLISH[key])]);
  });

  test("is in words of this language", () => {
    const same = code === "en-US" ? [] : KEYS.filter((key) => texts[key] === ENGLISH[key]);
    expect(same).toEqual([]);
  });
});

test("numbers are written as the language does, and clauses are in the same language", () => {
  const lines = { key: "linesTurned", values: { lines: ["L1", "L3"] } } as const;
  const { measured: english, text } = measured("balance", { before: watts(12_345), why: lines, after: watts(-812.4) });
  expect(english).toBe(
    "The household's consumption, calculated from all devices, changed by 12.3\u00a0kW in total; with L1 and L3 counted in the other direction it changes by -812\u00a0W.",
  );
  expect(measuredIn(text, "de-CH")).toBe(
    "Der Verbrauch des Haushalts, aus allen Geräten berechnet, änderte sich insgesamt um 12,3\u00a0kW; wenn L1 und L3 in der anderen Richtung zählen, ändert er sich um -812\u00a0W.",
  );
  expect(measuredIn(text, "xx")).toBe(english);
});

test("a number keeps the digits that were measured, and a value that rounds to nothing has no sign", () => {
  const energy = { amount: 0.01234, unit: "Wh", digits: 3 };
  const { text } = measured("counter", { counter: "meter.energyImport", gain: energy, spent: watts(-0.3) });
  expect(measuredIn(text, "fr-FR")).toBe(
    "meter.energyImport a augmenté de 0,0123\u00a0Wh alors que la puissance a donné 0\u00a0W.",
  );
});
