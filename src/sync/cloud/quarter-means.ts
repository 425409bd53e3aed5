/** A device's samples of a quarter of an hour as columns, in full or as one row. Pure. */
import type { TelemetrySample } from "../../store/store.ts";
import type { TelemetryPayload } from "../protocol/batch.ts";

type DeviceColumns = TelemetryPayload["devices"][number];
type Value = DeviceColumns["points"][string][number];

/** All samples; null where a sample does not name a point. */
export function columnsOf(deviceId: string, samples: readonly TelemetrySample[], fromMs: number): DeviceColumns {
  const names = new Set(samples.flatMap(({ values }) => values.map(({ point }) => point)));
  const rows = samples.map(({ values }) => new Map<string, Value>(values.map(({ point, value }) => [point, value])));
  const points = [...names].map((name) => [name, rows.map((row) => row.get(name) ?? null)]);
  return { deviceId, offsetsMs: samples.map(({ atMs }) => atMs - fromMs), points: Object.fromEntries(points) };
}

/** One row at the start: a number's mean over the samples that have it, of anything else the last value. */
export function meansOf({ deviceId, points }: DeviceColumns): DeviceColumns {
  const means = Object.entries(points).map(([name, values]) => [name, [meanOf(values)]]);
  return { deviceId, offsetsMs: [0], points: Object.fromEntries(means) };
}

function meanOf(values: readonly Value[]): Value {
  const known = values.filter((value) => value !== null);
  const numbers = known.filter((value) => typeof value === "number");
  if (numbers.length === 0) return known.at(-1) ?? null;
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
