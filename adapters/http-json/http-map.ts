/** A profile made ready for one device: paths read, settings filled in, requests in the order in which they are sent. */
import {
  evaluate,
  type FormulaScope,
  type FormulaValue,
  formulaKeys,
  type PointName,
  type PollClass,
} from "hemgate/sdk";
import type { CompiledField } from "./field-value.ts";
import type { HttpField, HttpPoint, HttpPoll, HttpProfile } from "./http-profile.ts";
import { fillPath } from "./path-settings.ts";
import { isPointName } from "./point-name.ts";
import { parsePath, referencesOf } from "./value-path.ts";

export interface MapPoint {
  readonly key: string;
  readonly compiled: CompiledField;
  readonly states: HttpPoint["states"];
}

interface MapDerived {
  readonly point: PointName;
  readonly from: readonly string[];
  value(scope: FormulaScope): FormulaValue;
}

export interface HttpMap {
  readonly profile: HttpProfile;
  readonly polls: readonly HttpPoll[];
  /** By the id of the request. */
  readonly points: ReadonlyMap<string, readonly MapPoint[]>;
  readonly derived: readonly MapDerived[];
  readonly pointNames: readonly PointName[];
}

const ORDER: readonly PollClass[] = ["fast", "normal", "slow"];

/** Makes the map. A setting without a value leaves its points out. */
export function httpMap(profile: HttpProfile, setting: (name: string) => string | null): HttpMap {
  const points = new Map<string, MapPoint[]>(profile.polls.map(({ id }) => [id, []]));
  const needed = new Set<string>();
  for (const point of profile.points) {
    const compiled = compileField(point, setting);
    if (compiled === null) continue;
    points.get(point.from)?.push({ key: point.key, compiled, states: point.states });
    for (const key of referencesOf(compiled.path)) {
      needed.add(profile.points.find((each) => each.key === key)?.from ?? "");
    }
  }
  const derived = profile.derived.map(({ point, value }) => {
    const keys = formulaKeys(value);
    return {
      point,
      // What is made of settings and writes only is reported whenever the device is read.
      from: keys.length === 0 ? profile.points.map(({ key }) => key) : keys,
      value: (scope: FormulaScope) => evaluate(value, scope),
    };
  });
  const read = [...points.values()].flat().map(({ key }) => key);
  const rank = ({ id, poll }: HttpPoll): number => (needed.has(id) ? -1 : ORDER.indexOf(poll));
  return {
    profile,
    polls: profile.polls.toSorted((one, other) => rank(one) - rank(other)),
    points,
    derived,
    pointNames: [...new Set([...read.filter(isPointName), ...derived.map(({ point }) => point)])],
  };
}

/** Null when a setting that a path needs has no value. */
export function compileField(field: HttpField, setting: (name: string) => string | null): CompiledField | null {
  const path = fillPath(field.path, setting);
  const validAt = field.validAt === undefined ? null : fillPath(field.validAt, setting);
  if (path === null || (field.validAt !== undefined && validAt === null)) return null;
  return { field, path: parsePath(path), validPath: validAt === null ? null : parsePath(validAt) };
}
