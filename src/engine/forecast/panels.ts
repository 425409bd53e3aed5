import { createHash } from "node:crypto";
import type { ForecastSettings } from "../../config/forecast-problems.ts";
import type { Coordinates } from "../../domain/assets/whereabouts.ts";
import type { ForecastRequest, ForecastSlot, ForecastSource } from "../../sdk/forecast-source.ts";

const W_PER_KW = 1_000;
/** The edges of clouds and a snowy field take a cold module above its peak power, but not to this. */
const MOST_OF_PEAK = 2;

/** One of the requests that make a forecast, and how its answer is read. */
export interface Asking {
  readonly request: ForecastRequest;
  read(body: unknown): readonly ForecastSlot[] | null;
}

/** The panels of the house, as a source is asked about them. */
export interface Panels {
  readonly askings: readonly Asking[];
  /** A hash of the source and of what the panels are. */
  readonly hash: string;
  /** A hash of all that the source is asked with, names and key included. */
  readonly setup: string;
  /** Where they are, as far as somebody knows. */
  readonly place: Coordinates | null;
}

/** Null: the source has to know where they are, and nobody does. */
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
    const askings = sites.map((id) => ({
      request: source.request(id, key),
      read: (body: unknown) => source.read(body),
    }));
    return { askings, ...shared };
  }
  if (place === null) return null;
  const askings = planes.map((given): Asking => {
    const { lossesFraction = null, noct = null, temperatureCoefficient = null } = given;
    const plane = { ...given, ...place, lossesFraction, noct, temperatureCoefficient };
    const read: Asking["read"] = (body) => possible(source.read(body, plane), plane.peakKw);
    return { request: source.request(plane, key), read };
  });
  return { askings, ...shared };
}

/** Null: no modules of this power give that. */
function possible(slots: readonly ForecastSlot[] | null, peakKw: number): readonly ForecastSlot[] | null {
  const mostW = MOST_OF_PEAK * peakKw * W_PER_KW;
  return slots?.every(({ powerW }) => powerW <= mostW) === true ? slots : null;
}

function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
