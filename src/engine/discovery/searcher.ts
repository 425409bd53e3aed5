import type { Platform } from "../../platform/ports/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { MissingDevice, SeenService } from "../../sdk/discovery.ts";
import type { Finder } from "../adapters/adapter-host.ts";
import { describeDevices } from "./device-descriptions.ts";
import { searchHosts, type UsedHost } from "./search-hosts.ts";
import { SeenServices } from "./seen-services.ts";
import { SightingBook } from "./sighting-book.ts";

/** For a whole search, ms; each adapter ends by itself before. */
const SEARCH_MS = 150_000;
/** How long is listened before hosts are asked, ms. */
const LISTEN_MS = 5_000;
/** The same, when somebody waits before a page for devices of one vendor, ms. */
const LISTEN_SHORTLY_MS = 2_000;

/** One search. */
export interface Search {
  readonly isActive: boolean;
  /** Somebody asked for it and is shown how it goes; false: it is the gateway's own and shows in what it finds only. */
  readonly isAsked: boolean;
  /** Null: the house's own networks. */
  readonly hosts: readonly string[] | null;
  /** Whose adapters search. */
  readonly finders: readonly Finder[];
  /** The lost devices that are looked for, as their adapters run them; null: any device. */
  readonly missing: readonly (MissingDevice & { readonly adapter: string })[] | null;
  /** Null: of any vendor. */
  readonly vendorId: string | null;
}

/** How the last search that was asked for goes, or went; wall-clock ms, 0 for never. */
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
  /** Hosts that the gateway talks to. */
  usedHosts(): readonly UsedHost[];
}

/** Runs searches, one after the other, and keeps what they saw. */
export class Searcher {
  readonly book = new SightingBook();
  readonly #parts: SearcherParts;
  #listening: SeenServices | null = null;
  #last: Promise<unknown> = Promise.resolve();
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

  /** Listens all the time, until the answer is disposed. */
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

  /** A search is asked for; it is shown as under way although others may have to end first. */
  announce({ isActive }: Pick<Search, "isActive">): void {
    const startedAtMs = this.#parts.clock.nowMs();
    const none = { hostsAsked: 0, hostsDone: 0, hostsInUse: [] };
    this.#mark({ isSearching: true, isActive, startedAtMs, endedAtMs: 0, ...none });
  }

  /** Searches when the searches before it have ended. Answers its page in the book. Never rejects. */
  run(search: Search, signal: AbortSignal): Promise<number> {
    const turn = this.#last.then(() => this.#search(search, signal));
    this.#last = turn;
    return turn;
  }

  /** Resolves when no search is under way. */
  async settled(): Promise<void> {
    await this.#last;
  }

  async #search(search: Search, signal: AbortSignal): Promise<number> {
    const { clock, log } = this.#parts;
    const page = this.book.turnPage();
    if (signal.aborted) return page;
    if (search.isAsked) this.announce(search);
    try {
      await within(clock, SEARCH_MS, signal, async (limited) => {
        using own = this.#listening === null ? await this.#open(search.finders) : null;
        const services = own ?? this.#listening;
        services?.ask();
        await clock.sleep(listenMs(search), limited);
        await this.#ask(search, () => services?.services() ?? [], limited);
      });
    } catch (err) {
      if (!(err instanceof TimeoutError) && !signal.aborted) log.warn({ err }, "the search for devices failed");
    } finally {
      if (search.isAsked) this.#mark({ isSearching: false, endedAtMs: clock.nowMs() });
    }
    return page;
  }

  async #ask(search: Search, services: () => readonly SeenService[], signal: AbortSignal): Promise<void> {
    const { net, usedHosts } = this.#parts;
    const { isActive, finders, vendorId } = search;
    const { hosts, inUse } = isActive ? await searchHosts(net, search.hosts, usedHosts()) : { hosts: [], inUse: [] };
    if (search.isAsked) this.#mark({ hostsAsked: hosts.length, hostsInUse: inUse });
    // A host is done when each adapter is through with it; one that asks no hosts is when it ends.
    const progress = new Map(finders.map(({ adapter }) => [adapter, 0]));
    const asked = (adapter: string, count: number): void => {
      progress.set(adapter, Math.min(count, hosts.length));
      if (search.isAsked && !signal.aborted) this.#mark({ hostsDone: Math.min(...progress.values()) });
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
          asked(finder.adapter, done);
        };
        await this.#searchBy(finder, { isActive, hosts, services: seen, missing, vendorId, onAsked }, signal);
        asked(finder.adapter, hosts.length);
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
          if (!signal.aborted) this.book.add(adapter, sighting, { atMs: clock.nowMs(), isActive: scope.isActive });
        },
        signal,
      );
    } catch (err) {
      if (!signal.aborted) log.warn({ err, adapter }, "an adapter's search failed");
    }
  }

  async #open(finders: readonly Finder[]): Promise<SeenServices> {
    const { mdns, udp, log } = this.#parts;
    const types = finders.flatMap(({ discovery }) => discovery.serviceTypes);
    const services = new SeenServices(mdns, types);
    await services.listenToSsdp({ udp, log });
    return services;
  }

  #mark(change: Partial<SearchState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

/** Adapters whose devices announce nothing have nothing to listen for. */
function listenMs({ finders, vendorId }: Search): number {
  if (vendorId === null) return LISTEN_MS;
  return finders.some(({ discovery }) => discovery.serviceTypes.length > 0) ? LISTEN_SHORTLY_MS : 0;
}
