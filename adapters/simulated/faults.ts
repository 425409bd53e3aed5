/** Trouble on demand in front of a twin, so that a simulated world can show what a bad device does to the gateway. */
import type { Clock } from "hemgate/sdk";
import type { RegisterImage, RegisterReply } from "./register-image.ts";

/** What is wrong with a twin now. Each stays until it is changed. */
export interface TwinFaults {
  /** Every request is answered with this Modbus exception; null: with the truth. */
  readonly exceptionCode: number | null;
  /** Requests are taken and never answered. */
  readonly isSilent: boolean;
  /** Reads repeat what was first read after the freeze; writes are accepted and change nothing. */
  readonly isFrozen: boolean;
  /** How much later than a healthy device it answers, ms. */
  readonly delayMs: number;
}

const HEALTHY: TwinFaults = { exceptionCode: null, isSilent: false, isFrozen: false, delayMs: 0 };

/** A twin with its switches. */
export interface FaultyTwin {
  readonly image: RegisterImage;
  setFaults(faults: Partial<TwinFaults>): void;
  /** Power off and on: its connections close, and until `bootMs` have passed it closes new ones at the first request. */
  restart(bootMs: number): void;
}

/** Most answers a frozen twin repeats; beyond that it forgets the oldest. */
const MAX_FROZEN_ANSWERS = 200;

/** Puts switches in front of an image. `forget` sets back what the device does not keep over a power cut. */
export function withFaults(clock: Pick<Clock, "monotonicMs">, image: RegisterImage, forget: () => void): FaultyTwin {
  let faults = HEALTHY;
  let isUpAtMs = clock.monotonicMs();
  const frozen = new Map<string, RegisterReply>();
  const answer = (ask: () => RegisterReply): RegisterReply => {
    if (clock.monotonicMs() < isUpAtMs) return { kind: "hang-up" };
    if (faults.isSilent) return { kind: "silence" };
    const reply: RegisterReply =
      faults.exceptionCode === null ? ask() : { kind: "exception", code: faults.exceptionCode };
    if (faults.delayMs === 0 || reply.kind === "silence" || reply.kind === "hang-up") return reply;
    return { ...reply, delayMs: faults.delayMs };
  };
  const read = (key: string, ask: () => RegisterReply): RegisterReply =>
    answer(() => {
      if (!faults.isFrozen) return ask();
      const reply = frozen.get(key) ?? ask();
      frozen.set(key, reply);
      const [oldest] = frozen.keys();
      if (frozen.size > MAX_FROZEN_ANSWERS && oldest !== undefined) frozen.delete(oldest);
      return reply;
    });
  return {
    image: {
      readHolding: (unit, at, count) => read(`3 ${unit} ${at} ${count}`, () => image.readHolding(unit, at, count)),
      readInput: (unit, at, count) => read(`4 ${unit} ${at} ${count}`, () => image.readInput(unit, at, count)),
      writeHolding: (unit, at, words, code) =>
        answer(() => (faults.isFrozen ? { kind: "values", values: [] } : image.writeHolding(unit, at, words, code))),
    },
    setFaults(change) {
      faults = { ...faults, ...change };
      if (!faults.isFrozen) frozen.clear();
    },
    restart(bootMs) {
      isUpAtMs = clock.monotonicMs() + bootMs;
      forget();
    },
  };
}
