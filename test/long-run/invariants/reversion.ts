/** What is known about a value that a device is held at. */
export interface HeldValue {
  /** Whether the device is away from its default. */
  readonly isForced: boolean;
  /** Monotonic ms. */
  readonly nowMs: number;
  /** Since when no gateway runs, monotonic ms; null while one does. */
  readonly deadSinceMs: number | null;
  /** How long the device keeps a value that nobody renews, and one poll, ms. */
  readonly limitMs: number;
}

/** A device whose gateway died is back at its default when its reversion time and a poll have passed. */
export function reversionBreach(deviceId: string, held: HeldValue): string | null {
  if (!held.isForced || held.deadSinceMs === null) return null;
  const deadMs = held.nowMs - held.deadSinceMs;
  return deadMs > held.limitMs ? `${deviceId} is still held ${Math.round(deadMs)} ms after the gateway died` : null;
}
