/** A write as a device received it. */
export interface ReceivedWrite {
  readonly deviceId: string;
  /** Monotonic ms. */
  readonly atMs: number;
  readonly address: number;
  readonly values: readonly number[];
}

/** Why somebody may want a device written, at the moment it was. */
export interface Wishes {
  /** Monotonic ms at which each device last had a pending action; absent: never. */
  readonly lastPendingMs: ReadonlyMap<string, number>;
  /** Devices whose values the gateway holds and renews. */
  readonly leased: ReadonlySet<string>;
  /** Whether the gateway is closing, and leaves devices at their safe defaults. */
  readonly isClosing: boolean;
  /** Whether a gateway runs. */
  readonly isAlive: boolean;
  /** A write may be under way so long after its reason ended, ms. */
  readonly slackMs: number;
}

/** No device is written unless an action is pending, a value is held, or an orderly stop takes values back. */
export function writeBreach(write: ReceivedWrite, wishes: Wishes): string | null {
  const what = `${write.deviceId} was written at register ${write.address}: ${write.values.join(",")}`;
  if (!wishes.isAlive) return `${what}, with no gateway running`;
  if (wishes.isClosing || wishes.leased.has(write.deviceId)) return null;
  const lastPendingMs = wishes.lastPendingMs.get(write.deviceId) ?? Number.NEGATIVE_INFINITY;
  return write.atMs - lastPendingMs <= wishes.slackMs ? null : `${what}, and nobody wanted it`;
}
