type Options = Readonly<Record<string, unknown>>;

/**
 * Which of several relays or meters of one device the options mean, whatever its adapter calls that; 0 where they do not
 * say. They share an address and a serial number, and each is a device of its own.
 */
export function channelOf(options: Options | null): number {
  const { channel, settings } = options ?? {};
  if (typeof channel === "number") return channel;
  const set = typeof settings === "object" && settings !== null && "channel" in settings ? settings.channel : null;
  return typeof set === "number" ? set : 0;
}

/** Whether two options mean the same part of one device: its channel, and its unit where both name one. */
export function isSamePart(one: Options | null, other: Options | null): boolean {
  const [unit, otherUnit] = [one?.["unit"], other?.["unit"]];
  const isSameUnit = unit === undefined || otherUnit === undefined || unit === otherUnit;
  return isSameUnit && channelOf(one) === channelOf(other);
}
