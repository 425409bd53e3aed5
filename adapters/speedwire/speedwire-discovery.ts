import type { AdapterContext, RunningDiscovery, SearchScope, Sighting } from "hemgate/sdk";
import { SPEEDWIRE, speedwireSighting } from "./sighting.ts";
import { SPEEDWIRE_VENDOR } from "./speedwire-linking.ts";

/** The meters send once a second or more often. */
const LISTEN_MS = 4_000;
/** The question that SMA's devices answer, which also makes switches pass the group on. */
const WHO_IS_THERE = Uint8Array.from(Buffer.from("534d4100000402a0ffffffff0000002000000000", "hex"));
/** A datagram names its maker, model and number. */
const CERTAINTY = 0.95;

/** Hears the meters that send to SMA's group. Meters are distinguished by serial number, not by address. */
export class SpeedwireDiscovery implements RunningDiscovery {
  readonly serviceTypes = [];
  readonly #context: Pick<AdapterContext, "udp" | "clock">;

  constructor(context: Pick<AdapterContext, "udp" | "clock">) {
    this.#context = context;
  }

  async search({ vendorId }: SearchScope, found: (sighting: Sighting) => void, signal: AbortSignal): Promise<void> {
    if (vendorId !== null && vendorId !== SPEEDWIRE_VENDOR.id) return;
    const { udp, clock } = this.#context;
    const { group, port } = SPEEDWIRE;
    using socket = await udp.open(
      { port, groups: [group] },
      {
        datagram: (bytes, { host }) => {
          const seen = speedwireSighting(bytes);
          if (seen !== null) found(sightingAt(seen, host));
        },
        closed: () => undefined,
      },
    );
    socket.send(WHO_IS_THERE, { host: group, port });
    await clock.sleep(LISTEN_MS, signal);
  }
}

function sightingAt(seen: NonNullable<ReturnType<typeof speedwireSighting>>, host: string): Sighting {
  const { manufacturer, model, serial, version } = seen;
  return {
    key: serial,
    options: { serial: Number(serial) },
    place: {},
    manufacturer,
    model,
    serial,
    firmware: version,
    name: null,
    vendorTypes: ["meter"],
    vendors: ["SMA"],
    profile: null,
    address: host,
    confidence: CERTAINTY,
    proof: { key: "proofSends", values: {} },
    source: "multicast",
    link: { vendorId: SPEEDWIRE_VENDOR.id, key: serial },
  };
}
