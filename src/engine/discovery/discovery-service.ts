import {
  type AdoptBody,
  type FoundSetup,
  type NetworkSearch,
  NetworkSearchBody,
} from "../../domain/discovery/discovery.ts";
import { instant } from "../../domain/fields.ts";
import { problem } from "../../domain/problem.ts";
import type { Clock, Log, Platform, Random } from "../../platform/ports/ports.ts";
import type { Sighting } from "../../sdk/discovery.ts";
import type { Adapter } from "../../sdk/driver.ts";
import type { FoundDevice } from "../../sdk/linking.ts";
import type { Store } from "../../store/store.ts";
import type { Finder, Linker } from "../adapters/adapter-host.ts";
import type { Discovery } from "../contracts/discovery.ts";
import type { DeviceStatus } from "../contracts/engine.ts";
import type { Fleet } from "../contracts/fleet.ts";
import type { Users } from "../contracts/users.ts";
import type { EngineConfig, EnginePart } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import type { Roster } from "../fleet/roster.ts";
import { AddressFollower } from "./address-follower.ts";
import { Adoption } from "./adoption.ts";
import { foundView, knownAs, linkView, movedView, type OwnDevice } from "./discovery-view.ts";
import { MovedDevices } from "./moved-devices.ts";
import { isInHouse } from "./search-hosts.ts";
import { Searcher } from "./searcher.ts";
import type { BookEntry } from "./sighting-book.ts";

/** How often devices that announce themselves are taken in while nobody asks, ms. */
const PASSIVE_EVERY_MS = 5 * 60_000;
const LOOK_EVERY_MS = 30_000;
/** How long somebody waits before a page, ms; a little less than the page does. */
const LOOK_FOR_MS = 22_000;

/** What discovery needs of the engine. */
export interface DiscoveryNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly config: EngineConfig;
  readonly fleet: Fleet;
  readonly users: Users;
  /** The adapters at work whose vendors people can link. */
  readonly linkers: readonly Linker[];
}

/** What discovery searches with. */
export interface DiscoveryParts extends Pick<Platform, "net" | "mdns" | "udp" | "http"> {
  readonly finders: readonly Finder[];
  readonly adapters: readonly Adapter[];
  readonly roster: Pick<Roster, "ids" | "entry" | "configuredOptions">;
  devices(): readonly DeviceStatus[];
}

/** Finds devices, when it is asked to and by listening, and finds those again that got another address. */
export class DiscoveryService implements Discovery, EnginePart {
  readonly #context: DiscoveryNeeds;
  readonly #parts: DiscoveryParts;
  readonly #searcher: Searcher;
  readonly #follower: AddressFollower;
  readonly #moved: MovedDevices;
  readonly #adoption: Adoption;
  /** Found devices that are being added. */
  readonly #adopting = new Set<string>();
  readonly #life = new AbortController();

  constructor(context: DiscoveryNeeds, parts: DiscoveryParts) {
    const { clock, log, store, fleet } = context;
    this.#context = context;
    this.#parts = parts;
    this.#moved = new MovedDevices({
      store,
      clock,
      log,
      configured: (deviceId) => parts.roster.configuredOptions(deviceId),
      restart: (deviceIds) => fleet.restart(deviceIds),
    });
    this.#follower = new AddressFollower({ ...parts, clock, log, moved: this.#moved });
    this.#adoption = new Adoption({ clock, log, adapters: parts.adapters, linkers: context.linkers });
    this.#searcher = new Searcher({ ...parts, clock, log, usedHosts: () => this.#follower.usedHosts() });
  }

  state(): NetworkSearch {
    const { startedAtMs, endedAtMs, hostsInUse, ...rest } = this.#searcher.state;
    const own = this.#own();
    const found = this.#searcher.book.all().map((entry) => foundView(entry, own));
    return {
      ...rest,
      startedAt: startedAtMs === 0 ? null : instant(startedAtMs),
      endedAt: endedAtMs === 0 ? null : instant(endedAtMs),
      hostsInUse: [...hostsInUse],
      devices: found.toSorted((one, other) => other.confidence - one.confidence || (one.id < other.id ? -1 : 1)),
      moved: this.#moved.all().map(movedView),
    };
  }

  begin(body: NetworkSearchBody): NetworkSearch {
    const { isActive, hosts = null } = NetworkSearchBody.parse(body);
    const foreign = hosts?.find((host) => !isInHouse(host));
    if (foreign !== undefined) throw problem("bad-request", `${foreign} is not an address in this house.`);
    if (this.#searcher.state.isSearching) throw problem("conflict", "A search is under way; ask how it goes.");
    this.#searcher.announce({ isActive });
    void this.#searcher.run(
      { isActive, isAsked: true, hosts, finders: this.#parts.finders, missing: null, vendorId: null },
      this.#life.signal,
    );
    return this.state();
  }

  async setup(id: string): Promise<FoundSetup> {
    return await this.#adoption.setup(this.#found(id), this.#life.signal);
  }

  async adopt(id: string, { userId, name, ...terms }: AdoptBody): Promise<{ readonly deviceId: string }> {
    const { config, random, clock, fleet, users } = this.#context;
    const entry = this.#found(id);
    const { sighting, adapter, otherAddresses } = entry;
    const known = knownAs(entry, this.#own());
    if (known !== null) throw problem("conflict", `The device is here already, as "${known}".`);
    if (otherAddresses.length > 0) {
      throw problem("conflict", `${[sighting.address, ...otherAddresses].join(" and ")} claim to be this device.`);
    }
    if (this.#adopting.has(id)) throw problem("conflict", "The device is being added.");
    this.#adopting.add(id);
    try {
      const options = await this.#adoption.options(entry, terms, this.#life.signal);
      const deviceId = random.uuid();
      const owner = userId ?? config.site.owner;
      await users.ensure(owner);
      await fleet.add({
        id: deviceId,
        adapter,
        options,
        source: "linked",
        userId: owner,
        name: name ?? sighting.name,
        scopes: null,
        createdAtMs: clock.nowMs(),
        link: sighting.link ?? { vendorId: sighting.profile ?? adapter, key: sighting.key },
      });
      return { deviceId };
    } finally {
      this.#adopting.delete(id);
    }
  }

  /** A device that a search found and that a profile runs. */
  #found(id: string): BookEntry {
    const entry = this.#searcher.book.get(id);
    if (entry === null) throw problem("not-found", `No search found a device "${id}".`);
    if (entry.sighting.options === null) throw problem("bad-request", "No profile runs this device; add it by hand.");
    return entry;
  }

  async lookFor(adapter: string, vendorId: string, signal: AbortSignal): Promise<readonly FoundDevice[]> {
    const finders = this.#parts.finders.filter((finder) => finder.adapter === adapter);
    const patience = new AbortController();
    using _ = this.#context.clock.timer(LOOK_FOR_MS, () => patience.abort(new Error("what was found is enough")));
    const search = { isActive: true, isAsked: false, hosts: null, finders, missing: null, vendorId };
    const page = await this.#searcher.run(search, AbortSignal.any([signal, patience.signal, this.#life.signal]));
    const isMeant = this.#meant(adapter, vendorId);
    return this.#searcher.book.all().flatMap((entry) => {
      const isIt = entry.adapter === adapter && entry.search >= page && isMeant(entry.sighting);
      const found = isIt ? linkView(entry) : null;
      const own = entry.sighting.link?.vendorId;
      if (found === null) return [];
      return own === undefined || own === vendorId ? found : { ...found, vendorId: own };
    });
  }

  /** Devices of the vendor, and those of its brand that are linked in another way: people know the brand. */
  #meant(adapter: string, vendorId: string): (sighting: Sighting) => boolean {
    const vendors = this.#context.linkers.find((linker) => linker.adapter === adapter)?.vendors ?? [];
    const brand = vendors.find(({ id }) => id === vendorId)?.displayName.toUpperCase();
    const kin = vendors.filter(({ displayName }) => displayName.toUpperCase() === brand).map(({ id }) => id);
    return ({ link, manufacturer }) => {
      if (link === undefined) return false;
      const isNamed = brand !== undefined && (manufacturer ?? "").toUpperCase().includes(brand);
      return link.vendorId === vendorId || kin.includes(link.vendorId) || isNamed;
    };
  }

  /** Listens, and looks for lost devices, where the configuration lets it. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, config } = this.#context;
    const { discovery = { isListening: false, followsAddresses: false } } = config;
    const isSandbox = config.sandbox?.isEnabled === true;
    const end = (): void => this.#life.abort(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    await this.#moved.tidy().catch((err: unknown) => log.warn({ err }, "old places are not forgotten yet"));
    if (!isSandbox && (discovery.isListening || discovery.followsAddresses)) await this.#watch(discovery, signal);
    await this.#searcher.settled();
  }

  async #watch(
    { isListening, followsAddresses }: NonNullable<EngineConfig["discovery"]>,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, log } = this.#context;
    const { finders } = this.#parts;
    using _listening = isListening ? await this.#searcher.listen(finders) : null;
    let nextPassiveMs = clock.monotonicMs() + LOOK_EVERY_MS;
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (isListening && clock.monotonicMs() >= nextPassiveMs) {
        nextPassiveMs = clock.monotonicMs() + PASSIVE_EVERY_MS;
        const own = { isActive: false, isAsked: false, hosts: null, missing: null, vendorId: null };
        await this.#searcher.run({ ...own, finders }, signal);
      }
      if (!followsAddresses) continue;
      await this.#follower.look(this.#searcher, signal).catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err }, "a device that moved is not followed yet");
      });
    }
  }

  #own(): readonly OwnDevice[] {
    const { roster, devices } = this.#parts;
    return devices().map((status) => ({ status, options: roster.entry(status.id)?.options ?? null }));
  }
}

export function createDiscovery(context: DiscoveryNeeds, parts: DiscoveryParts): Feature<DiscoveryService> {
  const service = new DiscoveryService(context, parts);
  return { name: "discovery", service, loop: service };
}
