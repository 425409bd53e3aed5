import type { AdapterContext, DeviceProfile, Fingerprint, RunningDiscovery, SearchScope, Sighting } from "hemgate/sdk";
import { KNOWN_PROFILES } from "../known-profiles.ts";
import type { KnownDevice } from "./match.ts";
import { portsOf, probeHost, seekMissing } from "./modbus-probe.ts";
import { NAMEPLATES } from "./nameplates.ts";

/** Hosts that are asked at a time. */
const MAX_PARALLEL = 16;
/** The usual one, Kostal's and SolarEdge's, and that of a Huawei inverter's own access point; more where profiles say. */
const PORTS = [502, 1_502, 6_607] as const;

/** Searches for Modbus devices: only when it may ask hosts, because they say nothing by themselves. */
export class ModbusDiscovery implements RunningDiscovery {
  readonly serviceTypes = [];
  readonly #world: Pick<AdapterContext, "clock" | "net">;
  readonly #known: readonly KnownDevice[];
  readonly #profiles: readonly DeviceProfile[];

  constructor(world: Pick<AdapterContext, "clock" | "net">, profiles: readonly DeviceProfile[] = KNOWN_PROFILES) {
    this.#world = world;
    this.#profiles = profiles;
    this.#known = profiles.flatMap((profile) => {
      const fingerprint = fingerprintOf(profile);
      return fingerprint === null ? [] : [{ profile, fingerprint }];
    });
  }

  async search(scope: SearchScope, found: (sighting: Sighting) => void, signal: AbortSignal): Promise<void> {
    if (!scope.isActive) return;
    const { missing, vendorId } = scope;
    const known = this.#known.filter(({ profile }) => vendorId === null || profile.id === vendorId);
    const ports = vendorId === null ? [...new Set([...PORTS, ...known.flatMap(portsOf)])] : usualPorts(known);
    await inParallel(scope.hosts, async (host) => {
      if (missing === null) {
        const seen = await probeHost(this.#world, host, { ports, known }, signal);
        if (seen !== null) found(seen);
        return;
      }
      for (const device of missing) {
        const profile = this.#profiles.find(({ id }) => id === device.options["profile"]) ?? null;
        const wanted = { profile, fingerprint: profile === null ? null : fingerprintOf(profile) };
        const seen = await seekMissing(this.#world, host, device, wanted, signal);
        if (seen !== null) found(seen);
      }
    });
  }
}

/** Where a device is as it left the factory. */
function usualPorts([first]: readonly KnownDevice[]): readonly number[] {
  const [usual = PORTS[0]] = first === undefined ? [] : portsOf(first);
  return [usual];
}

function fingerprintOf(profile: DeviceProfile): Fingerprint | null {
  return profile.fingerprint ?? NAMEPLATES[profile.id] ?? null;
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const worker = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, all.length) }, worker));
}
