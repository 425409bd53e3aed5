/** Findings about the installation, as the command line shows them. */

import type { Finding, Fix } from "../domain/checks/finding.ts";
import { instant } from "../domain/fields.ts";
import type { CheckEntry, InstallationChecks } from "../engine/contracts/checks.ts";
import type { StorageLosses } from "../engine/contracts/losses.ts";
import type { ControlCheck } from "./messages.ts";

export interface CheckSources {
  readonly checks: Pick<InstallationChecks, "list">;
  readonly losses: Pick<StorageLosses, "list">;
}

/** All findings, newest first, as `/local/checks` lists them. */
export function controlChecks({ checks, losses }: CheckSources, nowMs: number): ControlCheck[] {
  return [
    ...checks.list().map((entry) => ofDevice(entry, nowMs)),
    ...losses.list().map((loss) => ofStorage(loss, nowMs)),
  ].toSorted((one, other) => other.firstSeenAt.localeCompare(one.firstSeenAt));
}

function ofDevice({ id, finding, state, firstSeenAtMs, lastSeenAtMs }: CheckEntry, nowMs: number): ControlCheck {
  const { check, deviceId, assetKind, against, measured, fix } = finding;
  return {
    id,
    check,
    deviceId,
    assetKind,
    againstDeviceId: against,
    measured,
    fix: fix === null ? null : fixText(fix, finding),
    state,
    firstSeenAt: instant(firstSeenAtMs),
    lastSeenAt: instant(lastSeenAtMs),
    ageMs: Math.max(0, nowMs - firstSeenAtMs),
    confirm: fix === null || state !== "OPEN" ? null : `/local/checks/${id}/confirm`,
    dismiss: state === "DISMISSED" ? null : `/local/checks/${id}/dismiss`,
  };
}

type Loss = ReturnType<StorageLosses["list"]>[number];

function ofStorage({ id, foundAtMs, details, state }: Loss, nowMs: number): ControlCheck {
  return {
    id,
    check: "storage",
    deviceId: null,
    assetKind: null,
    againstDeviceId: null,
    measured: details.join("; "),
    fix: null,
    state,
    firstSeenAt: instant(foundAtMs),
    lastSeenAt: instant(foundAtMs),
    ageMs: Math.max(0, nowMs - foundAtMs),
    confirm: null,
    dismiss: state === "DISMISSED" ? null : `/local/checks/${id}/dismiss`,
  };
}

function fixText(fix: Fix, { against }: Finding): string {
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
