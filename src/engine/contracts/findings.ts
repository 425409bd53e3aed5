import type { AssetKind } from "../../domain/assets/asset.ts";
import type { CheckKind, Fix } from "../../domain/checks/finding.ts";
import { measuredIn } from "../../domain/checks/measured-text.ts";
import { instant } from "../../domain/fields.ts";
import type { LossRecord } from "../../store/records/loss.ts";
import type { BackupFinding, BackupFindings } from "./backup.ts";
import type { CheckEntry, InstallationChecks } from "./checks.ts";
import type { SiteConnections, SiteNote } from "./energy/energy.ts";
import type { ForecastFinding, Forecasts } from "./energy/forecast.ts";
import type { StorageLosses } from "./losses.ts";

/** A finding about the installation, a `storage` loss, a note about the `site`, the `forecast` or the `backup`s, as the API and the command line list it. */
export interface ListedFinding {
  readonly id: string;
  readonly check: CheckKind | "storage" | "site" | "forecast" | "backup";
  /** As the configuration names it; `null` for `storage`, `site`, `forecast` and `backup`. */
  readonly deviceId: string | null;
  readonly assetKind: AssetKind | null;
  readonly assetId: string | null;
  readonly againstDeviceId: string | null;
  readonly measured: string;
  readonly fix: Fix | null;
  readonly state: CheckEntry["state"];
  /** Wall-clock ms. */
  readonly firstSeenAtMs: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

/** The services that `listedFindings` reads. */
export interface FindingSources {
  readonly checks: Pick<InstallationChecks, "list">;
  readonly losses: Pick<StorageLosses, "list">;
  readonly siteConnections: Pick<SiteConnections, "notes">;
  readonly forecasts: Pick<Forecasts, "finding">;
  /** `null` where no backups are made. */
  readonly backups: Pick<BackupFindings, "finding"> | null;
}

/** Lists all findings, newest first; what was measured in a language that there is, else in English. */
export function listedFindings(sources: FindingSources, language?: string): readonly ListedFinding[] {
  const { checks, losses, siteConnections, forecasts, backups } = sources;
  const all = [
    ...checks.list().map((entry) => listedCheck(entry, language)),
    ...losses.list().map((loss) => listedLoss(loss, language)),
    ...[...siteConnections.notes(), forecasts.finding(), backups?.finding() ?? null].flatMap((note) =>
      note === null ? [] : [listedNote(note, language)],
    ),
  ];
  return all.toSorted((one, other) => other.firstSeenAt.localeCompare(one.firstSeenAt));
}

/** Returns a finding of the installation checks in its listed form. */
export function listedCheck(entry: CheckEntry, language?: string): ListedFinding {
  const { id, finding, assetId, state, firstSeenAtMs, lastSeenAtMs } = entry;
  const { check, deviceId, assetKind, against, text, fix } = finding;
  const measured = text === undefined || language === undefined ? finding.measured : measuredIn(text, language);
  const dates = { firstSeenAtMs, firstSeenAt: instant(firstSeenAtMs), lastSeenAt: instant(lastSeenAtMs) };
  return { id, check, deviceId, assetKind, assetId, againstDeviceId: against, measured, fix, state, ...dates };
}

/** Returns a storage loss in its listed form. */
export function listedLoss({ id, foundAtMs, details, state }: LossRecord, language = "en-US"): ListedFinding {
  return {
    id,
    check: "storage",
    deviceId: null,
    assetKind: null,
    assetId: null,
    againstDeviceId: null,
    measured: measuredIn({ key: "storage", values: { details: details.join("; ") } }, language),
    fix: null,
    state,
    firstSeenAtMs: foundAtMs,
    firstSeenAt: instant(foundAtMs),
    lastSeenAt: instant(foundAtMs),
  };
}

const CHECK_OF_NOTE = {
  "site-no-import-limit": "site",
  "site-no-grid-meter": "site",
  "forecast-mismatch": "forecast",
  "backup-schedule": "backup",
} as const;

/** Returns a note about the connection to the grid, the forecast or the scheduled backups, in its listed form. */
export function listedNote(
  { id, words, state, sinceMs }: SiteNote | ForecastFinding | BackupFinding,
  language = "en-US",
): ListedFinding {
  return {
    id,
    check: CHECK_OF_NOTE[id],
    deviceId: null,
    assetKind: null,
    assetId: null,
    againstDeviceId: null,
    measured: measuredIn(words, language),
    fix: null,
    state,
    firstSeenAtMs: sinceMs,
    firstSeenAt: instant(sinceMs),
    lastSeenAt: instant(sinceMs),
  };
}
