import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import { type HouseFlows, houseFlows, type MeasuredFlows } from "../../domain/hem/hem-system.ts";
import type { Flow } from "../../domain/statistics/statistics-flow.ts";
import type { Span } from "../../domain/statistics/statistics-reading.ts";
import type { SlottedRow } from "../../domain/statistics/statistics-series.ts";
import type { Store } from "../../store/store.ts";
import { EnergyReader, type Stream } from "../statistics/energy-reader.ts";
import type { HemDevice } from "./hem-history.ts";
import { measuredBy } from "./hem-measured.ts";

/** An hour is rolled up this long after it ended, at the latest; before that it is read from raw samples. */
const ROLLED_AFTER_MS = 30 * MINUTE_MS;

/** What is known of a day up to an hour. */
interface Sum {
  readonly dayMs: number;
  readonly untilMs: number;
  /** The devices as they were. */
  readonly devices: string;
  readonly measured: MeasuredFlows;
}

/** What devices moved since midnight. Hours that are rolled up are read once an hour, the rest each time. */
export class HemToday {
  readonly #reader: EnergyReader;
  readonly #sums = new Map<string, Sum>();

  constructor({ store }: { readonly store: Pick<Store, "energy"> }) {
    this.#reader = new EnergyReader(store);
  }

  /** Of a system; rejects with a `StorageError`. */
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

  /** The system is gone. */
  forget(systemId: string): void {
    this.#sums.delete(systemId);
  }

  async #read(devices: readonly HemDevice[], span: Span): Promise<MeasuredFlows> {
    const read = async (stream: Stream): Promise<readonly SlottedRow[]> =>
      (await this.#reader.rows(stream, MINUTE_MS, span)).map((row) => ({ row, slotMs: MINUTE_MS }));
    const bucket = { fromMs: span.fromMs, toMs: Math.max(span.toMs, span.fromMs) };
    const [measured] = await measuredBy(devices, [bucket], read);
    return measured ?? { ...NO_PARTS, load: [], untold: NO_PARTS };
  }
}

const NO_PARTS = { battery: [], inverter: [], meter: [] } as const;

/** The same devices in the same order, over both times. */
function added(first: MeasuredFlows, second: MeasuredFlows): MeasuredFlows {
  const partsOf = (one: MeasuredFlows["untold"], other: MeasuredFlows["untold"]) => ({
    battery: sums(one.battery, other.battery),
    inverter: sums(one.inverter, other.inverter),
    meter: sums(one.meter, other.meter),
  });
  const load = sums(first.load, second.load);
  return { ...partsOf(first, second), load, untold: partsOf(first.untold, second.untold) };
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
