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
