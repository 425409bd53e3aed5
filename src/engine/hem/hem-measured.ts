import type { MeasuredFlows } from "../../domain/hem/hem-system.ts";
import { countedRows, HEM_KINDS, unseen } from "../../domain/hem/hem-views.ts";
import { type Flow, flowByBucket } from "../../domain/statistics/statistics-flow.ts";
import type { Span } from "../../domain/statistics/statistics-reading.ts";
import type { SlottedRow } from "../../domain/statistics/statistics-series.ts";
import type { Stream } from "../statistics/energy-reader.ts";
import type { HemDevice } from "./hem-history.ts";

type Rows = readonly (readonly SlottedRow[])[];
type Read = (stream: Stream) => Promise<readonly SlottedRow[]>;

/** Returns the flows of each bucket, without double counting of devices that measure the same. Rejects as `read` does. */
export async function measuredBy(
  devices: readonly HemDevice[],
  buckets: readonly Span[],
  read: Read,
): Promise<MeasuredFlows[]> {
  const load = await rowsOf("hem", devices, read);
  const flows = buckets.map(() => ({ ...emptyParts(), load: [] as Flow[], withoutLoad: emptyParts() }));
  for (const rows of load) add(rows, buckets, (index, flow) => flows[index]?.load.push(flow));
  for (const kind of HEM_KINDS) {
    for (const rows of await rowsOf(kind, devices, read)) {
      const withoutLoad = load.length === 0 ? rows : unseen(rows, load);
      add(rows, buckets, (index, flow) => flows[index]?.[kind].push(flow));
      add(withoutLoad, buckets, (index, flow) => flows[index]?.withoutLoad[kind].push(flow));
    }
  }
  return flows;
}

async function rowsOf(kind: HemDevice["kind"], devices: readonly HemDevice[], read: Read): Promise<Rows> {
  const own = devices.filter((device) => device.kind === kind);
  const ranked: { rank: number; rows: readonly SlottedRow[] }[] = [];
  for (const { rank, deviceId, by } of own) {
    const rows = await read({ kind: by === undefined ? kind : "meter", deviceId });
    ranked.push({ rank, rows: by === "turned-meter" ? rows.map(turned) : rows });
  }
  return countedRows(ranked);
}

function turned({ row, slotMs }: SlottedRow): SlottedRow {
  return { row: { ...row, inMwh: row.outMwh, outMwh: row.inMwh }, slotMs };
}

function add(rows: readonly SlottedRow[], buckets: readonly Span[], push: (index: number, flow: Flow) => void): void {
  for (const [index, flow] of flowByBucket(rows, buckets).entries()) push(index, flow);
}

function emptyParts(): Record<(typeof HEM_KINDS)[number], Flow[]> {
  return { battery: [], inverter: [], meter: [] };
}
