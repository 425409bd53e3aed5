/** Writes readings in InfluxDB's line protocol: `measurement,tag=value field=value milliseconds`. */
import type { PointName, PointValue } from "../../points/points.ts";
import { isPlace, unitName } from "../export/export-table.ts";
import type { HousePower } from "../hem/hem-power.ts";

type FieldValue = number | string | boolean;

export interface Line {
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
  /** At least one. */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** A reading with the time at which it was taken, wall-clock ms. */
export interface TimedReading {
  readonly point: PointName;
  readonly value: PointValue | null;
  readonly atMs: number;
}

/** Formats a line, with its line break. */
export function lineText({ measurement, tags, fields, atMs }: Line): string {
  const tagTexts = Object.entries(tags).map(([name, value]) => `,${escaped(name)}=${escaped(value)}`);
  const fieldTexts = Object.entries(fields).map(([name, value]) => `${escaped(name)}=${fieldText(value)}`);
  return `${escaped(measurement, /[, ]/g)}${tagTexts.join("")} ${fieldTexts.join(",")} ${Math.round(atMs)}\n`;
}

/**
 * Returns the lines of a device's readings: one for each kind and time. The kind is the measurement; what the device could
 * not say is in no line, and neither is where it is.
 */
export function readingLines(deviceId: string, readings: readonly TimedReading[]): readonly Line[] {
  const lines = new Map<string, Line & { readonly fields: Record<string, FieldValue> }>();
  for (const { point, value, atMs } of readings) {
    if (value === null || isPlace(point)) continue;
    const measurement = point.slice(0, point.indexOf("."));
    const key = `${measurement} ${atMs}`;
    const line = lines.get(key) ?? { measurement, tags: { device: deviceId }, fields: {}, atMs };
    line.fields[unitName(point).slice(measurement.length + 1)] = value;
    lines.set(key, line);
  }
  return [...lines.values()];
}

/** Returns the line of a house's powers; `null` if none is known. */
export function houseLine(system: string, power: HousePower, atMs: number): Line | null {
  const { gridW, generationW, batteryW, loadW } = power;
  const known = Object.entries({ grid_w: gridW, generation_w: generationW, battery_w: batteryW, load_w: loadW });
  const fields = Object.fromEntries(known.filter((entry): entry is [string, number] => entry[1] !== null));
  return Object.keys(fields).length === 0 ? null : { measurement: "house", tags: { system }, fields, atMs };
}

/** A name or tag value: it has no line breaks, and a backslash at its end would escape what follows. */
function escaped(text: string, special = /[,= ]/g): string {
  const line = text.replaceAll(/\r\n|[\r\n]/g, " ");
  let end = line.length;
  while (line[end - 1] === "\\") end -= 1;
  return line.slice(0, end).replaceAll(special, (character) => `\\${character}`);
}

/** Numbers are floats: a counter that began as a whole number would refuse others later. */
function fieldText(value: FieldValue): string {
  if (typeof value === "string") return `"${value.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
  return String(value);
}
