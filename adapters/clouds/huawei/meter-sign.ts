import { MINUTE_MS } from "hemgate/sdk";

/** A house cannot use less than nothing; what is above that is measured minutes apart, W. */
const MARGIN_W = 500;
/** Once proves nothing, and seldom neither. */
const LEAST_SEEN = 3;
const SELDOM_PART = 1 / 3;
/**
 * By day the sun may come out and go again between two answers of the inverters, and panels that are not theirs may feed
 * in: what they cannot have given raises a doubt then, and settles none. With so little sun nobody's panels give more, W.
 */
const DIM_W = 100;
/** Answers say something of each other when they came within this, ms. */
const TOGETHER_MS = 5 * MINUTE_MS;

/** A reported power, W, at an instant. */
export interface PowerSample {
  readonly powerW: number;
  /** Monotonic ms. */
  readonly tickMs: number;
}

/** What the inverters give to the house, together, as of the oldest of their answers. */
export interface InverterSample extends PowerSample {
  /** What the panels give, W; null: they do not tell. */
  readonly pvW: number | null;
}

/**
 * Which way power flows at a meter. Huawei's inverters tell export as positive in their own registers (37113), and some
 * stations do so here; of all it is not known. A flow that is more than the inverters give cannot be export, whatever its
 * sign. Meter and inverters are asked in turns: each answer of the meter is judged once, by what the inverters gave before
 * it and after it.
 */
export class MeterSign {
  readonly #seenAsImport = new Map<1 | -1, number>();
  /** How often a positive report was import while there was hardly any sun. */
  #provenPositive = 0;
  #inverters: InverterSample | null = null;
  #meterTickMs = Number.NEGATIVE_INFINITY;
  /** The meter's answer that waits for the inverters' next one. */
  #waiting: { readonly meter: PowerSample; readonly before: InverterSample } | null = null;

  /** What the meter tells, again and again until it tells something new. */
  metered(meter: PowerSample): void {
    if (meter.tickMs <= this.#meterTickMs) return;
    this.#meterTickMs = meter.tickMs;
    const before = this.#inverters;
    const isTogether = before !== null && Math.abs(meter.tickMs - before.tickMs) <= TOGETHER_MS;
    this.#waiting = isTogether ? { meter, before } : null;
  }

  addInverters(inverters: InverterSample): void {
    if (inverters.tickMs <= (this.#inverters?.tickMs ?? Number.NEGATIVE_INFINITY)) return;
    this.#inverters = inverters;
    const waiting = this.#waiting;
    if (waiting === null || inverters.tickMs <= waiting.meter.tickMs) return;
    this.#waiting = null;
    if (inverters.tickMs - waiting.meter.tickMs > TOGETHER_MS) return;
    this.#judge(waiting.meter.powerW, [waiting.before, inverters]);
  }

  /** The sign of import. Null: it is in doubt, or there is more in the house than these inverters. */
  get ofImport(): 1 | -1 | null {
    const waiting = this.#waiting;
    // What is not judged yet may raise a doubt, and settles none.
    const suspected = waiting === null ? null : signOfImport(waiting.meter.powerW, waiting.before.powerW);
    const usual = this.#seen(-1) + (suspected === -1 ? 1 : 0);
    const other = this.#seen(1) + (suspected === 1 ? 1 : 0);
    if (other <= usual * SELDOM_PART) return -1;
    return this.#provenPositive >= LEAST_SEEN && usual <= other * SELDOM_PART ? 1 : null;
  }

  #judge(powerW: number, samples: readonly InverterSample[]): void {
    const sign = signOfImport(powerW, Math.max(...samples.map((one) => one.powerW)));
    if (sign === null) return;
    this.#seenAsImport.set(sign, this.#seen(sign) + 1);
    const isDim = samples.every(({ pvW }) => pvW !== null && pvW <= DIM_W);
    if (isDim && sign === 1) this.#provenPositive += 1;
  }

  #seen(sign: 1 | -1): number {
    return this.#seenAsImport.get(sign) ?? 0;
  }
}

/** Null where the flow may be export as well. */
function signOfImport(powerW: number, inverterW: number): 1 | -1 | null {
  if (Math.abs(powerW) <= Math.max(0, inverterW) + MARGIN_W) return null;
  return powerW > 0 ? 1 : -1;
}
