import { EARLIEST_NOW_MS } from "../platform/earliest-now.ts";
import type { ClockQuality } from "../platform/ports.ts";
import type { Readiness } from "./services.ts";

/** A loop this late does not turn any more (supplement 6.4). */
const LATE_AFTER_MS = 60_000;

export interface LoopVitals {
  readonly deviceId: string;
  readonly latenessMs: number;
}

export interface Vitals {
  readonly isStoreWritable: boolean;
  readonly isDiskShort: boolean;
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
  nowMs,
  clockQuality,
  loops,
  partsLatenessMs,
}: Vitals): Readiness {
  const failures: string[] = [];
  if (!isStoreWritable) failures.push("the database is not writable");
  if (isDiskShort) failures.push("the disk is almost full, and history is not written");
  if (clockQuality === "unset" || nowMs < EARLIEST_NOW_MS) failures.push("the clock is not set");
  for (const deviceId of stalledLoops(loops)) failures.push(`the loop of device ${deviceId} does not turn`);
  if (partsLatenessMs.some((latenessMs) => latenessMs > LATE_AFTER_MS)) failures.push("the scheduler is late");
  return { isReady: failures.length === 0, failures };
}

/** The devices whose loop does not turn any more. */
export function stalledLoops(loops: readonly LoopVitals[]): readonly string[] {
  return loops.filter(({ latenessMs }) => latenessMs > LATE_AFTER_MS).map(({ deviceId }) => deviceId);
}
