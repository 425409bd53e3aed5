/** A simulated home with market prices: a disk, a twin of the source, and processes that are started and killed. */
import { energyCharts } from "../../../adapters/prices/energy-charts.ts";
import { Pricing } from "../../../src/config/pricing-config.ts";
import type { MarketPriceService } from "../../../src/engine/market/market-price-service.ts";
import { openMarket } from "../../../src/engine/market/open-market.ts";
import type { MarketSource } from "../../../src/sdk/market-source.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { type SimProcess, World } from "../../../src/testing/world.ts";
import { EnergyChartsTwin } from "../../twins/markets/energy-charts-twin.ts";
import { MarketBook } from "../../twins/markets/market-book.ts";
import type { MarketTwin } from "../../twins/markets/market-twin.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const ADDRESS = "93.184.215.14";
const LIMIT_MS = 60_000;

export interface MarketRun {
  readonly service: MarketPriceService;
  readonly store: Store;
  readonly process: SimProcess;
  /** Commits since the start. */
  readonly commits: () => number;
  close(): Promise<void>;
}

export interface MarketHome {
  readonly world: World;
  readonly disk: MemoryDisk;
  readonly book: MarketBook;
  readonly twin: MarketTwin;
  start(change?: object): Promise<MarketRun>;
}

/** Makes a home whose clock begins at an instant such as `2026-11-20T08:00Z`. */
export function makeMarketHome(
  startsAt: string,
  {
    source = energyCharts,
    market = {},
    currency = "EUR",
    twinOf = (world, book) => new EnergyChartsTwin(world.clock, book),
    book: bookOptions = {},
  }: {
    source?: MarketSource;
    market?: object;
    currency?: string;
    twinOf?: (world: World, book: MarketBook) => MarketTwin;
    book?: Partial<ConstructorParameters<typeof MarketBook>[0]>;
  } = {},
): MarketHome {
  const world = new World({ seed: 5, startMs: Date.parse(startsAt) });
  const disk = new MemoryDisk();
  const book = new MarketBook({ clock: world.clock, seed: 5, ...bookOptions });
  const twin = twinOf(world, book);
  twin.join(world.web, ADDRESS);
  const start = async (change: object = {}): Promise<MarketRun> => {
    const process = world.boot("gateway", disk);
    const { clock, random, http, log } = process.platform;
    const store = await world.clock.resolve(openStore({ disk: process.platform.disk, clock, random, log }), LIMIT_MS);
    let commits = 0;
    const counting: Pick<Store, "all" | "get" | "commit"> = {
      all: (table) => store.all(table),
      get: (table, key) => store.get(table, key),
      commit: (writes, journal) => {
        commits += 1;
        return store.commit(writes, journal);
      },
    };
    const pricing = Pricing.parse({ currency, market: { source: source.id, zone: "DE-LU", ...market, ...change } });
    const site = { name: "Home", owner: "home", timezone: "Europe/Berlin" };
    const config = { site, pricing, devices: [] };
    const service = openMarket({ clock, random, http, log, store: counting, config, sources: [source] });
    if (service === null) throw new Error("no market is configured");
    const stop = new AbortController();
    const running = service.run(stop.signal);
    const close = async (): Promise<void> => {
      stop.abort(new Error("the home stops"));
      await world.clock.resolve(running, LIMIT_MS);
      await world.clock.resolve(Promise.resolve(store[Symbol.asyncDispose]()), LIMIT_MS);
    };
    return { service, store, process, commits: () => commits, close };
  };
  return { world, disk, book, twin, start };
}

/** Disconnects the internet, or connects it again. */
export function cut(home: Pick<MarketHome, "world" | "twin">, isCut: boolean): void {
  for (const host of home.twin.hosts) {
    if (isCut) home.world.web.name(host, []);
    else home.twin.join(home.world.web, ADDRESS);
  }
}

/** Returns the prices of the exchange on these dates, per kWh. */
export function truth(book: MarketBook, ...dates: readonly string[]) {
  return dates.flatMap((date) =>
    book
      .day(date)
      .map(({ fromMs, toMs, price }) => ({ fromMs, toMs, perKwh: Number((Number(price) / 1_000).toFixed(5)) })),
  );
}

/** Returns the known prices of a span as numbers. */
export function shown(service: MarketPriceService, fromMs: number, toMs: number) {
  return service
    .consumer(fromMs, toMs)
    .map(({ fromMs: from, toMs: to, cost }) => ({ fromMs: from, toMs: to, perKwh: Number(cost) }));
}
