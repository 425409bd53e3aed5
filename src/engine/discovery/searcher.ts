import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Platform } from "../../platform/ports/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { MissingDevice, SeenService } from "../../sdk/discovery.ts";
import type { Finder } from "../adapters/adapter-host.ts";
import { describeDevices } from "./device-descriptions.ts";
import { searchHosts, type UsedHost } from "./search-hosts.ts";
import { SeenServices } from "./seen-services.ts";
import { SightingIndex } from "./sighting-index.ts";

/** Time limit of a search; adapters end earlier by themselves. */
const SEARCH_MS = 150_000;
/** Time to listen for announcements before hosts are asked. */
const LISTEN_MS = 5_000;
/** The same for a search from the link page, where a user waits. */
const LISTEN_SHORTLY_MS = 2_000;

/** The parameters of a search. */
export interface Search {
  readonly isActive: boolean;
  /** True if a client requested it, so that `state` shows its progress; false for the gateway's own searches. */
  readonly isRequested: boolean;
  /** IPv4 addresses; `null` for the gateway's networks. */
  readonly hosts: readonly string[] | null;
  /** The adapters that search. */
  readonly finders: readonly Finder[];
  /** The lost devices to search for; `null` for any device. */
  readonly missing: readonly (MissingDevice & { readonly adapter: string })[] | null;
  /** The linkable vendor to search for; `null` for any. */
  readonly vendorId: string | null;
}

/** The progress of the last requested search. Times are wall-clock ms, 0 for never. */
export interface SearchState {
  readonly isSearching: boolean;
  readonly isActive: boolean;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly hostsAsked: number;
  readonly hostsDone: number;
  readonly hostsInUse: readonly string[];
}

export interface SearcherParts extends Pick<Platform, "clock" | "log" | "net" | "mdns" | "udp" | "http"> {
  /** Returns the hosts that the gateway has connections to. */
  usedHosts(): readonly UsedHost[];
}

/** Runs searches one after the other, and keeps the devices that they find. */
export class Searcher {
  readonly sightings = new SightingIndex();
  readonly #parts: SearcherParts;
  readonly #mutex = new KeyedMutex({ maxWaiting: null });
  #listening: SeenServices | null = null;
  #state: SearchState = {
    isSearching: false,
    isActive: false,
    startedAtMs: 0,
    endedAtMs: 0,
    hostsAsked: 0,
    hostsDone: 0,
    hostsInUse: [],
  };

  constructor(parts: SearcherParts) {
    this.#parts = parts;
  }

  get state(): SearchState {
    return this.#state;
  }

  /** Listens for announcements until the result is disposed. */
  async listen(finders: readonly Finder[]): Promise<Disposable> {
    const listening = await this.#open(finders);
    this.#listening = listening;
    return {
      [Symbol.dispose]: () => {
        listening[Symbol.dispose]();
        this.#listening = null;
      },
    };
  }

  /** Marks a search as running as soon as it is requested, although it may have to wait for others. */
  announce({ isActive }: Pick<Search, "isActive">): void {
    const startedAtMs = this.#parts.clock.nowMs();
    const none = { hostsAsked: 0, hostsDone: 0, hostsInUse: [] };
    this.#update({ isSearching: true, isActive, startedAtMs, endedAtMs: 0, ...none });
  }

  /** Runs a search after all earlier ones. Resolves with its number, as in `SightingEntry.search`. Never rejects. */
  run(search: Search, signal: AbortSignal): Promise<number> {
    return this.#mutex.run("searches", () => this.#search(search, signal));
  }

  /** Resolves when all searches have ended. */
  async settled(): Promise<void> {
    await this.#mutex.settled();
  }

  async #search(search: Search, signal: AbortSignal): Promise<number> {
    const { clock, log } = this.#parts;
    const searchNumber = this.sightings.beginSearch();
    if (signal.aborted) return searchNumber;
    if (search.isRequested) this.announce(search);
    try {
      await within(clock, SEARCH_MS, signal, async (limited) => {
        using own = this.#listening === null ? await this.#open(search.finders) : null;
        const services = own ?? this.#listening;
        services?.sendSearch();
        await clock.sleep(listenMs(search), limited);
        await this.#ask(search, () => services?.services() ?? [], limited);
      });
    } catch (err) {
      if (!(err instanceof TimeoutError) && !signal.aborted)
        log.warn({ err }, "device search failed; devices may be missing from its result");
    } finally {
      if (search.isRequested) this.#update({ isSearching: false, endedAtMs: clock.nowMs() });
    }
    return searchNumber;
  }

  async #ask(search: Search, services: () => readonly SeenService[], signal: AbortSignal): Promise<void> {
    const { net, usedHosts } = this.#parts;
    const { isActive, finders, vendorId } = search;
    const { hosts, inUse } = isActive ? await searchHosts(net, search.hosts, usedHosts()) : { hosts: [], inUse: [] };
    if (search.isRequested) this.#update({ hostsAsked: hosts.length, hostsInUse: inUse });
    // A host is done when all adapters have asked it; an adapter that asks no hosts counts when it ends.
    const progress = new Map(finders.map(({ adapter }) => [adapter, 0]));
    const report = (adapter: string, count: number): void => {
      progress.set(adapter, Math.min(count, hosts.length));
      if (search.isRequested && !signal.aborted) this.#update({ hostsDone: Math.min(...progress.values()) });
    };
    const mayAsk = new Set(hosts);
    const announcing = services().filter(({ address }) => mayAsk.has(address));
    const describe = await describeDevices(this.#parts, announcing, signal);
    const seen = (): readonly SeenService[] => services().map(describe);
    await Promise.all(
      finders.map(async (finder) => {
        const missing = search.missing?.filter(({ adapter }) => adapter === finder.adapter) ?? null;
        let done = 0;
        const onAsked = (): void => {
          done += 1;
          report(finder.adapter, done);
        };
        await this.#searchBy(finder, { isActive, hosts, services: seen, missing, vendorId, onAsked }, signal);
        report(finder.adapter, hosts.length);
      }),
    );
  }

  async #searchBy(
    { adapter, discovery }: Finder,
    scope: Parameters<Finder["discovery"]["search"]>[0],
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      await discovery.search(
        scope,
        (sighting) => {
          if (!signal.aborted) this.sightings.add(adapter, sighting, { atMs: clock.nowMs(), isActive: scope.isActive });
        },
        signal,
      );
    } catch (err) {
      if (!signal.aborted)
        log.warn({ err, adapter }, "device search of an adapter failed; its devices may be missing from the result");
    }
  }

  async #open(finders: readonly Finder[]): Promise<SeenServices> {
    const { mdns, udp, log } = this.#parts;
    const types = finders.flatMap(({ discovery }) => discovery.serviceTypes);
    const services = new SeenServices(mdns, types);
    await services.listenToSsdp({ udp, log });
    return services;
  }

  #update(change: Partial<SearchState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

/** Returns how long to listen, ms; 0 on the link page if the devices of these adapters announce nothing. */
function listenMs({ finders, vendorId }: Search): number {
  if (vendorId === null) return LISTEN_MS;
  return finders.some(({ discovery }) => discovery.serviceTypes.length > 0) ? LISTEN_SHORTLY_MS : 0;
}
