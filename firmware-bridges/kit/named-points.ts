import { type ControlPoint, DeviceError, type PointName } from "hemgate/sdk";
import type { Intake } from "./bridge.ts";
import { conversionTo, type ToPoint } from "./units.ts";

/** A point that the configuration names: what the device calls it, and how its unit becomes the point's. */
export interface NamedPoint {
  readonly point: PointName;
  readonly name: string;
  readonly convert: ToPoint;
  /** Null: none was named. */
  readonly unit: string | null;
}

const SWITCHED = new Set<PointName>(["charger.enabled"] satisfies readonly ControlPoint[]);

/**
 * Reads `points` of the options, each `name` or `name unit`; without a unit it is the point's own. Throws a
 * `DeviceError("rejected")` for a unit that does not measure the point.
 */
export function namedPoints(points: ReadonlyMap<PointName, string>, bridge: string): readonly NamedPoint[] {
  return [...points].map(([point, text]) => {
    const [, name = text, unit = null] = /^(.*\S)\s+(\S+)$/.exec(text.trim()) ?? [];
    if (unit === null || SWITCHED.has(point)) return { point, name, unit, convert: (value: number) => value };
    const convert = conversionTo(unit, point);
    if (convert === null) throw new DeviceError("rejected", `${bridge}: points: ${unit} does not measure ${point}`);
    return { point, name, unit, convert };
  });
}

/** Turns the sign of a named power where the device counts the other way round. */
export function tellNamed(intake: Intake, named: NamedPoint, raw: unknown, isInverted: boolean): void {
  const sign = isInverted && /\.power(\.l[123])?$/.test(named.point) ? -1 : 1;
  intake.number(named.point, raw, (value) => named.convert(value) * sign);
}
