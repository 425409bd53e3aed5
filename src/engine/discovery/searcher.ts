import type { Platform } from "../../platform/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { MissingDevice, SeenService } from "../../sdk/discovery.ts";
import type { Finder } from "../adapter-host.ts";
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
  /** Null: the house's own networks. */
  readonly hosts: readonly string[] | null;
  /** Whose adapters search. */
  readonly finders: readonly Finder[];
  /** The lost devices that are looked for, as their adapters run them; null: any device. */
  readonly missing: readonly (MissingDevice & { readonly adapter: string })[] | null;
  /** Null: of any vendor. */
  readonly vendorId: string | null;
}

/** How the last search goes, or went; wall-clock ms, 0 for never. */
export interface SearchState {
  readonly isSearching: boolean;
  readonly isActive: boolean;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly hostsAsked: number;
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
    this.#mark({ isSearching: true, isActive, startedAtMs: this.#parts.clock.nowMs(), endedAtMs: 0 });
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
    this.announce(search);
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
      this.#mark({ isSearching: false, endedAtMs: clock.nowMs() });
    }
    return page;
  }

  async #ask(search: Search, services: () => readonly SeenService[], signal: AbortSignal): Promise<void> {
    const { net, usedHosts } = this.#parts;
    const { isActive, finders, vendorId } = search;
    const { hosts, inUse } = isActive ? await searchHosts(net, search.hosts, usedHosts()) : { hosts: [], inUse: [] };
    this.#mark({ hostsAsked: hosts.length, hostsInUse: inUse });
    const mayAsk = new Set(hosts);
    const asked = services().filter(({ address }) => mayAsk.has(address));
    const describe = await describeDevices(this.#parts, asked, signal);
    const seen = (): readonly SeenService[] => services().map(describe);
    await Promise.all(
      finders.map(async (finder) => {
        const missing = search.missing?.filter(({ adapter }) => adapter === finder.adapter) ?? null;
        await this.#searchBy(finder, { isActive, hosts, services: seen, missing, vendorId }, signal);
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
          if (!signal.aborted) this.book.add(adapter, sighting, clock.nowMs());
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
