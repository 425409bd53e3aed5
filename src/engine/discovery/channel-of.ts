type Options = Readonly<Record<string, unknown>>;

/**
 * Returns the channel that options name, 0 if they name none. Relays or meters that share an address and a serial number
 * are separate devices, one for each channel.
 */
export function channelOf(options: Options | null): number {
  const { channel, settings } = options ?? {};
  if (typeof channel === "number") return channel;
  const set = typeof settings === "object" && settings !== null && "channel" in settings ? settings.channel : null;
  return typeof set === "number" ? set : 0;
}

/** True if two options mean the same part of a device: the same channel and, if both name one, the same unit. */
export function isSamePart(one: Options | null, other: Options | null): boolean {
  const [unit, otherUnit] = [one?.["unit"], other?.["unit"]];
  const isSameUnit = unit === undefined || otherUnit === undefined || unit === otherUnit;
  return isSameUnit && channelOf(one) === channelOf(other);
}
