/** Findings about the installation, as the command line shows them. */

import type { Fix } from "../domain/checks/finding.ts";
import { type FindingSources, type ListedFinding, listedFindings } from "../engine/contracts/findings.ts";
import type { ControlCheck } from "./messages.ts";

/** All findings, newest first, as `/local/checks` lists them. */
export function controlChecks(sources: FindingSources, nowMs: number): ControlCheck[] {
  return listedFindings(sources).map((finding) => controlCheck(finding, nowMs));
}

function controlCheck(listed: ListedFinding, nowMs: number): ControlCheck {
  const { assetId: _, firstSeenAtMs, ...finding } = listed;
  const { id, fix, state, againstDeviceId } = finding;
  return {
    ...finding,
    fix: fix === null ? null : fixText(fix, againstDeviceId),
    ageMs: Math.max(0, nowMs - firstSeenAtMs),
    confirm: fix === null || state !== "OPEN" ? null : `/local/checks/${id}/confirm`,
    dismiss: state === "DISMISSED" ? null : `/local/checks/${id}/dismiss`,
  };
}

function fixText(fix: Fix, against: string | null): string {
  switch (fix.kind) {
    case "invert":
      return `change the sign of ${fix.points.join(", ")}`;
    case "scale":
      return `multiply ${fix.points.join(", ")} by ${fix.factor}`;
    case "phases":
      return `take L1, L2 and L3 of the device as ${fix.order.map((line) => `L${line + 1}`).join(", ")} of the house`;
    case "replace":
      return `take the device with serial ${fix.serial} in the place of the expected one, with its history`;
    case "hide":
      return `hide the ${fix.assetKind} of ${fix.deviceId}${against === null ? "" : `: ${against} shows it already`}`;
  }
}
