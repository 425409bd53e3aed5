/** A quantity and the most it may be. */
export interface Bound {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
}

/** Every queue is under its limit. */
export function boundBreaches(bounds: readonly Bound[]): readonly string[] {
  return bounds
    .filter(({ value, limit }) => value > limit)
    .map(({ what, value, limit }) => `${what}: ${value}, at most ${limit} allowed`);
}

/** After an orderly close a process holds nothing of the world. */
export function closedBreaches(held: {
  readonly streams: number;
  readonly listeners: number;
  readonly timers: number;
}): readonly string[] {
  return boundBreaches([
    { what: "streams open after close", value: held.streams, limit: 0 },
    { what: "listeners open after close", value: held.listeners, limit: 0 },
    { what: "timers waiting after close", value: held.timers, limit: 0 },
  ]);
}
