import type { AdapterContext, RunningDiscovery, SearchScope, Sighting } from "hemgate/sdk";
import { SUNSPEC } from "../connect-options.ts";
import { brandOf } from "../modbus-vendors.ts";
import { PROFILE_SUMMARIES } from "../profile/profile-summaries.generated.ts";
import type { ProfileSummary } from "../profile/profile-summary.ts";
import { completed, unmet } from "./described-devices.ts";
import type { KnownDevice } from "./match.ts";
import { probeHost, seekMissing } from "./modbus-probe.ts";
import { fingerprintOf } from "./nameplates.ts";

/** Hosts that are asked at a time. */
const MAX_PARALLEL = 16;

/** Searches for Modbus devices: only when it may ask hosts, because they say nothing by themselves. */
export class ModbusDiscovery implements RunningDiscovery {
  readonly serviceTypes = [];
  readonly #world: Pick<AdapterContext, "clock" | "net" | "udp">;
  readonly #known: readonly KnownDevice[];
  readonly #profiles: readonly ProfileSummary[];

  constructor(
    world: Pick<AdapterContext, "clock" | "net" | "udp">,
    profiles: readonly ProfileSummary[] = PROFILE_SUMMARIES,
  ) {
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
    const known = vendorId === null ? this.#known : this.#ofBrand(vendorId);
    const met = new Set<string>();
    await inParallel(scope.hosts, async (host) => {
      if (missing === null) {
        const seen = await probeHost(this.#world, host, { known, isOneBrand: vendorId !== null }, signal);
        scope.onAsked?.(host);
        if (seen === null) return;
        met.add(host);
        this.#tell(completed(seen, scope.services()), vendorId, found);
        return;
      }
      for (const device of missing) {
        const profile = this.#profiles.find(({ id }) => id === device.options["profile"]) ?? null;
        const target = { profile, fingerprint: profile === null ? null : fingerprintOf(profile) };
        const seen = await seekMissing(this.#world, host, device, target, signal);
        if (seen !== null) found(seen);
      }
    });
    if (missing !== null || vendorId !== null) return;
    for (const service of scope.services()) {
      const seen = met.has(service.address) ? null : unmet(service, this.#profiles);
      if (seen !== null) found(seen);
    }
  }

  /** Devices of the brand: the user that picks one of its models may have another one. */
  #ofBrand(vendorId: string): readonly KnownDevice[] {
    const brand = brandOf(vendorId, this.#profiles);
    return this.#known.filter(({ profile }) => profile.brand === brand);
  }

  /** For whom one brand is looked for, others are no strangers: they were not asked about. */
  #tell(seen: Sighting, vendorId: string | null, found: (sighting: Sighting) => void): void {
    if (vendorId === null) found(seen);
    else if (seen.profile === SUNSPEC && seen.link !== undefined && brandOf(vendorId, this.#profiles) === null) {
      // A search for any device that describes itself covers all makers.
      found({ ...seen, link: { ...seen.link, vendorId } });
    } else if (seen.profile !== null) found(seen);
  }
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const worker = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, all.length) }, worker));
}
