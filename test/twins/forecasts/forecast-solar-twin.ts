/**
 * forecast.solar, after doc.forecast.solar/api: local times unless others are asked for, sunrise and sunset between whole
 * hours, twelve requests an hour for an address, and PHP's empty list where there is nothing.
 */
import { Temporal } from "temporal-polyfill";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "../clouds/cloud-twin.ts";
import { daylight, irradianceAt, type SkyPlane } from "./sky.ts";

const HOUR_MS = 3_600_000;
const PER_HOUR = 12;
const DAYS = 2;
const PATH = /^(?:\/([^/]+))?\/estimate\/([^/]+)\/([^/]+)\/(\d+)\/(-?\d+)\/([\d.]+)$/;

interface AskedPlane extends SkyPlane {
  readonly peakKw: number;
}

export class ForecastSolarTwin extends CloudTwin {
  override readonly hosts = ["api.forecast.solar"];
  /** Of accounts that pay. */
  readonly keys = new Set<string>();
  /** Of the place, as the service finds it. */
  zone = "Europe/Berlin";
  /** Of what falls onto the modules, what comes out. */
  share = 0.8;
  /** The planes that it was asked about, oldest first. */
  readonly planes: AskedPlane[] = [];
  /** Monotonic ms. */
  #answered: readonly number[] = [];

  protected override answer({ url }: AskedOfTwin): SimWebAnswer {
    const [path, key, latitude, longitude, tilt, azimuth, peakKw] = PATH.exec(url.pathname) ?? [];
    // Whatever is not formed like this is refused before the service looks at it.
    if (path === undefined) return { status: 404, headers: { "content-type": "text/html" }, body: "Page not found" };
    if (key !== undefined && !this.keys.has(decodeURIComponent(key))) return refusal(401, "Invalid API key");
    const plane = {
      latitude: Number(latitude),
      longitude: Number(longitude),
      tilt: Number(tilt),
      southAzimuth: Number(azimuth),
      peakKw: Number(peakKw),
    };
    if (Math.abs(plane.latitude) > 90 || plane.tilt > 90 || Math.abs(plane.southAzimuth) > 180) {
      return refusal(422, "Invalid plane");
    }
    const nowMs = this.clock.monotonicMs();
    this.#answered = this.#answered.filter((atMs) => atMs + HOUR_MS > nowMs);
    if (this.#answered.length >= PER_HOUR) return this.limited();
    this.#answered = [...this.#answered, nowMs];
    this.planes.push(plane);
    return jsonAnswer(this.#estimate(plane, url.searchParams.get("time") === "utc"));
  }

  protected override limited(): SimWebAnswer {
    const [oldestMs = this.clock.monotonicMs()] = this.#answered;
    const retryAtMs = Math.floor(this.clock.nowMs() + oldestMs + HOUR_MS - this.clock.monotonicMs());
    const ratelimit = {
      zone: "YOUR IP ADDRESS",
      period: 3_600,
      limit: PER_HOUR,
      "retry-at": iso(retryAtMs, this.zone),
    };
    const text = "Rate limit for API calls reached.";
    return jsonAnswer({ result: text, message: { code: 429, type: "error", text, pid: "0F5m6R53", ratelimit } }, 429);
  }

  /** The means that it would tell, W, from one of its times to the next. */
  truth(plane: AskedPlane): readonly { readonly fromMs: number; readonly toMs: number; readonly powerW: number }[] {
    return this.#days(plane).flatMap((times) =>
      times.slice(1).map((toMs, index) => {
        const fromMs = times[index] ?? toMs;
        return { fromMs, toMs, powerW: (this.#watts(fromMs, plane, times) + this.#watts(toMs, plane, times)) / 2 };
      }),
    );
  }

  #estimate(plane: AskedPlane, isUtc: boolean): unknown {
    const text = (atMs: number): string => (isUtc ? iso(atMs, "UTC") : local(atMs, this.zone));
    const watts: [string, number][] = [];
    const periods: [string, number][] = [];
    for (const times of this.#days(plane)) {
      for (const [index, atMs] of times.entries()) {
        const beforeMs = times[index - 1] ?? atMs;
        const mean = (this.#watts(beforeMs, plane, times) + this.#watts(atMs, plane, times)) / 2;
        watts.push([text(atMs), Math.round(this.#watts(atMs, plane, times))]);
        periods.push([text(atMs), Math.round((mean * (atMs - beforeMs)) / HOUR_MS)]);
      }
    }
    return {
      result: { watts: php(watts), watt_hours_period: php(periods), watt_hours_day: php([]) },
      message: {
        code: 0,
        type: "success",
        text: "",
        info: { latitude: plane.latitude, longitude: plane.longitude, place: "Somewhere", timezone: this.zone },
        ratelimit: { period: 3_600, limit: PER_HOUR, remaining: PER_HOUR - this.#answered.length },
      },
    };
  }

  /** The times of each day on which the sun rises. */
  #days(plane: AskedPlane): readonly (readonly number[])[] {
    const today = Temporal.Instant.fromEpochMilliseconds(this.clock.nowMs())
      .toZonedDateTimeISO(this.zone)
      .toPlainDate();
    return Array.from({ length: DAYS }, (_, days) => {
      const date = today.add({ days });
      const fromMs = date.toZonedDateTime(this.zone).epochMilliseconds;
      const toMs = date.add({ days: 1 }).toZonedDateTime(this.zone).epochMilliseconds;
      const light = daylight(fromMs, toMs, plane);
      if (light === null) return [];
      const hours: number[] = [];
      for (let atMs = Math.floor(light.riseMs / HOUR_MS + 1) * HOUR_MS; atMs < light.setMs; atMs += HOUR_MS)
        hours.push(atMs);
      return [light.riseMs, ...hours, light.setMs];
    }).filter((times) => times.length > 0);
  }

  #watts(atMs: number, plane: AskedPlane, times: readonly number[]): number {
    if (atMs === times[0] || atMs === times.at(-1)) return 0;
    return irradianceAt(atMs, plane) * plane.peakKw * this.share;
  }
}

function refusal(status: number, text: string): SimWebAnswer {
  return jsonAnswer({ result: null, message: { code: status, type: "error", text, pid: "w40kJP6l" } }, status);
}

function php(rows: readonly (readonly [string, number])[]): unknown {
  return rows.length === 0 ? [] : Object.fromEntries(rows);
}

function iso(atMs: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never", smallestUnit: "second" });
}

function local(atMs: number, zone: string): string {
  return iso(atMs, zone).slice(0, 19).replace("T", " ");
}
