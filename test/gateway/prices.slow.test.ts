/** Market prices through the whole gateway: over HTTP, in statistics, in a night of smart charging, over a power cut. */
import type { InjectOptions } from "fastify";
import { describe, expect, test } from "vitest";
import { MARKETS } from "../../adapters/prices/markets.ts";
import { configSchema } from "../../src/config/config.ts";
import type { PriceView } from "../../src/domain/market/price-view.ts";
import type { ChargingStatistics } from "../../src/domain/statistics/statistics.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { type SimProcess, World } from "../../src/testing/world.ts";
import { getToken } from "../api/support/api-house.ts";
import { chargerOptions } from "../engine/home.ts";
import { carOptions, fillWhileCharging, followCarSwitch } from "../engine/smart/cars.ts";
import { EnergyChartsTwin } from "../twins/markets/energy-charts-twin.ts";
import { MarketBook } from "../twins/markets/market-book.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LIMIT_MS = 60_000;
const HOST = "api.energy-charts.info";
const ADDRESS = "93.184.215.14";
const PLACE = { latitude: 52.5, longitude: 13.4 };
const FORMULA = { vat: 0.19, fees: [{ name: "grid", perKwh: "0.1" }] };

/** A house in Berlin with a charger and a car, beside a market; its clock begins at an instant. */
function makeHouse(startsAt: string, pricing: object) {
  const world = new World({ seed: 11, startMs: Date.parse(startsAt) });
  const disk = new MemoryDisk();
  const { controls: _controls, ...asCharger } = chargerOptions();
  const charger = new FakeDevice({ ...asCharger, pollMs: MINUTE, clock: world.clock });
  const at = { "vehicle.latitude": PLACE.latitude, "vehicle.longitude": PLACE.longitude } as const;
  const car = new FakeDevice({ ...carOptions(at), pollMs: 2 * MINUTE, clock: world.clock });
  followCarSwitch(car);
  fillWhileCharging(car, world.clock);
  const book = new MarketBook({ clock: world.clock, seed: 11 });
  const twin = new EnergyChartsTwin(world.clock, book);
  twin.join(world.web, ADDRESS);
  const adapters = [fakeAdapter({ charger, car })];
  const config = configSchema(adapters, MARKETS).parse({
    site: { timezone: "Europe/Berlin" },
    pricing,
    devices: ["charger", "car"].map((id) => ({ id, adapter: "fake" })),
  });
  const start = async (): Promise<Run> => {
    const process = world.boot("gateway", disk);
    const { platform } = process;
    const opening = createGateway({ platform, config, adapters, markets: MARKETS, listen: false });
    return new Run(world, process, await world.clock.resolve(opening, LIMIT_MS));
  };
  const cut = (isCut: boolean): void => {
    if (isCut) world.web.name(HOST, []);
    else twin.join(world.web, ADDRESS);
  };
  return { world, disk, charger, car, book, twin, start, cut };
}

/** One run of the gateway, and its clients. */
class Run {
  readonly process: SimProcess;
  readonly gateway: Gateway;
  readonly #world: World;
  #token: { readonly text: string; readonly untilMs: number } | null = null;

  constructor(world: World, process: SimProcess, gateway: Gateway) {
    this.#world = world;
    this.process = process;
    this.gateway = gateway;
  }

  async ask(request: InjectOptions) {
    const { clock } = this.#world;
    if (this.#token === null || this.#token.untilMs < clock.monotonicMs()) {
      const client = await clock.resolve(this.gateway.createClient("test"), LIMIT_MS);
      const text = await clock.resolve(getToken(this.gateway.api, client), LIMIT_MS);
      this.#token = { text, untilMs: clock.monotonicMs() + 50 * MINUTE };
    }
    const headers = { authorization: `Bearer ${this.#token.text}` };
    const answering = this.gateway.api.inject({ ...request, headers }).then((answer) => answer);
    return await clock.resolve(answering, LIMIT_MS);
  }

  async prices(): Promise<PriceView> {
    return (await this.ask({ url: "/local/prices" })).json();
  }

  async addLocation(): Promise<string> {
    const payload = { name: "House", ...PLACE, timezoneName: "Europe/Berlin" };
    return (await this.ask({ method: "POST", url: "/users/home/locations", payload })).json<{ id: string }>().id;
  }

  async close(): Promise<void> {
    await this.#world.clock.resolve(Promise.resolve(this.gateway[Symbol.asyncDispose]()), LIMIT_MS);
  }
}

/** What a consumer pays at an instant, by the exchange's own book. */
function consumer(book: MarketBook, atMs: number): number {
  const slot = book.day(book.dateAt(atMs)).find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
  return ((Number(slot?.price) / 1_000 + 0.1) * 119) / 100;
}

const MARKET = { source: "energy-charts", zone: "DE-LU", ...FORMULA };

describe("GET /local/prices", () => {
  test("shows the prices with fees and tax, where they come from, and when the next ones do", async () => {
    const house = makeHouse("2026-11-20T07:00Z", { market: MARKET });
    const run = await house.start();
    await house.world.clock.advance(HOUR);
    const view = await run.prices();
    expect(view).toMatchObject({
      currency: "EUR",
      source: { id: "energy-charts", displayName: "Energy-Charts", zone: "DE-LU" },
      knownUntil: "2026-11-20T23:00:00.000Z",
      problem: null,
    });
    expect(view.source?.attribution).toContain("CC BY 4.0");
    expect(view.lastFetchedAt?.slice(0, 13)).toBe("2026-11-20T07");
    expect(view.nextFetchAt?.slice(0, 14)).toBe("2026-11-20T12:");
    expect(view.prices).toHaveLength(96);
    expect(view.prices.map(({ cost }) => Number(cost))).toEqual(
      view.prices.map(({ from }) => expect.closeTo(consumer(house.book, Date.parse(from)), 10)),
    );
    house.twin.trouble = "down";
    await house.world.clock.advance(6 * HOUR);
    const problem = { kind: "unavailable", text: "api.energy-charts.info answered 503", since: expect.any(String) };
    expect(await run.prices()).toMatchObject({ problem, prices: view.prices });
    await run.close();
  });

  test("without a market shows nothing but the currency", async () => {
    const house = makeHouse("2026-11-20T07:00Z", { currency: "SEK" });
    const run = await house.start();
    await house.world.clock.advance(HOUR);
    const nothing = { source: null, lastFetchedAt: null, knownUntil: null, nextFetchAt: null, problem: null };
    expect(await run.prices()).toEqual({ currency: "SEK", ...nothing, prices: [], published: [] });
    expect(house.twin.asked).toEqual([]);
    await run.close();
  });
});

describe("where a location's tariff has no price", () => {
  test("statistics over HTTP reckon with the market's, and with the tariff's where it has one", async () => {
    const house = makeHouse("2026-11-20T07:00Z", { market: MARKET });
    const run = await house.start();
    const { clock } = house.world;
    await clock.advance(2 * MINUTE);
    const locationId = await run.addLocation();
    const chargers = (await run.ask({ url: "/chargers" })).json<{ data: { id: string }[] }>();
    const placed = { method: "PUT", url: `/chargers/${chargers.data[0]?.id}`, payload: { locationId } } as const;
    expect((await run.ask(placed)).statusCode).toBe(200);
    await run.ask({ method: "PUT", url: "/tariffs/t1", payload: [{ name: "lunch", cost: "0.5" }] });
    const tariffIntervals = [{ name: "lunch", from: "12:00", to: "13:00" }];
    const link = { tariffId: "t1", tariffIntervals };
    expect((await run.ask({ method: "PUT", url: `/locations/${locationId}/tariff`, payload: link })).statusCode).toBe(
      204,
    );
    house.charger.show("charger.power", 6_000);
    house.charger.show("charger.state", "PLUGGED_IN:CHARGING");
    await clock.advance(6 * HOUR);
    const query = {
      type: "charger",
      startDate: "2026-11-20T08:00:00Z",
      endDate: "2026-11-20T13:00:00Z",
      resolution: "HOUR",
    };
    const answer = await run.ask({ url: "/users/home/statistics/charging", query });
    const hours = answer.json<ChargingStatistics[]>();
    const quarters = (hourMs: number) =>
      [0, 15, 30, 45].map((minute) => consumer(house.book, hourMs + minute * MINUTE));
    const expected = hours.map(({ date }) => {
      const isLunch = date === "2026-11-20T11:00:00.000Z";
      const costs = isLunch ? [0.5, 0.5, 0.5, 0.5] : quarters(Date.parse(date));
      return costs.reduce((sum, cost) => sum + cost * 1.5, 0);
    });
    expect(hours).toHaveLength(5);
    expect(hours.map(({ kwhSum }) => kwhSum)).toEqual([6, 6, 6, 6, 6]);
    expect(hours.map(({ costSum }) => costSum)).toEqual(expected.map((cost) => expect.closeTo(cost, 6)));
    await run.close();
  });
});

/** Three days of a house, on a machine that has other work to do. */
const DAYS_LIMIT_MS = 300_000;

describe("48 hours without the internet, with a power cut in them", () => {
  test("change no price that was known, and smart charging finds the cheapest hours all the same", {
    timeout: DAYS_LIMIT_MS,
  }, async () => {
    const house = makeHouse("2026-11-20T07:00Z", { market: MARKET });
    const { clock } = house.world;
    let run = await house.start();
    await clock.advance(2 * MINUTE);
    await run.addLocation();
    await clock.advance(7 * HOUR);
    const known = await run.prices();
    expect(known.knownUntil).toBe("2026-11-21T23:00:00.000Z");

    house.cut(true);
    await clock.advance(3 * HOUR);
    run.process.kill();
    house.disk.crash();
    await clock.advance(30 * MINUTE);
    house.car.show("vehicle.soc", 40);
    house.car.show("vehicle.state", "PLUGGED_IN:CHARGING");
    house.car.show("vehicle.power", 10_000);
    run = await house.start();
    await clock.advance(2 * MINUTE);
    expect((await run.prices()).prices).toEqual(known.prices);

    const vehicles = (await run.ask({ url: "/vehicles" })).json<{ data: { id: string }[] }>();
    const id = vehicles.data[0]?.id ?? "";
    const policy = { isEnabled: true, deadline: "14:30" };
    const set = await run.ask({ method: "PUT", url: `/vehicles/${id}/smart-charging-policy`, payload: policy });
    expect(set.statusCode, set.body).toBe(200);
    await clock.advance(20 * MINUTE);
    const { plan } = run.gateway.engine.services.vehicleSmart.status(id);
    // 30 kWh at 10 kW, and a tenth more: where the day is negative, around noon.
    expect(plan).toMatchObject({ startAt: expect.stringMatching(/^2026-11-21T(09|10):/) });
    await clock.advance(22 * HOUR);
    expect(house.car.values["vehicle.soc"]).toBeCloseTo(100, 6);

    await clock.advance(23 * HOUR);
    const { prices, problem } = await run.prices();
    expect(problem?.text).toBe("api.energy-charts.info cannot be resolved");
    expect(prices).toEqual([]);
    const from = Date.parse("2026-11-20T12:00Z");
    const before = known.prices.filter((price) => Date.parse(price.from) >= from);
    const still = run.gateway.engine.services.market?.consumer(from, from + 72 * HOUR) ?? [];
    expect(still.map(({ cost }) => cost)).toEqual(before.map(({ cost }) => cost));
    house.cut(false);
    await clock.advance(11 * MINUTE);
    expect(await run.prices()).toMatchObject({ problem: null, knownUntil: "2026-11-23T23:00:00.000Z" });
    await run.close();
  });
});
