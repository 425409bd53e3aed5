import { createHash } from "node:crypto";
import type { ForecastSettings } from "../../config/forecast-problems.ts";
import type { Coordinates } from "../../domain/assets/asset-location.ts";
import type { ForecastRequest, ForecastSlot, ForecastSource } from "../../sdk/forecast-source.ts";

const W_PER_KW = 1_000;
/** Cloud edges and snow can raise a cold module above its peak power, but never to this factor. */
const MAX_PEAK_FACTOR = 2;

/** One of the requests that a forecast needs, and how its answer is read. */
export interface PanelRequest {
  readonly request: ForecastRequest;
  read(body: unknown): readonly ForecastSlot[] | null;
}

/** The panels of the house with the requests for their forecast. */
export interface Panels {
  readonly requests: readonly PanelRequest[];
  /** A hash of the source and the panels. */
  readonly hash: string;
  /** A hash of the complete configuration, including names and key. */
  readonly setup: string;
  /** `null` if unknown. */
  readonly place: Coordinates | null;
}

/** Returns the panels; `null` if the source needs their place and it is unknown. */
export function panelsOf(source: ForecastSource, settings: ForecastSettings, place: Coordinates | null): Panels | null {
  const { key, sites, inverterKw } = settings;
  const planes = settings.planes.map(({ name: _name, ...plane }) => plane);
  const where = source.panels === "sites" ? null : place;
  const shared = {
    hash: hashOf([source.id, planes, sites, inverterKw, where]),
    setup: hashOf([settings, where]),
    place,
  };
  if (source.panels === "sites") {
    const requests = sites.map((id) => ({
      request: source.request(id, key),
      read: (body: unknown) => source.read(body),
    }));
    return { requests, ...shared };
  }
  if (place === null) return null;
  const requests = planes.map((configured): PanelRequest => {
    const { lossesFraction = null, noct = null, temperatureCoefficient = null } = configured;
    const plane = { ...configured, ...place, lossesFraction, noct, temperatureCoefficient };
    const read: PanelRequest["read"] = (body) => plausible(source.read(body, plane), plane.peakKw);
    return { request: source.request(plane, key), read };
  });
  return { requests, ...shared };
}

/** Returns the slots; `null` if one of them is above what modules of this peak power can produce. */
function plausible(slots: readonly ForecastSlot[] | null, peakKw: number): readonly ForecastSlot[] | null {
  const maxW = MAX_PEAK_FACTOR * peakKw * W_PER_KW;
  return slots?.every(({ powerW }) => powerW <= maxW) === true ? slots : null;
}

function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
