import { expect, test } from "vitest";
import { measured } from "../../../src/domain/checks/measured-text.ts";
import { type FindingSources, listedFindings } from "../../../src/engine/contracts/findings.ts";

const newest = { key: "backupNewest", values: { time: "2026-06-20 02:30 UTC" } } as const;
const backup = measured("backupFailed", { time: "2026-06-21 02:30 UTC", failure: "ENOSPC: no space left", newest });
const site = measured("noImportLimit", {});
const forecast = measured("forecastHigh", {
  forecast: { amount: 812.4, unit: "kWh", decimals: 0 },
  measured: { amount: 402, unit: "kWh", decimals: 0 },
  factor: { amount: 0.5, unit: "", decimals: 2 },
});
const SOURCES: FindingSources = {
  checks: { list: () => [] },
  losses: { list: () => [{ id: "loss", foundAtMs: 1, details: ["a block", "the journal"], state: "OPEN" }] },
  siteConnections: {
    notes: () => [{ id: "site-no-import-limit", text: site.measured, words: site.text, state: "OPEN", sinceMs: 2 }],
  },
  forecasts: {
    finding: () => ({
      id: "forecast-mismatch",
      ...{ text: forecast.measured, words: forecast.text, state: "OPEN", sinceMs: 3 },
    }),
  },
  backups: {
    finding: () => ({ id: "backup-schedule", text: backup.measured, words: backup.text, state: "OPEN", sinceMs: 4 }),
  },
};

test.each([
  [
    undefined,
    'The scheduled backup of 2026-06-21 02:30 UTC was not made: ENOSPC: no space left. The last one that was made is of 2026-06-20 02:30 UTC. When the cause is gone, "Back up now" under Settings, Backups makes one at once.',
    "In the last two weeks the panels produced 402 kWh where 812 kWh were forecast. The forecast is used times 0.50. Check under Settings, Solar forecast, whether peak power, tilt and direction of the panels are right. If they are, look for shade, and whether a part of the panels is off. If a limit often holds the panels back, dismiss this.",
    "The grid connection has no import limit: nothing protects its fuse. Set site.connection.fuseA, or PATCH /local/site.",
    "a block; the journal",
  ],
  [
    "sv-SE",
    "Den schemalagda säkerhetskopian 2026-06-21 02:30 UTC gjordes inte: ENOSPC: no space left. Den senaste som gjordes är från 2026-06-20 02:30 UTC. När orsaken är borta gör ”Säkerhetskopiera nu” under Inställningar, Säkerhetskopior en direkt.",
    "De senaste två veckorna gav panelerna 402 kWh, prognosen var 812 kWh. Prognosen räknas gånger 0,50. Kontrollera under Inställningar, Solprognos, om panelernas toppeffekt, lutning och riktning stämmer. Om de gör det, leta efter skugga, och om en del av panelerna är av. Om en gräns ofta håller tillbaka panelerna, avfärda det här fyndet.",
    "Nätanslutningen har ingen uttagsgräns: inget skyddar dess säkring. Ange site.connection.fuseA, eller PATCH /local/site.",
    "Sparade data var skadade (detaljer på engelska): a block; the journal",
  ],
])(
  "findings about backups, the forecast, the site and the storage are listed in the language %s",
  (language, ...texts) => {
    expect(listedFindings(SOURCES, language).map((finding) => finding.measured)).toEqual(texts);
  },
);
