import {
  type AdapterContext,
  DeviceError,
  type MqttLink,
  type RunningDiscovery,
  type SearchScope,
  type Sighting,
} from "hemgate/sdk";
import { discoverDevices } from "./discover.ts";

/** Devices that are asked answer within this, and retained announcements come at once, ms. */
const LISTEN_MS = 5_000;

/** Hears which devices announce themselves on the gateway's broker. Nothing there has an address that could change. */
export class MqttDiscovery implements RunningDiscovery {
  readonly serviceTypes = [];
  readonly #context: Pick<AdapterContext, "mqtt" | "clock">;

  constructor(context: Pick<AdapterContext, "mqtt" | "clock">) {
    this.#context = context;
  }

  async search(
    { missing, vendorId }: SearchScope,
    found: (sighting: Sighting) => void,
    signal: AbortSignal,
  ): Promise<void> {
    if (missing !== null || vendorId !== null) return;
    using link = this.#open();
    if (link === null) return;
    const { clock } = this.#context;
    for (const { roles, options, ...seen } of await discoverDevices({ link, clock }, LISTEN_MS, signal)) {
      const [role] = roles;
      found({
        ...seen,
        options: { ...options, ...(role === undefined ? {} : { role }) },
        place: {},
        vendorTypes: roles,
        vendors: [],
        profile: options.bridge,
        address: null,
        proof: { key: "proofAnnounced", values: { name: options.topic } },
        source: "mqtt",
      });
    }
  }

  /** Null in a house without a broker. */
  #open(): MqttLink | null {
    try {
      return this.#context.mqtt.link(null);
    } catch (error) {
      if (error instanceof DeviceError) return null;
      throw error;
    }
  }
}
