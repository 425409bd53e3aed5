import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import { type HouseFlows, houseFlows, type MeasuredFlows } from "../../domain/hem/hem-system.ts";
import type { Flow } from "../../domain/statistics/statistics-flow.ts";
import type { Span } from "../../domain/statistics/statistics-reading.ts";
import type { SlottedRow } from "../../domain/statistics/statistics-series.ts";
import type { Store } from "../../store/store.ts";
import { EnergyReader, type Stream } from "../statistics/energy-reader.ts";
import type { HemDevice } from "./hem-history.ts";
import { measuredBy } from "./hem-measured.ts";

/** The time after the end of an hour by which its rows are rolled up; until then raw samples are read. */
const ROLLED_AFTER_MS = 30 * MINUTE_MS;

/** The flows of a day up to an hour. */
interface DaySum {
  readonly dayMs: number;
  readonly untilMs: number;
  /** The devices that the sum was made of, as JSON. */
  readonly devices: string;
  readonly measured: MeasuredFlows;
}

/** Calculates the energy flows since midnight. Reads rolled-up hours once an hour, and newer samples on each call. */
export class HemToday {
  readonly #reader: EnergyReader;
  readonly #sums = new Map<string, DaySum>();

  constructor({ store }: { readonly store: Pick<Store, "energy"> }) {
    this.#reader = new EnergyReader(store);
  }

  /** Returns the flows of a system in a span that begins at midnight. Rejects with a `StorageError`. */
  async flows(systemId: string, devices: readonly HemDevice[], { fromMs, toMs }: Span): Promise<HouseFlows> {
    const untilMs = Math.max(fromMs, Math.floor((toMs - ROLLED_AFTER_MS) / HOUR_MS) * HOUR_MS);
    const key = JSON.stringify(devices);
    let sum = this.#sums.get(systemId);
    if (sum?.dayMs !== fromMs || sum.untilMs !== untilMs || sum.devices !== key) {
      const measured = await this.#read(devices, { fromMs, toMs: untilMs });
      sum = { dayMs: fromMs, untilMs, devices: key, measured };
      this.#sums.set(systemId, sum);
    }
    return houseFlows(added(sum.measured, await this.#read(devices, { fromMs: untilMs, toMs })));
  }

  /** Drops the sum of a deleted system. */
  forget(systemId: string): void {
    this.#sums.delete(systemId);
  }

  async #read(devices: readonly HemDevice[], span: Span): Promise<MeasuredFlows> {
    const read = async (stream: Stream): Promise<readonly SlottedRow[]> =>
      (await this.#reader.rows(stream, MINUTE_MS, span)).map((row) => ({ row, slotMs: MINUTE_MS }));
    const bucket = { fromMs: span.fromMs, toMs: Math.max(span.toMs, span.fromMs) };
    const [measured] = await measuredBy(devices, [bucket], read);
    return measured ?? { ...NO_PARTS, load: [], withoutLoad: NO_PARTS };
  }
}

const NO_PARTS = { battery: [], inverter: [], meter: [] } as const;

/** Adds the flows of two spans; both list the same devices in the same order. */
function added(first: MeasuredFlows, second: MeasuredFlows): MeasuredFlows {
  const partsOf = (one: MeasuredFlows["withoutLoad"], other: MeasuredFlows["withoutLoad"]) => ({
    battery: sums(one.battery, other.battery),
    inverter: sums(one.inverter, other.inverter),
    meter: sums(one.meter, other.meter),
  });
  const load = sums(first.load, second.load);
  return { ...partsOf(first, second), load, withoutLoad: partsOf(first.withoutLoad, second.withoutLoad) };
}

function sums(first: readonly Flow[], second: readonly Flow[]): readonly Flow[] {
  return first.map((flow, index) => {
    const other = second[index] ?? { inMwh: 0, outMwh: 0, knownMs: 0 };
    return {
      inMwh: flow.inMwh + other.inMwh,
      outMwh: flow.outMwh + other.outMwh,
      knownMs: flow.knownMs + other.knownMs,
      level: null,
    };
  });
}
