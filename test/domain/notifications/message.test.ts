import { describe, expect, test } from "vitest";
import type { ConditionFacts } from "../../../src/domain/notifications/condition.ts";
import {
  composeMessage,
  MOST_ITEMS,
  NOTIFICATION_LANGUAGES,
  type NotificationLanguage,
  testMessage,
} from "../../../src/domain/notifications/message.ts";

const NOW = Date.parse("2026-03-03T13:30:00Z");
const SILENT: ConditionFacts = {
  kind: "device-silent",
  deviceId: "heat",
  device: "Wärmepumpe",
  lastSeenMs: Date.parse("2026-03-03T13:05:00Z"),
};
const ALL: readonly ConditionFacts[] = [
  SILENT,
  { kind: "grid-limit", direction: "import", scope: "controllable", watts: 4_200 },
  { kind: "grid-limit", direction: "export", scope: "connection", watts: 0 },
  { kind: "target-missed", assetId: "a", device: "Zoe", atMs: Date.parse("2026-03-04T06:00:00Z"), shortKwh: 12.34 },
  { kind: "finding", findingId: "f", deviceId: "meter", device: "Netzzähler", check: "sign" },
  { kind: "backup-failed" },
  { kind: "update-available", version: "1.1.0", isAutomatic: false },
  { kind: "update-rolled-back", version: "1.1.0" },
];

function styleOf(language: NotificationLanguage, house = "Birkenweg 3") {
  return { language, house, zone: "Europe/Berlin", nowMs: NOW };
}

describe("a message", () => {
  test.each([
    ["en", "Birkenweg 3: Wärmepumpe does not answer", "It last answered at 14:05."],
    ["de", "Birkenweg 3: Wärmepumpe antwortet nicht", "Die letzte Antwort kam um 14:05 Uhr."],
    ["nl", "Birkenweg 3: Wärmepumpe antwoordt niet", "Het laatste antwoord kwam om 14:05."],
    ["fr", "Birkenweg 3: Wärmepumpe ne répond pas", "Il a répondu pour la dernière fois à 14:05."],
    ["sv", "Birkenweg 3: Wärmepumpe svarar inte", "Det senaste svaret kom kl. 14:05."],
  ] as const)("in %s names the house, the device and the time of the house", (language, title, text) => {
    const message = composeMessage([{ facts: SILENT, isOver: false }], styleOf(language));
    expect(message.title).toBe(title);
    expect(message.text).toContain(text);
  });

  test("names the day of another day, and figures as the language writes them", () => {
    const facts = ALL[3];
    if (facts === undefined) throw new Error("no facts");
    const of = (language: NotificationLanguage) =>
      composeMessage([{ facts, isOver: false }], styleOf(language)).text.split(". ")[0];
    expect(of("en")).toBe("12.3\u00a0kWh will be missing on Wednesday 4 March at 07:00");
    expect(of("fr")).toBe("Il manquera 12,3\u00a0kWh le mercredi 4 mars à 07:00");
    expect(composeMessage([{ facts, isOver: false }], styleOf("de")).text).toContain(
      "Es werden am Mittwoch, 4. März um 07:00 Uhr 12,3\u00a0kWh fehlen.",
    );
  });

  test.each(NOTIFICATION_LANGUAGES)("in %s has its own words for everything that begins and is over", (language) => {
    const texts = ALL.flatMap((facts) =>
      // A version that is installed is no message.
      (facts.kind.startsWith("update-") ? [false] : [false, true]).map((isOver) =>
        composeMessage([{ facts, isOver }], styleOf(language)),
      ),
    );
    const all = [...texts, testMessage(styleOf(language))];
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
    for (const { title, text } of all) {
      expect(`${title} ${text}`).not.toMatch(/undefined|null|NaN|\$\{/);
      expect(text.length).toBeGreaterThan(10);
      if (language === "en") continue;
      const english = styleOf("en");
      for (const facts of ALL) {
        const other = composeMessage([{ facts, isOver: false }], english);
        expect(title).not.toBe(other.title);
        expect(text).not.toBe(other.text);
      }
    }
  });

  test("about many things fits into the 4,096 bytes of ntfy and counts what it leaves out", () => {
    const items = Array.from({ length: 200 }, (_unused, at) => ({
      facts: { ...SILENT, device: `Wärmepumpe ${at} im ${"Ä".repeat(200)}` },
      isOver: false,
    }));
    for (const language of NOTIFICATION_LANGUAGES) {
      const { title, text } = composeMessage(items, styleOf(language));
      expect(title).toContain("200");
      expect(text).toContain(String(200 - MOST_ITEMS));
      expect(Buffer.byteLength(text)).toBeLessThan(4_096);
    }
  });

  test("takes no line break from a name, which could become a header or a line of its own", () => {
    const facts = { ...SILENT, device: "Heat\r\nBcc: all@example.com\u2028pump" };
    const { title } = composeMessage([{ facts, isOver: false }], styleOf("en", "Home\nSubject: other"));
    expect(title).toBe("Home Subject: other: Heat Bcc: all@example.com pump does not answer");
  });
});
