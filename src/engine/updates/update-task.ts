/** What goes on, or was done last, about updates, from what the program that updates the package reports. */
import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { UpdateReport } from "../../domain/updates/update-report.ts";
import type { UpdateTaskRecord } from "../../store/records/updates.ts";
import type { UpdateTask } from "../contracts/updates.ts";

/** A slow line fetches a package within this. */
const ANSWER_LIMIT_MS = 30 * MINUTE_MS;
/** Longer than a new version is given to become ready. */
const INSTALL_LIMIT_MS = 2 * HOUR_MS;
const NO_ANSWER =
  "the program that updates the package has not reported; `systemctl status hemgate-update-request.path hemgate-update` says whether it runs, and `sudo hemgate update status` how far it is";

/** Returns the record of a task that begins. */
export function begunTask(kind: UpdateTask["kind"], isScheduled: boolean, nowMs: number): UpdateTaskRecord {
  const unknown = { from: null, to: null, endedAtMs: null, outcome: null, reason: null };
  return { kind, isScheduled, isPrepared: false, beganAtMs: nowMs, ...unknown };
}

/** Returns the task after a report; `null` if the report is not about it. */
export function taskAfter(task: UpdateTaskRecord | null, how: UpdateReport, nowMs: number): UpdateTaskRecord | null {
  const open = task?.endedAtMs === null ? task : null;
  const {
    outcome,
    from = null,
    to = null,
    reason = null,
  } = { from: undefined, to: undefined, reason: undefined, ...how };
  switch (outcome) {
    case "prepared":
      return { ...(open ?? begunTask("install", false, nowMs)), kind: "install", isPrepared: true, from, to };
    case "kept":
    case "rolled-back": {
      const update = open ?? begunTask("install", false, nowMs);
      return { ...update, kind: "install", isPrepared: true, from, to, endedAtMs: nowMs, outcome, reason };
    }
    default:
      // An update that is already made has another end.
      if (open === null || open.isPrepared) return null;
      return { ...open, from, to, endedAtMs: nowMs, outcome, reason };
  }
}

/** Returns a task as it is now. One that nobody reports about for too long has failed. */
export function taskAt(record: UpdateTaskRecord, version: string | undefined, nowMs: number): UpdateTask {
  const { isPrepared, ...task } = record;
  const isInstalled = isPrepared && (record.outcome === "kept" || (record.endedAtMs === null && record.to === version));
  const step = isInstalled ? "installed" : isPrepared ? "prepared" : "requested";
  const limitMs = isPrepared ? INSTALL_LIMIT_MS : ANSWER_LIMIT_MS;
  if (record.endedAtMs !== null || nowMs < record.beganAtMs + limitMs) return { ...task, step };
  return { ...task, step, endedAtMs: record.beganAtMs + limitMs, outcome: "failed", reason: NO_ANSWER };
}
