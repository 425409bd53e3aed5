import { EARLIEST_NOW_MS } from "../platform/earliest-now.ts";
import type { ClockQuality } from "../platform/ports/ports.ts";
import type { LossRecord } from "../store/records/loss.ts";
import type { Readiness } from "./contracts/engine.ts";

/** A loop this late does not turn any more (rule S6.4). */
const LATE_AFTER_MS = 60_000;

export interface LoopVitals {
  readonly deviceId: string;
  readonly latenessMs: number;
}

export interface Vitals {
  readonly isStoreWritable: boolean;
  readonly isDiskShort: boolean;
  /** The second copy of the settings is not written. */
  readonly isCopyFailing: boolean;
  /** Losses of stored data that nobody has acknowledged. */
  readonly losses: readonly LossRecord[];
  readonly nowMs: number;
  readonly clockQuality: ClockQuality;
  readonly loops: readonly LoopVitals[];
  /** How late each part is that decides about control: schedules, smart charging, ms. */
  readonly partsLatenessMs: readonly number[];
}

/** Whether all is nominal. A device that does not answer is not our failure. */
export function readinessOf({
  isStoreWritable,
  isDiskShort,
  isCopyFailing,
  losses,
  nowMs,
  clockQuality,
  loops,
  partsLatenessMs,
}: Vitals): Readiness {
  const failures: string[] = [];
  if (!isStoreWritable) failures.push("the database is not writable");
  if (isDiskShort) failures.push("the disk is almost full, and history is not written");
  if (isCopyFailing) failures.push("the second copy of the settings cannot be written");
  if (losses.length > 0) failures.push(lossText(losses));
  if (clockQuality === "unset" || nowMs < EARLIEST_NOW_MS) failures.push("the clock is not set");
  for (const deviceId of stalledLoops(loops)) failures.push(`the loop of device ${deviceId} does not turn`);
  if (partsLatenessMs.some((latenessMs) => latenessMs > LATE_AFTER_MS)) failures.push("the scheduler is late");
  return { isReady: failures.length === 0, failures };
}

function lossText(losses: readonly LossRecord[]): string {
  const since = new Date(Math.min(...losses.map(({ foundAtMs }) => foundAtMs))).toISOString();
  return `stored data were found damaged at ${since}: GET /local/checks says what, dismissing it there acknowledges it`;
}

/** The devices whose loop does not turn any more. */
export function stalledLoops(loops: readonly LoopVitals[]): readonly string[] {
  return loops.filter(({ latenessMs }) => latenessMs > LATE_AFTER_MS).map(({ deviceId }) => deviceId);
}
