import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Finder } from "../adapters/adapter-host.ts";
import type { DeviceStatus } from "../contracts/engine.ts";
import type { Roster } from "../fleet/roster.ts";
import { isSamePart } from "./channel-of.ts";
import { type LostDevice, LostDevices } from "./lost-devices.ts";
import type { MovedDevices } from "./moved-devices.ts";
import type { UsedHost } from "./search-hosts.ts";
import type { Searcher } from "./searcher.ts";
import type { BookEntry } from "./sighting-book.ts";

type Options = Readonly<Record<string, unknown>>;

export interface FollowerParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Log;
  readonly finders: readonly Finder[];
  readonly roster: Pick<Roster, "ids" | "entry">;
  readonly moved: MovedDevices;
  devices(): readonly DeviceStatus[];
}

/** Finds devices that fell silent at their new addresses, by their serial numbers. */
export class AddressFollower {
  readonly #parts: FollowerParts;
  readonly #lost: LostDevices;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#lost = new LostDevices(parts.clock);
  }

  /** Hosts of devices that answer, or did until just now. */
  usedHosts(): readonly UsedHost[] {
    const { roster, devices } = this.#parts;
    this.#lost.look(devices());
    return roster.ids().flatMap((deviceId) => {
      const host = roster.entry(deviceId)?.options?.["host"];
      return typeof host === "string" && !this.#lost.isLost(deviceId) ? [{ host, deviceId }] : [];
    });
  }

  /** One look: follows what was heard, and asks for the serial numbers of the others when it is time for that. */
  async look(searcher: Searcher, signal: AbortSignal): Promise<void> {
    const { finders, devices, log } = this.#parts;
    this.#lost.look(devices());
    const lost = this.#lost.among(devices());
    const followed = await this.#follow(lost, searcher);
    const due = this.#lost.takeDue(lost.filter((device) => !followed.has(device)));
    const theirs = finders.filter(({ adapter }) => due.some((device) => device.adapter === adapter));
    if (theirs.length === 0 || signal.aborted) return;
    log.info({ deviceIds: due.map(({ deviceId }) => deviceId) }, "silent devices are looked for");
    const missing = due.flatMap(({ deviceId, adapter, serial }) => {
      const options = this.#optionsOf(deviceId);
      return options === null ? [] : [{ adapter, options, serial }];
    });
    await searcher.run(
      { isActive: true, isAsked: false, hosts: null, finders: theirs, missing, vendorId: null },
      signal,
    );
    if (!signal.aborted) await this.#follow(due, searcher);
  }

  /** Moves the devices of which exactly one was seen, since they fell silent, and nobody else here claims to be it. */
  async #follow(lost: readonly LostDevice[], { book }: Searcher): Promise<ReadonlySet<LostDevice>> {
    const followed = new Set<LostDevice>();
    for (const device of lost) {
      const options = this.#optionsOf(device.deviceId);
      const part = options === null ? null : this.#placeOfPart(device, options);
      if (part !== null) {
        await this.#parts.moved.move(device.deviceId, device.serial, part);
        followed.add(device);
        continue;
      }
      const [only, ...more] = options === null ? [] : this.#seen(device, options, book.all());
      if (options === null || only === undefined || more.length > 0 || only.otherAddresses.length > 0) continue;
      const { place } = only.sighting;
      const isNews = Object.entries(place).some(([key, value]) => (options[key] ?? null) !== value);
      if (!isNews || this.#hasRival(device, options)) continue;
      await this.#parts.moved.move(device.deviceId, device.serial, place);
      followed.add(device);
    }
    return followed;
  }

  /** Where another part of the same device was found, which was where this one is: nobody asks a host that is in use. */
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

  #seen({ deviceId, adapter, serial }: LostDevice, options: Options, all: readonly BookEntry[]): readonly BookEntry[] {
    const status = this.#parts.devices().find(({ id }) => id === deviceId);
    const sinceMs = status?.lastSeenMs ?? 0;
    return all.filter(({ sighting, ...entry }) => {
      const isIt = entry.adapter === adapter && sighting.serial === serial && isOfKind(sighting.options, options);
      return isIt && entry.seenAtMs > sinceMs;
    });
  }

  #hasRival({ deviceId, adapter, serial }: LostDevice, options: Options): boolean {
    return this.#parts.devices().some(({ id, ...other }) => {
      const isIt = other.adapter === adapter && other.identity?.serial === serial;
      return id !== deviceId && isIt && isOfKind(this.#optionsOf(id), options);
    });
  }

  #optionsOf(deviceId: string): Options | null {
    return this.#parts.roster.entry(deviceId)?.options ?? null;
  }
}

/** Whether two options run the same part of one device: the profile, and the unit where both name one, and the channel. */
function isOfKind(one: Options | null, other: Options | null): boolean {
  if (one === null || other === null) return false;
  const { profile = other["profile"] } = one;
  return (other["profile"] === undefined || profile === other["profile"]) && isSamePart(one, other);
}
