/**
 * A SunSpec inverter with a battery whose controls end by themselves, as models 123, 124 and 704 say: each write of a
 * group starts its timer anew, a timer of 0 s never ends anything, and one that runs out only takes the enable away.
 * Offsets are the standard's, written here by hand.
 */
import type { Clock } from "hemgate/sdk";
import type { ModbusImage, ModbusReply } from "hemgate/testing";
import type { TwinEffect } from "../../../twins/registers/twin-behaviour.ts";
import { chain, common, controls123, inverter103, type ModelImage, storage124 } from "../sunspec/images.ts";

const BASE = 40_000;
const ILLEGAL_ADDRESS = 2;

/** Model 704 without a limit; percentages in tenths. */
const CONTROLS_704: ModelImage = {
  id: 704,
  length: 65,
  fill: 0xffff,
  words: { 14: [0, 1000, 500, 1, 0, 0, 0, 0], 53: [0x8000, -1, 0x8000, 0x8000, 0x8000, 0x8000] },
};

/** What a timer ends, by offsets in its model. */
interface TimedGroup {
  readonly model: number;
  readonly from: number;
  readonly to: number;
  /** The timer's last register; a longer one counts from 65,536 s. */
  readonly timer: number;
  readonly enable: number;
  /** Where the enable that it leaves behind stands; null: none. */
  readonly enableAfter: number | null;
}

const GROUPS: readonly TimedGroup[] = [
  { model: 123, from: 5, to: 9, timer: 7, enable: 9, enableAfter: null },
  { model: 124, from: 5, to: 17, timer: 15, enable: 5, enableAfter: null },
  { model: 704, from: 14, to: 19, timer: 19, enable: 14, enableAfter: 17 },
];

export interface SunSpecTwinOptions {
  readonly clock: Pick<Clock, "timer">;
  /** The model that limits the output. */
  readonly limits: 123 | 704;
  /** s that another tool has set the battery's timer to, and that the device does not give up. */
  readonly foreignTimerS?: number;
}

export class SunSpecTwin implements ModbusImage {
  readonly writes: { readonly address: number; readonly values: readonly number[] }[] = [];
  /** No register of these models is said to wear. */
  readonly wear: readonly { readonly id: string }[] = [];
  requests = 0;
  readonly #registers: Map<number, number>;
  readonly #starts: ReadonlyMap<number, number>;
  readonly #timers = new Map<number, Disposable>();
  readonly #options: SunSpecTwinOptions;

  constructor(options: SunSpecTwinOptions) {
    this.#options = options;
    const { limits, foreignTimerS = 0 } = options;
    const controls = limits === 123 ? controls123() : CONTROLS_704;
    const storage = storage124();
    const models = [
      common("Maker"),
      inverter103(),
      controls,
      { ...storage, words: { ...storage.words, 15: foreignTimerS } },
    ];
    this.#registers = chain(BASE, models);
    let at = BASE + 2;
    this.#starts = new Map(
      models.map(({ id, length }) => {
        const start = at;
        at += 2 + length;
        return [id, start] as const;
      }),
    );
  }

  get effect(): TwinEffect {
    const limits = this.#word(124, 5);
    const [out, into] = [signed(this.#word(124, 12)), signed(this.#word(124, 13))];
    const isOut = (limits & 2) !== 0;
    const isIn = (limits & 1) !== 0;
    const does =
      !isOut && !isIn ? "own-control" : isOut && out < 0 ? "charge" : isIn && into < 0 ? "discharge" : "idle";
    return { battery: { does }, inverterPercent: this.#percent() };
  }

  readHolding(_unit: number, address: number, count: number): ModbusReply {
    this.requests += 1;
    const values = Array.from({ length: count }, (_, index) => this.#registers.get(address + index));
    if (values.includes(undefined)) return { kind: "exception", code: ILLEGAL_ADDRESS };
    return { kind: "values", values: values.map((value) => value ?? 0) };
  }

  readInput(): ModbusReply {
    this.requests += 1;
    return { kind: "exception", code: 1 };
  }

  writeHolding(_unit: number, address: number, values: readonly number[]): ModbusReply {
    this.requests += 1;
    for (const index of values.keys()) {
      if (!this.#registers.has(address + index)) return { kind: "exception", code: ILLEGAL_ADDRESS };
    }
    this.writes.push({ address, values });
    for (const [index, value] of values.entries()) this.#set(address + index, value);
    for (const group of GROUPS) if (this.#isIn(group, address)) this.#restart(group);
    return { kind: "values", values: [] };
  }

  #set(address: number, value: number): void {
    const { foreignTimerS } = this.#options;
    const isKept = foreignTimerS !== undefined && address === this.#at(124, 15);
    if (!isKept) this.#registers.set(address, value);
  }

  #restart(group: TimedGroup): void {
    const { model, timer, enable, enableAfter } = group;
    this.#timers.get(model)?.[Symbol.dispose]();
    const seconds = this.#word(model, timer);
    if (seconds === 0 || this.#word(model, enable) === 0) return;
    const end = (): void => {
      this.#registers.set(this.#at(model, enable), enableAfter === null ? 0 : this.#word(model, enableAfter));
    };
    this.#timers.set(model, this.#options.clock.timer(seconds * 1_000, end));
  }

  #isIn({ model, from, to }: TimedGroup, address: number): boolean {
    const start = this.#starts.get(model);
    return start !== undefined && address >= start + from && address <= start + to;
  }

  #percent(): number {
    const [model, enable, percent, unit] = this.#options.limits === 123 ? [123, 9, 5, 100] : [704, 14, 15, 10];
    return this.#word(model, enable) === 1 ? this.#word(model, percent) / unit : 100;
  }

  #at(model: number, offset: number): number {
    return (this.#starts.get(model) ?? 0) + offset;
  }

  #word(model: number, offset: number): number {
    return this.#registers.get(this.#at(model, offset)) ?? 0;
  }
}

function signed(word: number): number {
  return word >= 0x8000 ? word - 0x1_0000 : word;
}
