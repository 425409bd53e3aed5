import {
  type AdoptBody,
  type Adopted,
  type FoundSetup,
  type NetworkSearch,
  NetworkSearchBody,
} from "../../domain/discovery/discovery.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import { instant } from "../../domain/fields.ts";
import type { FoundDevice } from "../../domain/linking/link-form.ts";
import { problem } from "../../domain/problem.ts";
import type { Clock, Log, Platform, Random } from "../../platform/ports/ports.ts";
import type { Sighting } from "../../sdk/discovery.ts";
import type { Adapter } from "../../sdk/driver.ts";
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
import { foundView, knownAs, linkView, movedView, type OwnDevice, proofText } from "./discovery-view.ts";
import { MovedDevices } from "./moved-devices.ts";
import { isInHouse } from "./search-hosts.ts";
import { Searcher } from "./searcher.ts";
import type { SightingEntry } from "./sighting-index.ts";

/** Interval of the gateway's own searches, which only listen. */
const PASSIVE_EVERY_MS = 5 * MINUTE_MS;
const CHECK_EVERY_MS = 30_000;
/** Time limit of a search for the link page, slightly shorter than the page's own. */
const LINK_PAGE_SEARCH_MS = 22_000;

/** The parts of the engine that discovery uses. */
export interface DiscoveryNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly config: EngineConfig;
  readonly fleet: Fleet;
  readonly users: Users;
  /** The running adapters whose devices can be linked. */
  readonly linkers: readonly Linker[];
}

/** The adapters, devices and network ports that discovery uses. */
export interface DiscoveryParts extends Pick<Platform, "net" | "mdns" | "udp" | "http"> {
  readonly finders: readonly Finder[];
  readonly adapters: readonly Adapter[];
  readonly roster: Pick<Roster, "ids" | "entry" | "configuredOptions">;
  devices(): readonly DeviceStatus[];
}

/** Finds devices on request and by listening, and follows devices whose address changes. */
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
    this.#adoption = new Adoption({
      clock,
      log,
      adapters: parts.adapters,
      linkers: context.linkers,
      finders: parts.finders,
    });
    this.#searcher = new Searcher({ ...parts, clock, log, usedHosts: () => this.#follower.usedHosts() });
  }

  state(language = "en-US"): NetworkSearch {
    const { startedAtMs, endedAtMs, hostsInUse, ...rest } = this.#searcher.state;
    const own = this.#own();
    const found = this.#searcher.sightings.all().map((entry) => foundView(entry, own, language));
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
    if (this.#searcher.state.isSearching)
      throw problem("conflict", "A search is already under way; its state is at GET /local/discovery.");
    this.#searcher.announce({ isActive });
    void this.#searcher.run(
      { isActive, isRequested: true, hosts, finders: this.#parts.finders, missing: null, vendorId: null },
      this.#life.signal,
    );
    return this.state();
  }

  async setup(id: string, language = "en-US"): Promise<FoundSetup> {
    return await this.#adoption.setup(this.#found(id), language, this.#life.signal);
  }

  async adopt(id: string, body: AdoptBody, language = "en-US"): Promise<Adopted> {
    const { userId, name, saveAnyway = false, ...terms } = body;
    const { config, random, clock, fleet, users } = this.#context;
    const entry = this.#found(id);
    const { sighting, adapter, otherAddresses } = entry;
    const known = knownAs(entry, this.#own());
    if (known !== null) throw problem("conflict", `The device is already known, as "${known}".`);
    if (otherAddresses.length > 0) {
      throw problem(
        "conflict",
        `${[sighting.address, ...otherAddresses].join(" and ")} identify themselves as this device; disconnect one of them.`,
      );
    }
    if (this.#adopting.has(id)) throw problem("conflict", "Another request is adding the device.");
    this.#adopting.add(id);
    try {
      const { options, proof } = await this.#adoption.decide(entry, terms, saveAnyway, this.#life.signal);
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
      return { deviceId, proof: proofText(proof, language) };
    } finally {
      this.#adopting.delete(id);
    }
  }

  /** Returns a found device that a profile supports. Throws `not-found`, or `bad-request` if no profile supports it. */
  #found(id: string): SightingEntry {
    const entry = this.#searcher.sightings.get(id);
    if (entry === null) throw problem("not-found", `No search found a device "${id}"; start a search first.`);
    if (entry.sighting.options === null)
      throw problem("bad-request", "No profile supports this device; add it to the configuration.");
    return entry;
  }

  async lookFor(adapter: string, vendorId: string, signal: AbortSignal): Promise<readonly FoundDevice[]> {
    const finders = this.#parts.finders.filter((finder) => finder.adapter === adapter);
    const timeout = new AbortController();
    using _ = this.#context.clock.timer(LINK_PAGE_SEARCH_MS, () =>
      timeout.abort(new Error("the time for the search is over")),
    );
    const search = { isActive: true, isRequested: false, hosts: null, finders, missing: null, vendorId };
    const searchNumber = await this.#searcher.run(search, AbortSignal.any([signal, timeout.signal, this.#life.signal]));
    const isOfVendor = this.#vendorFilter(adapter, vendorId);
    return this.#searcher.sightings.all().flatMap((entry) => {
      const isMatch = entry.adapter === adapter && entry.search >= searchNumber && isOfVendor(entry.sighting);
      const found = isMatch ? linkView(entry) : null;
      const own = entry.sighting.link?.vendorId;
      if (found === null) return [];
      return own === undefined || own === vendorId ? found : { ...found, vendorId: own };
    });
  }

  /** Returns a filter for devices of the vendor, including those of its brand that are linked in another way. */
  #vendorFilter(adapter: string, vendorId: string): (sighting: Sighting) => boolean {
    const vendors = this.#context.linkers.find((linker) => linker.adapter === adapter)?.vendors ?? [];
    const brand = vendors.find(({ id }) => id === vendorId)?.displayName.toUpperCase();
    const sameBrand = vendors.filter(({ displayName }) => displayName.toUpperCase() === brand).map(({ id }) => id);
    return ({ link, manufacturer }) => {
      if (link === undefined) return false;
      const isNamed = brand !== undefined && (manufacturer ?? "").toUpperCase().includes(brand);
      return link.vendorId === vendorId || sameBrand.includes(link.vendorId) || isNamed;
    };
  }

  /** Listens, and follows lost devices, if the configuration allows it. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, config } = this.#context;
    const { discovery = { isListening: false, followsAddresses: false } } = config;
    const isSandbox = config.sandbox?.isEnabled === true;
    const end = (): void => this.#life.abort(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    await this.#moved
      .removeStale()
      .catch((err: unknown) => log.warn({ err }, "cannot delete outdated device addresses; they are ignored"));
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
    let nextPassiveMs = clock.monotonicMs() + CHECK_EVERY_MS;
    while (!signal.aborted) {
      await clock.sleep(CHECK_EVERY_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (isListening && clock.monotonicMs() >= nextPassiveMs) {
        nextPassiveMs = clock.monotonicMs() + PASSIVE_EVERY_MS;
        const own = { isActive: false, isRequested: false, hosts: null, missing: null, vendorId: null };
        await this.#searcher.run({ ...own, finders }, signal);
      }
      if (!followsAddresses) continue;
      await this.#follower.follow(this.#searcher, signal).catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err }, "cannot follow moved devices; will retry");
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
