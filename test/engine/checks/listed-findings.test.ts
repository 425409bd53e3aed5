import { expect, test } from "vitest";
import { measured } from "../../../src/domain/checks/measured-text.ts";
import { type FindingSources, listedFindings } from "../../../src/engine/contracts/findings.ts";

const newest = { key: "backupNewest", values: { time: "2026-06-20 02:30 UTC" } } as const;
const backup = measured("backupFailed", { time: "2026-06-21 02:30 UTC", failure: "ENOSPC: no space left", newest });
const site = measured("noImportLimit", {});
const SOURCES: FindingSources = {
  checks: { list: () => [] },
  losses: { list: () => [{ id: "loss", foundAtMs: 1, details: ["a block", "the journal"], state: "OPEN" }] },
  siteConnections: {
    notes: () => [{ id: "site-no-import-limit", text: site.measured, words: site.text, state: "OPEN", sinceMs: 2 }],
  },
  backups: {
    finding: () => ({ id: "backup-schedule", text: backup.measured, words: backup.text, state: "OPEN", sinceMs: 3 }),
  },
};

test.each([
  [
    undefined,
    'The scheduled backup of 2026-06-21 02:30 UTC was not made: ENOSPC: no space left. The last one that was made is of 2026-06-20 02:30 UTC. When the cause is gone, "Back up now" under Settings, Backups makes one at once.',
    "The grid connection has no import limit: nothing protects its fuse. Set site.connection.fuseA, or PATCH /local/site.",
    "a block; the journal",
  ],
  [
    "sv-SE",
    "Den schemalagda säkerhetskopian 2026-06-21 02:30 UTC gjordes inte: ENOSPC: no space left. Den senaste som gjordes är från 2026-06-20 02:30 UTC. När orsaken är borta gör ”Säkerhetskopiera nu” under Inställningar, Säkerhetskopior en direkt.",
    "Nätanslutningen har ingen uttagsgräns: inget skyddar dess säkring. Ange site.connection.fuseA, eller PATCH /local/site.",
    "Sparade data var skadade (detaljer på engelska): a block; the journal",
  ],
])("findings about backups, the site and the storage are listed in the language %s", (language, ...texts) => {
  expect(listedFindings(SOURCES, language).map((finding) => finding.measured)).toEqual(texts);
});
