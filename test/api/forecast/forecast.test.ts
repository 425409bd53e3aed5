import { describe, expect, test } from "vitest";
import { FORECAST_SOURCES } from "../../../adapters/forecasts/sources.ts";
import { ForecastConfig } from "../../../src/config/forecast-config.ts";
import type { ForecastView } from "../../../src/domain/forecast/forecast-view.ts";
import { makeHome } from "../../engine/home.ts";
import { OpenMeteoTwin } from "../../twins/forecasts/open-meteo-twin.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SETTINGS = {
  source: "open-meteo",
  place: { latitude: 52.52, longitude: 13.405 },
  planes: [{ tilt: 30, azimuth: 180, peakKw: 10 }],
};

async function openSunnyHouse(config: object = {}, now = "2026-06-21T00:00:00Z") {
  const home = makeHome(1, { forecast: ForecastConfig.parse(SETTINGS), forecastSources: FORECAST_SOURCES });
  home.world.clock.setWallMs(Date.parse(now));
  const twin = new OpenMeteoTwin(home.world.clock);
  twin.join(home.world.web, "93.184.1.10");
  const house = await openRealHouse({ home, config });
  await house.pass(5 * MINUTE_MS);
  return { house, twin };
}

async function forecast(house: RealHouse): Promise<ForecastView> {
  return (await house.ask({ url: "/local/forecast" })).json<ForecastView>();
}

describe("GET /local/forecast", () => {
  test("tells the slots of today and later, in kW, where they come from and when they are renewed", async () => {
    const { house } = await openSunnyHouse();
    await using _open = house;
    const nowMs = house.home.world.clock.nowMs();
    const { slots, ...rest } = await forecast(house);
    expect(rest).toMatchObject({ source: { id: "open-meteo", displayName: "Open-Meteo" }, problem: null });
    expect(Date.parse(rest.lastFetchedAt ?? "")).toBeLessThanOrEqual(nowMs);
    expect(Date.parse(rest.nextFetchAt ?? "")).toBeGreaterThan(nowMs + 50 * MINUTE_MS);
    expect(rest.knownUntil).toBe(slots.at(-1)?.to);
    expect(rest.adjustment).toEqual({ factor: null, hours: 0, forecast: null, measured: null });
    expect(slots[0]).toMatchObject({ from: "2026-06-21T00:00:00.000Z", to: "2026-06-21T00:15:00.000Z" });
    const peak = Math.max(...slots.map(({ power }) => power));
    expect(peak).toBeGreaterThan(5);
    expect(peak).toBeLessThan(10);
    expect(
      slots.every(
        ({ power10, power90, adjustedPower }) => power10 === null && power90 === null && adjustedPower === null,
      ),
    ).toBe(true);
  });

  test("begins with the house's own midnight, also on the day of 25 hours", async () => {
    const { house } = await openSunnyHouse({ site: { timezone: "Europe/Berlin" } }, "2026-10-24T21:30:00Z");
    await using _open = house;
    const first = async (now: string): Promise<string | undefined> => {
      house.home.world.clock.setWallMs(Date.parse(now));
      return (await forecast(house)).slots[0]?.from;
    };
    expect(await first("2026-10-24T21:40:00Z")).toBe("2026-10-24T21:30:00.000Z");
    expect(await first("2026-10-24T22:00:00Z")).toBe("2026-10-24T22:00:00.000Z");
    expect(await first("2026-10-25T22:59:00Z")).toBe("2026-10-24T22:00:00.000Z");
    expect(await first("2026-10-25T23:00:00Z")).toBe("2026-10-25T23:00:00.000Z");
  });

  test("tells what keeps it from being renewed, and what was known all the same", async () => {
    const { house, twin } = await openSunnyHouse();
    await using _open = house;
    const before = await forecast(house);
    twin.trouble = "down";
    await house.pass(3 * HOUR_MS);
    const after = await forecast(house);
    expect(after.slots).toEqual(before.slots);
    expect(after).toMatchObject({
      lastFetchedAt: before.lastFetchedAt,
      problem: { kind: "unavailable", text: "api.open-meteo.com answered 503", since: expect.any(String) },
    });
  });

  test("tells that none is configured", async () => {
    await using house = await openRealHouse();
    expect(await forecast(house)).toEqual({
      source: null,
      lastFetchedAt: null,
      knownUntil: null,
      nextFetchAt: null,
      problem: null,
      adjustment: { factor: null, hours: 0, forecast: null, measured: null },
      slots: [],
    });
  });

  test("needs a token", async () => {
    await using house = await openRealHouse();
    expect((await house.ask({ url: "/local/forecast", headers: { authorization: "" } })).statusCode).toBe(401);
  });
});

/** The house after two weeks in which the panels produced half of their forecast: started again with what that leaves stored. */
async function openMismatchedHouse(): Promise<RealHouse> {
  const { house } = await openSunnyHouse();
  const { home } = house;
  const { clock } = home.world;
  await house[Symbol.asyncDispose]();
  // A stop puts the forecast on disk.
  const { store, close } = await home.start();
  const stored = store.get("forecast", "site");
  if (stored === null) throw new Error("no forecast is stored");
  const mismatch = { sinceMs: clock.nowMs(), isDismissed: false, factor: 0.5, forecastKwh: 812.4, measuredKwh: 402 };
  const put = { ...stored, mismatch };
  await clock.resolve(store.commit([{ table: "forecast", key: "site", put }], []), MINUTE_MS);
  await close();
  return await openRealHouse({ home });
}

async function forecastFindings(house: RealHouse): Promise<readonly { readonly id: string; readonly state: string }[]> {
  const all = (await house.ask({ url: "/local/checks" })).json<{ id: string; check: string; state: string }[]>();
  return all.filter(({ check }) => check === "forecast");
}

describe("the finding that the panels do not produce what is forecast", () => {
  test("cannot be confirmed: the answer is 409 and says what helps, and the finding stays open", async () => {
    await using house = await openMismatchedHouse();
    const [finding] = await forecastFindings(house);
    const confirmed = await house.ask({ method: "POST", url: `/local/checks/${finding?.id}/confirm` });
    expect([confirmed.statusCode, confirmed.json().detail]).toEqual([
      409,
      "Only right settings of the panels help: change them, or dismiss the finding.",
    ]);
    expect(await forecastFindings(house)).toMatchObject([{ state: "OPEN" }]);
  });

  test("is quiet once it is dismissed, in the language that is asked for, and over a restart", async () => {
    const house = await openMismatchedHouse();
    {
      await using _ = house;
      const [finding] = await forecastFindings(house);
      const url = `/local/checks/${finding?.id}/dismiss?language=de-DE`;
      const dismissed = await house.ask({ method: "POST", url });
      expect([dismissed.statusCode, dismissed.json()]).toMatchObject([
        200,
        { check: "forecast", state: "DISMISSED", fix: null, measured: expect.stringContaining("402\u00a0kWh") },
      ]);
      expect(dismissed.json().measured).toContain("Prognose");
    }
    await using restarted = await openRealHouse({ home: house.home });
    expect(await forecastFindings(restarted)).toMatchObject([{ state: "DISMISSED" }]);
  });

  test("is not found where the panels produce what is forecast", async () => {
    const { house } = await openSunnyHouse();
    await using _open = house;
    for (const verdict of ["confirm", "dismiss"]) {
      const answer = await house.ask({ method: "POST", url: `/local/checks/forecast-mismatch/${verdict}` });
      expect(answer.statusCode).toBe(404);
    }
  });
});
