/** The forecast beside what was produced, and the panels where they are. */
import { describe, expect, test } from "vitest";
import type { LocationEntry } from "../../../src/engine/contracts/places.ts";
import { makeInverter, uuid } from "../../api/support/makers.ts";
import {
  DAY_MS,
  ForecastHouse,
  HOUR_MS,
  MINUTE_MS,
  PLACE,
  type RunningForecast,
  SOUTH_ROOF,
} from "./forecast-house.ts";

const METEO = { source: "open-meteo", place: PLACE, planes: [SOUTH_ROOF] };
const SAMPLE_MS = 5 * MINUTE_MS;

/** An inverter that gives a share of what is forecast, as it is at each moment. */
interface Roof {
  readonly deviceId: string;
  readonly assetId: string;
  share: number;
  isHeard: boolean;
}

function makeRoof(house: ForecastHouse, number: number, share: number, fields: object = {}): Roof {
  const assetId = uuid(number);
  house.inverters.push({ asset: makeInverter({ id: assetId, ...fields }), createdAtMs: 0 });
  return { deviceId: `roof-${number}`, assetId, share, isHeard: true };
}

async function know(running: RunningForecast, roof: Roof): Promise<void> {
  const { deviceId, assetId } = roof;
  const put = { id: assetId, kind: "inverter", deviceId, createdAtMs: 0 } as const;
  void running.store.commit([{ table: "asset", key: assetId, put }], []);
  await running.pass(MINUTE_MS);
}

/** Lives on, with what the inverters tell. */
async function live(house: ForecastHouse, running: RunningForecast, roofs: readonly Roof[], ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= SAMPLE_MS) {
    await running.pass(SAMPLE_MS);
    const [slot] = running.forecasts.between(house.nowMs - 15 * MINUTE_MS + 1, house.nowMs + 1);
    if (slot === undefined) continue;
    for (const { deviceId, share, isHeard } of roofs) {
      const values = [{ point: "inverter.power", value: slot.powerW * share } as const];
      if (isHeard) running.store.record({ deviceId, atMs: house.nowMs, values });
    }
  }
}

describe("the adjustment", () => {
  test("is nothing at first, and after some days what was produced of the forecast, over a restart too", async () => {
    const house = new ForecastHouse(METEO);
    const roofs = [makeRoof(house, 1, 0.5), makeRoof(house, 2, 0.3)];
    // Neither another user's nor one that is elsewhere counts.
    const others = [
      makeRoof(house, 3, 1, { userId: "tenant" }),
      makeRoof(house, 4, 1, { location: { id: null, latitude: 48.1, longitude: 11.6, lastUpdated: null } }),
    ];
    const first = await house.start();
    for (const roof of [...roofs, ...others]) await know(first, roof);
    await live(house, first, roofs, DAY_MS);
    expect(first.state.adjustment.factor).toBeNull();
    expect(first.state.adjustment.hours).toBeGreaterThan(8);
    expect(first.ahead().every(({ adjustedW }) => adjustedW === null)).toBe(true);
    await live(house, first, roofs, 1.5 * DAY_MS);
    expect(first.state.adjustment.factor).toBeCloseTo(0.8, 1);
    const bright = first.ahead().filter(({ powerW }) => powerW > 1_000);
    const { factor } = first.state.adjustment;
    expect(bright.map(({ adjustedW }) => adjustedW)).toEqual(bright.map(({ powerW }) => Math.round(powerW * factor!)));
    await first.close();
    const second = await house.start();
    await second.pass(2 * MINUTE_MS);
    expect(second.state.adjustment.factor).toBeCloseTo(0.8, 1);
    await second.close();
  });

  test("leaves out the hours in which an inverter was not heard", async () => {
    const house = new ForecastHouse(METEO);
    const roofs = [makeRoof(house, 1, 0.6), makeRoof(house, 2, 0.3)];
    const running = await house.start();
    for (const roof of roofs) await know(running, roof);
    await live(house, running, roofs, 2 * DAY_MS);
    const { hours } = running.state.adjustment;
    roofs[1]!.isHeard = false;
    await live(house, running, roofs, DAY_MS);
    expect(running.state.adjustment.hours).toBeLessThanOrEqual(hours + 1);
    expect(running.state.adjustment.factor).toBeCloseTo(0.9, 1);
    await running.close();
  });

  test("takes no forecast above what the inverters can", async () => {
    const house = new ForecastHouse({ ...METEO, inverterKw: 5 });
    const roofs = [makeRoof(house, 1, 1.4)];
    const running = await house.start();
    await know(running, roofs[0]!);
    await live(house, running, roofs, 2.5 * DAY_MS);
    expect(running.state.adjustment.factor).toBeGreaterThan(1.2);
    expect(Math.max(...running.ahead().map(({ adjustedW }) => adjustedW!))).toBe(5_000);
    await running.close();
  });
});

function makeLocation(number: number, latitude: number): LocationEntry {
  const fields = { userId: "home", createdAt: "2026-01-01T00:00:00.000Z", name: "House", timezoneName: "UTC" };
  return { location: { id: uuid(number), ...fields, latitude, longitude: 10 }, createdAtMs: number };
}

describe("the place of the panels", () => {
  test("is the configuration's, else the site's, else the owner's first location", async () => {
    const asked = async (house: ForecastHouse): Promise<number | undefined> => {
      const running = await house.start();
      await running.pass(5 * MINUTE_MS);
      await running.close();
      return house.openMeteo.planes[0]?.latitude;
    };
    const nowhere = { ...METEO, place: null };
    const locations = [makeLocation(2, 42), makeLocation(1, 41)];
    const all = new ForecastHouse(METEO, { site: { latitude: 50, longitude: 10 } });
    all.moveTo(...locations);
    expect(await asked(all)).toBe(PLACE.latitude);
    const site = new ForecastHouse(nowhere, { site: { latitude: 50, longitude: 10 } });
    site.moveTo(...locations);
    expect(await asked(site)).toBe(50);
    const first = new ForecastHouse(nowhere);
    first.moveTo(...locations);
    expect(await asked(first)).toBe(41);
  });

  test("is waited for, and what is known of another place is forgotten when it moves", async () => {
    const house = new ForecastHouse({ ...METEO, place: null });
    const running = await house.start();
    await running.pass(HOUR_MS);
    expect(house.openMeteo.asked).toEqual([]);
    expect(running.state).toMatchObject({ nextFetchMs: null, problem: { kind: "not-set-up" } });
    house.moveTo(makeLocation(1, 41));
    await running.pass(2 * MINUTE_MS);
    expect(running.state.problem).toBeNull();
    const known = running.ahead();
    expect(known.length).toBeGreaterThan(96);
    house.moveTo(makeLocation(1, 61));
    expect(running.state.fetchedAtMs).toBeNull();
    await running.pass(2 * MINUTE_MS);
    expect(house.openMeteo.planes.map(({ latitude }) => latitude)).toEqual([41, 61]);
    expect(running.ahead()).not.toEqual(known);
    await running.close();
  });
});

describe("the configuration", () => {
  test("without a forecast asks nobody", async () => {
    const house = new ForecastHouse(undefined);
    const running = await house.start();
    await running.pass(HOUR_MS);
    expect(running.state).toMatchObject({ source: null, problem: null, nextFetchMs: null });
    expect(running.ahead()).toEqual([]);
    await running.close();
  });

  test("that fits no source is told, and nothing is asked", async () => {
    const house = new ForecastHouse({ source: "nobody" });
    const running = await house.start();
    await running.pass(HOUR_MS);
    expect(running.state.problem).toMatchObject({
      kind: "not-set-up",
      text: expect.stringContaining("forecast.source"),
    });
    expect(running.process.log.texts("error")).toEqual(["no forecast"]);
    await running.close();
  });

  test("of other panels begins anew: nothing that is known of the old ones is shown", async () => {
    const house = new ForecastHouse(METEO);
    const first = await house.start();
    await first.pass(5 * MINUTE_MS);
    expect(first.ahead().length).toBeGreaterThan(96);
    await first.close();
    house.settings = { ...METEO, planes: [{ ...SOUTH_ROOF, peakKw: 1 }] };
    const second = await house.start();
    expect(second.ahead()).toEqual([]);
    await second.pass(5 * MINUTE_MS);
    expect(Math.max(...second.ahead().map(({ powerW }) => powerW))).toBeLessThan(1_000);
    await second.close();
  });

  test("with another name for a plane, or another key, keeps what is known", async () => {
    const house = new ForecastHouse(METEO);
    const first = await house.start();
    await first.pass(5 * MINUTE_MS);
    const known = first.ahead();
    await first.close();
    house.settings = { ...METEO, planes: [{ ...SOUTH_ROOF, name: "Roof" }], key: "a-key" };
    const second = await house.start();
    expect(second.forecasts.between(known[0]!.fromMs, known.at(-1)!.toMs)).toEqual(known);
    await second.close();
  });
});

const KEY = "canary-7f3a91";

describe("a key", () => {
  test.each([
    ["forecast-solar", { ...METEO, source: "forecast-solar", key: KEY }],
    ["open-meteo", { ...METEO, key: KEY }],
    ["solcast", { source: "solcast", sites: ["aaaa-1111"], key: KEY }],
  ])("stands in no log line, no problem and nothing on disk, nor does the place: %s", async (_id, settings) => {
    const house = new ForecastHouse(settings);
    const running = await house.start();
    const texts: string[] = [];
    for (const trouble of ["down", "hang", "break", "limited", "portal", "cut", null] as const) {
      for (const twin of [house.forecastSolar, house.openMeteo, house.solcast]) twin.trouble = trouble;
      await running.pass(3 * HOUR_MS);
      texts.push(JSON.stringify(running.state));
    }
    house.online(false);
    await running.pass(2 * HOUR_MS);
    texts.push(JSON.stringify([running.state, running.process.log.lines]));
    const { store } = running;
    texts.push(JSON.stringify([store.all("forecast"), store.all("forecast-quota")]));
    expect(
      house[
        settings.source === "forecast-solar" ? "forecastSolar" : settings.source === "solcast" ? "solcast" : "openMeteo"
      ].asked.length,
    ).toBeGreaterThan(0);
    expect(texts.join("\n")).not.toContain(KEY);
    expect(texts.join("\n")).not.toContain("52.52");
    await running.close();
  });
});
