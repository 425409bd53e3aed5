import { MINUTE_MS } from "../duration.ts";
import { checkApparentPower } from "./apparent-power.ts";
import { termsOf } from "./balance-terms.ts";
import { checkCounters } from "./counter-check.ts";
import type { Finding } from "./finding.ts";
import { checkFrozen } from "./frozen-check.ts";
import type { Source } from "./house-history.ts";
import { checkPhases, type Wiring } from "./phase-check.ts";
import { checkBalance, isPowerSure } from "./power-balance.ts";
import { checkRoles } from "./role-check.ts";
import { checkCharge, checkDirections, checkDuplicates, checkRanges } from "./steady-checks.ts";

/** The time before now that the checks look at, ms. */
export const LOOK_BACK_MS = 3 * MINUTE_MS;

/**
 * Returns what the last readings of a house contradict. `nowMs` is monotonic; `isDark` is true while the sun is down;
 * `wiring` is what the owner has declared.
 * Devices that are wrong by themselves come first: in the balance of the house another device would be blamed for them.
 */
export function checkHouse(
  sources: readonly Source[],
  nowMs: number,
  isDark = false,
  wiring?: Wiring,
): readonly Finding[] {
  const duplicates = checkDuplicates(sources);
  const single = sources.filter((source) => !duplicates.some((finding) => isAbout(finding, source)));
  const terms = termsOf(single, nowMs - LOOK_BACK_MS, nowMs);
  const own = [
    ...explained([...checkDirections(single, isDark), ...checkCharge(single)]),
    ...checkRoles(terms),
    ...checkFrozen(single),
    ...checkApparentPower(single),
  ];
  const balance = own.length === 0 ? checkBalance(terms) : [];
  const trusted = single.filter((source) => ![...own, ...balance].some((finding) => isAbout(finding, source)));
  const counters = checkCounters(trusted, (source, factor) => isPowerSure(terms, source, factor));
  return [...checkRanges(sources), ...duplicates, ...own, ...balance, ...counters, ...checkPhases(single, wiring)];
}

function isAbout({ deviceId, assetKind }: Finding, source: Source): boolean {
  return deviceId === source.deviceId && assetKind === source.kind;
}

/** Merges an inverter that only consumes and a battery with the wrong sign into one finding: their roles are exchanged. */
function explained(findings: readonly Finding[]): readonly Finding[] {
  const battery = findings.find(({ check, assetKind }) => check === "sign" && assetKind === "battery");
  const panels = findings.find(({ check, assetKind }) => check !== "scale" && assetKind === "inverter");
  if (panels === undefined || battery === undefined) return findings;
  const measured = panels.check === "role" ? panels.measured : `${panels.measured} ${battery.measured}`;
  const role = { ...panels, check: "role", against: battery.deviceId, measured, fix: null } as const;
  return [role, ...findings.filter((finding) => finding !== panels && finding !== battery)];
}
