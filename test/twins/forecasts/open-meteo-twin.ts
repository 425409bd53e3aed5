/**
 * open-meteo.com, after open-meteo.com/en/docs: columns beside each other, radiation as the mean of the quarter hour before
 * its time, temperature of the moment, local times unless others are asked for, and reasons where it refuses.
 */
import { Temporal } from "temporal-polyfill";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "../clouds/cloud-twin.ts";
import { irradianceAt, meanIrradiance, type SkyPlane } from "./sky.ts";

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 96 * QUARTER_MS;
const MINUTE_MS = 60_000;
const PER_MINUTE = 600;

type Column = "global_tilted_irradiance" | "global_tilted_irradiance_instant" | "temperature_2m";
const COLUMNS: readonly string[] = ["global_tilted_irradiance", "global_tilted_irradiance_instant", "temperature_2m"];

export class OpenMeteoTwin extends CloudTwin {
  override readonly hosts = ["api.open-meteo.com", "customer-api.open-meteo.com"];
  readonly keys = new Set<string>();
  /** °C, at any time. */
  temperature: (atMs: number) => number = () => 20;
  /** True: radiation is below 0 around sunset, as it is now and then. */
  hasNegativeSun = false;
  /** Times that it knows nothing of. */
  isUnknown: (atMs: number) => boolean = () => false;
  /** Which of its limits is used up; null: none. */
  usedUp: "Minutely" | "Hourly" | "Daily" | null = null;
  readonly planes: SkyPlane[] = [];
  #asked: readonly number[] = [];

  protected override answer({ url }: AskedOfTwin): SimWebAnswer {
    const query = url.searchParams;
    const key = query.get("apikey");
    const isCustomer = url.hostname.startsWith("customer-");
    if (isCustomer && (key === null || !this.keys.has(key))) return refusal("The supplied API key is invalid.");
    const numbers = ["latitude", "longitude", "tilt", "azimuth"].map((name) => Number(query.get(name) ?? Number.NaN));
    const [latitude = 0, longitude = 0, tilt = 0, southAzimuth = 0] = numbers;
    if (Math.abs(latitude) > 90 || numbers.some(Number.isNaN))
      return refusal("Latitude must be in range of -90 to 90°.");
    if (Math.abs(southAzimuth) > 180) return refusal("Azimuth must be in range of -180 to 180.");
    const unknown = (query.get("minutely_15") ?? "").split(",").find((name) => !COLUMNS.includes(name));
    if (unknown !== undefined) return refusal(`Cannot initialize variable from invalid String value ${unknown}.`);
    const nowMs = this.clock.monotonicMs();
    this.#asked = [...this.#asked.filter((atMs) => atMs + MINUTE_MS > nowMs), nowMs];
    if (this.#asked.length > PER_MINUTE || this.usedUp !== null) return this.limited();
    const plane = { latitude, longitude, tilt, southAzimuth };
    this.planes.push(plane);
    return jsonAnswer(this.#forecast(plane, query));
  }

  protected override limited(): SimWebAnswer {
    const again = { Minutely: "in one minute", Hourly: "in the next hour", Daily: "tomorrow" } as const;
    const limit = this.usedUp ?? "Minutely";
    const reason = `${limit} API request limit exceeded. Please try again ${again[limit]}.`;
    return jsonAnswer({ error: true, reason }, 429);
  }

  #forecast(plane: SkyPlane, query: URLSearchParams): unknown {
    const zone = query.get("timezone") ?? "GMT";
    const here = Temporal.Instant.fromEpochMilliseconds(this.clock.nowMs()).toZonedDateTimeISO(
      zone === "GMT" ? "UTC" : zone,
    );
    const startMs = here.startOfDay().epochMilliseconds;
    const steps = (Number(query.get("forecast_days") ?? 7) * DAY_MS) / QUARTER_MS;
    const times = Array.from({ length: steps }, (_, index) => startMs + index * QUARTER_MS);
    const isUnix = query.get("timeformat") === "unixtime";
    const offset = here.offsetNanoseconds / 1_000_000;
    const text = (atMs: number): string => new Date(atMs + offset).toISOString().slice(0, 16);
    const names = (query.get("minutely_15") ?? "").split(",") as readonly Column[];
    const columns = names.map((name) => [name, times.map((atMs) => this.#value(name, atMs, plane))] as const);
    return {
      latitude: plane.latitude,
      longitude: plane.longitude,
      utc_offset_seconds: offset / 1_000,
      timezone: zone,
      minutely_15_units: {
        time: isUnix ? "unixtime" : "iso8601",
        global_tilted_irradiance: "W/m²",
        temperature_2m: "°C",
      },
      minutely_15: {
        time: times.map((atMs) => (isUnix ? atMs / 1_000 : text(atMs))),
        ...Object.fromEntries(columns),
      },
    };
  }

  #value(name: Column, atMs: number, plane: SkyPlane): number | null {
    if (this.isUnknown(atMs)) return null;
    if (name === "temperature_2m") return this.temperature(atMs);
    if (name === "global_tilted_irradiance_instant") return tenths(irradianceAt(atMs, plane));
    const mean = meanIrradiance(atMs - QUARTER_MS, atMs, plane);
    return this.hasNegativeSun && mean < 20 ? -84 : tenths(mean);
  }
}

function refusal(reason: string): SimWebAnswer {
  return jsonAnswer({ error: true, reason }, 400);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
