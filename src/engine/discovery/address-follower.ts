import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Finder } from "../adapters/adapter-host.ts";
import type { DeviceStatus } from "../contracts/engine.ts";
import type { Roster } from "../fleet/roster.ts";
import { isSamePart } from "./channel-of.ts";
import { type LostDevice, LostDevices } from "./lost-devices.ts";
import type { MovedDevices } from "./moved-devices.ts";
import type { UsedHost } from "./search-hosts.ts";
import type { Searcher } from "./searcher.ts";
import type { SightingEntry } from "./sighting-index.ts";

type Options = Readonly<Record<string, unknown>>;

export interface FollowerParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Log;
  readonly finders: readonly Finder[];
  readonly roster: Pick<Roster, "ids" | "entry">;
  readonly moved: MovedDevices;
  devices(): readonly DeviceStatus[];
}

/** Finds devices that no longer answer at their new addresses, by their serial numbers. */
export class AddressFollower {
  readonly #parts: FollowerParts;
  readonly #lost: LostDevices;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#lost = new LostDevices(parts.clock);
  }

  /** Returns the hosts of devices that answer, or did within the last five minutes. */
  usedHosts(): readonly UsedHost[] {
    const { roster, devices } = this.#parts;
    this.#lost.update(devices());
    return roster.ids().flatMap((deviceId) => {
      const host = roster.entry(deviceId)?.options?.["host"];
      return typeof host === "string" && !this.#lost.isLost(deviceId) ? [{ host, deviceId }] : [];
    });
  }

  /** Moves the lost devices that were seen elsewhere, and searches for the others if their next search is due. */
  async follow(searcher: Searcher, signal: AbortSignal): Promise<void> {
    const { finders, devices, log } = this.#parts;
    this.#lost.update(devices());
    const lost = this.#lost.lostOf(devices());
    const followed = await this.#moveSeen(lost, searcher);
    const due = this.#lost.takeDue(lost.filter((device) => !followed.has(device)));
    const dueFinders = finders.filter(({ adapter }) => due.some((device) => device.adapter === adapter));
    if (dueFinders.length === 0 || signal.aborted) return;
    log.info(
      { deviceIds: due.map(({ deviceId }) => deviceId) },
      "devices do not answer; searching for them at other addresses",
    );
    const missing = due.flatMap(({ deviceId, adapter, serial }) => {
      const options = this.#optionsOf(deviceId);
      return options === null ? [] : [{ adapter, options, serial }];
    });
    await searcher.run(
      { isActive: true, isRequested: false, hosts: null, finders: dueFinders, missing, vendorId: null },
      signal,
    );
    if (!signal.aborted) await this.#moveSeen(due, searcher);
  }

  /**
   * Moves a lost device if exactly one device with its serial number was seen since its last answer, and no other device of
   * the gateway has that number. Returns the moved devices.
   */
  async #moveSeen(lost: readonly LostDevice[], { sightings }: Searcher): Promise<ReadonlySet<LostDevice>> {
    const followed = new Set<LostDevice>();
    for (const device of lost) {
      const options = this.#optionsOf(device.deviceId);
      const part = options === null ? null : this.#placeOfPart(device, options);
      if (part !== null) {
        await this.#parts.moved.move(device.deviceId, device.serial, part);
        followed.add(device);
        continue;
      }
      const [only, ...more] = options === null ? [] : this.#seen(device, options, sightings.all());
      if (options === null || only === undefined || more.length > 0 || only.otherAddresses.length > 0) continue;
      const { place } = only.sighting;
      const isElsewhere = Object.entries(place).some(([key, value]) => (options[key] ?? null) !== value);
      if (!isElsewhere || this.#isAmbiguous(device, options)) continue;
      await this.#parts.moved.move(device.deviceId, device.serial, place);
      followed.add(device);
    }
    return followed;
  }

  /**
   * Returns the new place of another part of the same device that was at the same place before; `null` if there is none.
   * A search cannot find this part, because it asks no host that is in use.
   */
  #placeOfPart({ deviceId, adapter, serial }: LostDevice, options: Options): Options | null {
    const { moved, devices } = this.#parts;
    const found = moved.all().find((record) => {
      const other = devices().find(({ id }) => id === record.deviceId);
      const isPart = record.deviceId !== deviceId && record.serial === serial && other?.adapter === adapter;
      const wasThere = Object.entries(record.was).every(([key, value]) => (options[key] ?? null) === value);
      return isPart && wasThere && other?.isReachable === true;
    });
    return found?.place ?? null;
  }

  #seen(
    { deviceId, adapter, serial }: LostDevice,
    options: Options,
    all: readonly SightingEntry[],
  ): readonly SightingEntry[] {
    const status = this.#parts.devices().find(({ id }) => id === deviceId);
    const sinceMs = status?.lastSeenMs ?? 0;
    return all.filter(({ sighting, ...entry }) => {
      const isIt = entry.adapter === adapter && sighting.serial === serial && isOfKind(sighting.options, options);
      return isIt && entry.seenAtMs > sinceMs;
    });
  }

  #isAmbiguous({ deviceId, adapter, serial }: LostDevice, options: Options): boolean {
    return this.#parts.devices().some(({ id, ...other }) => {
      const isIt = other.adapter === adapter && other.identity?.serial === serial;
      return id !== deviceId && isIt && isOfKind(this.#optionsOf(id), options);
    });
  }

  #optionsOf(deviceId: string): Options | null {
    return this.#parts.roster.entry(deviceId)?.options ?? null;
  }
}

/** True if two options mean the same part of a device: the same profile, channel and, if both name one, unit. */
function isOfKind(one: Options | null, other: Options | null): boolean {
  if (one === null || other === null) return false;
  const { profile = other["profile"] } = one;
  return (other["profile"] === undefined || profile === other["profile"]) && isSamePart(one, other);
}
