import type { MeasuredFlows } from "../../domain/hem-system.ts";
import { believed, HEM_KINDS } from "../../domain/hem-views.ts";
import { type Flow, flowByBucket } from "../../domain/statistics-flow.ts";
import type { Span } from "../../domain/statistics-reading.ts";
import type { SlottedRow } from "../../domain/statistics-series.ts";
import type { Stream } from "../statistics/energy-reader.ts";
import type { HemDevice } from "./hem-history.ts";

type Draft = { readonly [Part in keyof MeasuredFlows]: Flow[] };

/** By bucket, what each device counts for. Rejects as `read` does. */
export async function measuredBy(
  devices: readonly HemDevice[],
  buckets: readonly Span[],
  read: (stream: Stream) => Promise<readonly SlottedRow[]>,
): Promise<MeasuredFlows[]> {
  const flows = buckets.map((): Draft => ({ battery: [], inverter: [], meter: [], load: [] }));
  for (const kind of [...HEM_KINDS, "hem"] as const) {
    const own = devices.filter((device) => device.kind === kind);
    const ranked: { rank: number; rows: readonly SlottedRow[] }[] = [];
    for (const { rank, deviceId } of own) ranked.push({ rank, rows: await read({ kind, deviceId }) });
    for (const rows of believed(ranked)) {
      for (const [index, flow] of flowByBucket(rows, buckets).entries()) {
        flows[index]?.[kind === "hem" ? "load" : kind].push(flow);
      }
    }
  }
  return flows;
}
