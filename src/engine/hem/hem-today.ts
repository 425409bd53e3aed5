import { type HouseFlows, houseFlows } from "../../domain/hem-system.ts";
import { type Flow, flowByBucket } from "../../domain/statistics-flow.ts";
import type { Span } from "../../domain/statistics-reading.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/statistics-row.ts";
import type { Store } from "../../store/store.ts";
import { EnergyReader, type Stream } from "../statistics/energy-reader.ts";
import type { HemDevice, HemKind } from "./hem-history.ts";

/** An hour is rolled up this long after it ended, at the latest; before that it is read from raw samples. */
const ROLLED_AFTER_MS = 30 * MINUTE_MS;

/** What is known of a day up to an hour. */
interface Sum {
  readonly dayMs: number;
  readonly untilMs: number;
  readonly flow: Flow;
}

/** What devices moved since midnight. Hours that are rolled up are read once an hour, the rest each time. */
export class HemToday {
  readonly #reader: EnergyReader;
  readonly #sums = new Map<string, Sum>();

  constructor({ store }: { readonly store: Pick<Store, "energy"> }) {
    this.#reader = new EnergyReader(store);
  }

  /** Rejects with a `StorageError`. */
  async flows(devices: readonly HemDevice[], { fromMs, toMs }: Span): Promise<HouseFlows> {
    const measured: Record<HemKind, Flow[]> = { battery: [], inverter: [], meter: [] };
    for (const { kind, deviceId } of devices) measured[kind].push(await this.#flow({ deviceId, kind }, fromMs, toMs));
    return houseFlows(measured);
  }

  async #flow(stream: Stream, dayMs: number, nowMs: number): Promise<Flow> {
    const untilMs = Math.max(dayMs, Math.floor((nowMs - ROLLED_AFTER_MS) / HOUR_MS) * HOUR_MS);
    const key = `${stream.deviceId}!${stream.kind}`;
    let sum = this.#sums.get(key);
    if (sum?.dayMs !== dayMs || sum.untilMs !== untilMs) {
      sum = { dayMs, untilMs, flow: await this.#read(stream, { fromMs: dayMs, toMs: untilMs }) };
      this.#sums.set(key, sum);
    }
    const rest = await this.#read(stream, { fromMs: untilMs, toMs: nowMs });
    return {
      inMwh: sum.flow.inMwh + rest.inMwh,
      outMwh: sum.flow.outMwh + rest.outMwh,
      knownMs: sum.flow.knownMs + rest.knownMs,
      level: null,
    };
  }

  async #read(stream: Stream, span: Span): Promise<Flow> {
    const rows = await this.#reader.rows(stream, MINUTE_MS, span);
    const [flow] = flowByBucket(
      rows.map((row) => ({ row, slotMs: MINUTE_MS })),
      [{ fromMs: span.fromMs, toMs: Math.max(span.toMs, span.fromMs) }],
    );
    return flow ?? { inMwh: 0, outMwh: 0, knownMs: 0, level: null };
  }
}
