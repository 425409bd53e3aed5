/** The adjustment of the forecast by the production, the place of the panels, and the configuration. */
import { describe, expect, test } from "vitest";
import type { LocationEntry } from "../../../src/engine/contracts/places.ts";
import { CurtailedHours } from "../../../src/engine/energy/plan/curtailed-hours.ts";
import { makeInverter, uuid } from "../../api/support/makers.ts";
import { makeInverter as inverterView } from "../../domain/energy/makers.ts";
import { DAY_MS, ForecastHome, HOUR_MS, MINUTE_MS, PLACE, type RunningForecast, SOUTH_ROOF } from "./forecast-home.ts";

const METEO = { source: "open-meteo", place: PLACE, planes: [SOUTH_ROOF] };
const SAMPLE_MS = 5 * MINUTE_MS;

/** An inverter that produces a share of the present forecast. */
interface Roof {
  readonly deviceId: string;
  readonly assetId: string;
  share: number;
  isReporting: boolean;
}

function makeRoof(home: ForecastHome, number: number, share: number, fields: object = {}): Roof {
  const assetId = uuid(number);
  home.inverters.push({ asset: makeInverter({ id: assetId, ...fields }), createdAtMs: 0 });
  return { deviceId: `roof-${number}`, assetId, share, isReporting: true };
}

async function addRoof(running: RunningForecast, roof: Roof): Promise<void> {
  const { deviceId, assetId } = roof;
  const put = { id: assetId, kind: "inverter", deviceId, createdAtMs: 0 } as const;
  void running.store.commit([{ table: "asset", key: assetId, put }], []);
  await running.pass(MINUTE_MS);
}

/** Advances the time while the inverters report their production. */
async function advance(
  home: ForecastHome,
  running: RunningForecast,
  roofs: readonly Roof[],
  ms: number,
  sampleMs = SAMPLE_MS,
): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= sampleMs) {
    await running.pass(sampleMs);
    const [slot] = running.forecasts.between(home.nowMs - 15 * MINUTE_MS + 1, home.nowMs + 1);
    if (slot === undefined) continue;
    for (const { deviceId, share, isReporting } of roofs) {
      const values = [{ point: "inverter.power", value: slot.powerW * share } as const];
      if (isReporting) running.store.record({ deviceId, atMs: home.nowMs, values });
    }
  }
}

describe("forecast adjustment", () => {
  test("The adjustment is null at first, then the ratio of production to forecast, also after a restart", async () => {
    const home = new ForecastHome(METEO);
    const roofs = [makeRoof(home, 1, 0.5), makeRoof(home, 2, 0.3)];
    // Inverters of another user or at another place do not count.
    const others = [
      makeRoof(home, 3, 1, { userId: "tenant" }),
      makeRoof(home, 4, 1, { location: { id: null, latitude: 48.1, longitude: 11.6, lastUpdated: null } }),
    ];
    const first = await home.start();
    for (const roof of [...roofs, ...others]) await addRoof(first, roof);
    await advance(home, first, roofs, DAY_MS);
    expect(first.state.adjustment.factor).toBeNull();
    expect(first.state.adjustment.hours).toBeGreaterThan(8);
    expect(first.ahead().every(({ adjustedW }) => adjustedW === null)).toBe(true);
    await advance(home, first, roofs, 1.5 * DAY_MS);
    expect(first.state.adjustment.factor).toBeCloseTo(0.8, 1);
    const bright = first.ahead().filter(({ powerW }) => powerW > 1_000);
    const { factor } = first.state.adjustment;
    expect(bright.map(({ adjustedW }) => adjustedW)).toEqual(bright.map(({ powerW }) => Math.round(powerW * factor!)));
    await first.close();
    const second = await home.start();
    await second.pass(2 * MINUTE_MS);
    expect(second.state.adjustment.factor).toBeCloseTo(0.8, 1);
    await second.close();
  });

  test("The adjustment leaves out hours in which an inverter did not report", async () => {
    const home = new ForecastHome(METEO);
    const roofs = [makeRoof(home, 1, 0.6), makeRoof(home, 2, 0.3)];
    const running = await home.start();
    for (const roof of roofs) await addRoof(running, roof);
    await advance(home, running, roofs, 2 * DAY_MS);
    const { hours } = running.state.adjustment;
    roofs[1]!.isReporting = false;
    await advance(home, running, roofs, DAY_MS);
    expect(running.state.adjustment.hours).toBeLessThanOrEqual(hours + 1);
    expect(running.state.adjustment.factor).toBeCloseTo(0.9, 1);
    await running.close();
  });

  test("The adjustment leaves out hours in which an inverter was held at a limit, also after a restart", async () => {
    const home = new ForecastHome(METEO);
    const roof = makeRoof(home, 1, 1);
    const first = await home.start();
    await addRoof(first, roof);
    const curtailed = new CurtailedHours({ clock: first.process.platform.clock, store: first.store });
    for (let hour = 0; hour < 3 * 24; hour += 1) {
      // Around noon a feed-in limit leaves half of it.
      const isNoon = new Date(home.nowMs).getUTCHours() >= 10 && new Date(home.nowMs).getUTCHours() < 13;
      roof.share = isNoon ? 0.5 : 1;
      await advance(home, first, [roof], SAMPLE_MS);
      const limitPct = isNoon ? 40 : 100;
      curtailed.note({ inverters: [inverterView({ powerW: 4_000, ratedW: 10_000, limitPct })] });
      await advance(home, first, [roof], HOUR_MS - SAMPLE_MS);
    }
    expect(first.state.adjustment.factor).toBeCloseTo(1, 1);
    expect(first.state.adjustment.hours).toBeGreaterThanOrEqual(24);
    await first.close();
    const second = await home.start();
    await second.pass(2 * MINUTE_MS);
    expect(second.state.adjustment.factor).toBeCloseTo(1, 1);
    await second.close();
  });

  test("The adjusted forecast is never above the power of the inverters", async () => {
    const home = new ForecastHome({ ...METEO, inverterKw: 5 });
    const roofs = [makeRoof(home, 1, 1.4)];
    const running = await home.start();
    await addRoof(running, roofs[0]!);
    await advance(home, running, roofs, 2.5 * DAY_MS);
    expect(running.state.adjustment.factor).toBeGreaterThan(1.2);
    expect(Math.max(...running.ahead().map(({ adjustedW }) => adjustedW!))).toBe(5_000);
    await running.close();
  });
});

describe("forecast finding", () => {
  const EACH_MS = 10 * MINUTE_MS;

  test("A forecast twice too high for 14 days opens a finding, scales by no less than half, and closes once it fits", async () => {
    const home = new ForecastHome(METEO);
    const roof = makeRoof(home, 1, 0.45);
    const first = await home.start();
    await addRoof(first, roof);
    await advance(home, first, [roof], 12.5 * DAY_MS, EACH_MS);
    expect(first.forecasts.finding()).toBeNull();
    await advance(home, first, [roof], 2 * DAY_MS, EACH_MS);
    expect(first.forecasts.finding()).toMatchObject({ state: "OPEN", text: expect.stringContaining("times 0.50") });
    const { adjustment } = first.state;
    expect(adjustment).toMatchObject({ factor: 0.5 });
    expect(first.ahead().every(({ powerW, adjustedW }) => adjustedW === Math.round(powerW / 2))).toBe(true);
    expect(first.process.log.texts("warn")).toEqual([
      "finding opened: for two weeks the production is far from the forecast",
    ]);
    await home.world.clock.resolve(first.forecasts.dismiss(), MINUTE_MS);
    first.kill();
    const second = await home.start();
    await second.pass(2 * MINUTE_MS);
    expect(second.forecasts.finding()?.state).toBe("DISMISSED");
    roof.share = 1;
    await advance(home, second, [roof], 7 * DAY_MS, EACH_MS);
    expect(second.forecasts.finding()).toBeNull();
    await second.close();
  });

  test("A forecast twice too low for 14 days opens a finding, and is raised to 1.2 times the peak power at most", async () => {
    const home = new ForecastHome({ ...METEO, planes: [{ ...SOUTH_ROOF, peakKw: 2 }] });
    const roof = makeRoof(home, 1, 2.5);
    const running = await home.start();
    await addRoof(running, roof);
    await advance(home, running, [roof], 14.5 * DAY_MS, EACH_MS);
    expect(running.forecasts.finding()?.text).toContain("whether all panels are listed");
    expect(running.state.adjustment.factor).toBe(2);
    expect(Math.max(...running.ahead().map(({ adjustedW }) => adjustedW!))).toBe(2_400);
    await running.close();
  });
});

function makeLocation(number: number, latitude: number): LocationEntry {
  const fields = { userId: "home", createdAt: "2026-01-01T00:00:00.000Z", name: "House", timezoneName: "UTC" };
  return { location: { id: uuid(number), ...fields, latitude, longitude: 10 }, createdAtMs: number };
}

describe("place of the panels", () => {
  test("The place of the panels is the forecast's, else the site's, else the owner's first location", async () => {
    const requestedLatitude = async (home: ForecastHome): Promise<number | undefined> => {
      const running = await home.start();
      await running.pass(5 * MINUTE_MS);
      await running.close();
      return home.openMeteo.planes[0]?.latitude;
    };
    const nowhere = { ...METEO, place: null };
    const locations = [makeLocation(2, 42), makeLocation(1, 41)];
    const all = new ForecastHome(METEO, { site: { latitude: 50, longitude: 10 } });
    all.moveTo(...locations);
    expect(await requestedLatitude(all)).toBe(PLACE.latitude);
    const site = new ForecastHome(nowhere, { site: { latitude: 50, longitude: 10 } });
    site.moveTo(...locations);
    expect(await requestedLatitude(site)).toBe(50);
    const first = new ForecastHome(nowhere);
    first.moveTo(...locations);
    expect(await requestedLatitude(first)).toBe(41);
  });

  test("The forecast waits for a place, and is dropped when the place changes", async () => {
    const home = new ForecastHome({ ...METEO, place: null });
    const running = await home.start();
    await running.pass(HOUR_MS);
    expect(home.openMeteo.asked).toEqual([]);
    expect(running.state).toMatchObject({ nextFetchMs: null, problem: { kind: "not-set-up" } });
    home.moveTo(makeLocation(1, 41));
    await running.pass(2 * MINUTE_MS);
    expect(running.state.problem).toBeNull();
    const known = running.ahead();
    expect(known.length).toBeGreaterThan(96);
    home.moveTo(makeLocation(1, 61));
    expect(running.state.fetchedAtMs).toBeNull();
    await running.pass(2 * MINUTE_MS);
    expect(home.openMeteo.planes.map(({ latitude }) => latitude)).toEqual([41, 61]);
    expect(running.ahead()).not.toEqual(known);
    await running.close();
  });
});

describe("forecast configuration", () => {
  test("Without a configured forecast no request is sent", async () => {
    const home = new ForecastHome(undefined);
    const running = await home.start();
    await running.pass(HOUR_MS);
    expect(running.state).toMatchObject({ source: null, problem: null, nextFetchMs: null });
    expect(running.ahead()).toEqual([]);
    await running.close();
  });

  test("A configuration with an unknown source is reported as a problem, and no request is sent", async () => {
    const home = new ForecastHome({ source: "unknown" });
    const running = await home.start();
    await running.pass(HOUR_MS);
    expect(running.state.problem).toMatchObject({
      kind: "not-set-up",
      text: expect.stringContaining("forecast.source"),
    });
    expect(running.process.log.texts("error")).toEqual(["forecast configuration is wrong; no forecast is fetched"]);
    await running.close();
  });

  test("After a change of the panels the forecast of the old panels is not shown", async () => {
    const home = new ForecastHome(METEO);
    const first = await home.start();
    await first.pass(5 * MINUTE_MS);
    expect(first.ahead().length).toBeGreaterThan(96);
    await first.close();
    home.settings = { ...METEO, planes: [{ ...SOUTH_ROOF, peakKw: 1 }] };
    const second = await home.start();
    expect(second.ahead()).toEqual([]);
    await second.pass(5 * MINUTE_MS);
    expect(Math.max(...second.ahead().map(({ powerW }) => powerW))).toBeLessThan(1_000);
    await second.close();
  });

  test("After a change of a plane's name or of the key the forecast is kept", async () => {
    const home = new ForecastHome(METEO);
    const first = await home.start();
    await first.pass(5 * MINUTE_MS);
    const known = first.ahead();
    await first.close();
    home.settings = { ...METEO, planes: [{ ...SOUTH_ROOF, name: "Roof" }], key: "a-key" };
    const second = await home.start();
    expect(second.forecasts.between(known[0]!.fromMs, known.at(-1)!.toMs)).toEqual(known);
    await second.close();
  });
});

const KEY = "canary-7f3a91";

describe("forecast keys", () => {
  test.each([
    ["forecast-solar", { ...METEO, source: "forecast-solar", key: KEY }],
    ["open-meteo", { ...METEO, key: KEY }],
    ["solcast", { source: "solcast", sites: ["aaaa-1111"], key: KEY }],
  ])("Key and place of %s appear in no log line, no problem and nothing on disk", async (_id, settings) => {
    const home = new ForecastHome(settings);
    const running = await home.start();
    const texts: string[] = [];
    for (const trouble of ["down", "hang", "break", "limited", "portal", "cut", null] as const) {
      for (const twin of [home.forecastSolar, home.openMeteo, home.solcast]) twin.trouble = trouble;
      await running.pass(3 * HOUR_MS);
      texts.push(JSON.stringify(running.state));
    }
    home.online(false);
    await running.pass(2 * HOUR_MS);
    texts.push(JSON.stringify([running.state, running.process.log.lines]));
    const { store } = running;
    texts.push(JSON.stringify([store.all("forecast"), store.all("forecast-quota")]));
    expect(
      home[
        settings.source === "forecast-solar" ? "forecastSolar" : settings.source === "solcast" ? "solcast" : "openMeteo"
      ].asked.length,
    ).toBeGreaterThan(0);
    expect(texts.join("\n")).not.toContain(KEY);
    expect(texts.join("\n")).not.toContain("52.52");
    await running.close();
  });
});
