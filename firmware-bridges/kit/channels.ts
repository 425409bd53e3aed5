import type { Sighting } from "./bridge.ts";

/** A device of which one announcement has several relays or meters: each is a separate device, the first without a number. */
export function eachChannel(first: Sighting, channels: readonly number[]): readonly Sighting[] {
  const more = [...new Set(channels)].filter((channel) => channel > 0).toSorted((a, b) => a - b);
  return [
    first,
    ...more.map((channel) => ({
      ...first,
      key: `${first.key}#${channel}`,
      options: { ...first.options, channel },
    })),
  ];
}
