/**
 * Runs one kind of hostile input again and again for its share of the time. Each step draws from a seed of its own, so
 * that a failure is repeated by its seed and step alone.
 *
 *   FUZZ_SECONDS=600 npm run fuzz                  longer; all campaigns together take about so long
 *   FUZZ_SEED=123 FUZZ_STEP=45 npm run fuzz        one step again
 */
import { SeededRandom } from "hemgate/testing";
import { expect, test } from "vitest";
import type { CountedExpect } from "../counted-expect.ts";

const SECONDS = Number(process.env["FUZZ_SECONDS"] ?? 60);
/** The configuration draws one when none is given. */
const SEED = process.env["FUZZ_SEED"] ?? "1";
const ONLY_STEP = process.env["FUZZ_STEP"] === undefined ? null : Number(process.env["FUZZ_STEP"]);
/** One step may take this much of real time; what takes longer is stuck in a loop or in a pattern. */
const STEP_LIMIT_MS = 10_000;
/** Fewer steps may miss a case by chance. */
const ENOUGH_STEPS = 50;
/** How much more may be held at the end than after the first third, garbage taken away, MB. */
const GROWTH_LIMIT_MB = 40;
/** The longest input that a failure prints. */
const MAX_PRINTED = 4_000;

export interface Step {
  readonly random: SeededRandom;
  /** Takes down what is sent, for the message of a failure. */
  sent(what: string): void;
}

interface Plan {
  /** Of all the time, 0 to 1. */
  readonly share: number;
  /** The expectations of cases that do not occur in each step; in enough steps each has to occur. */
  readonly counted?: readonly CountedExpect[];
}

/** A step throws, or rejects, when the product does what it must not. */
export function campaign(
  name: string,
  { share, counted = [] }: Plan,
  step: (step: Step) => Promise<void> | void,
): void {
  test(name, async () => {
    const rejections: unknown[] = [];
    const reject = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", reject);
    process.on("uncaughtException", reject);
    try {
      const memory = new MemoryWatch();
      const endMs = performance.now() + SECONDS * 1_000 * share;
      const [first, last] = ONLY_STEP === null ? [0, Number.POSITIVE_INFINITY] : [ONLY_STEP, ONLY_STEP + 1];
      let done = 0;
      for (let number = first; number < last && (number === first || performance.now() < endMs); number += 1) {
        await one(name, number, step, rejections);
        done += 1;
        memory.look(1 - (endMs - performance.now()) / (SECONDS * 1_000 * share));
      }
      if (done >= ENOUGH_STEPS) for (const each of counted) each.wasCalled();
      const grownMb = memory.grownMb();
      console.log(`fuzz: ${name}: ${done} steps of FUZZ_SEED=${SEED}, ${grownMb.toFixed(1)} MB more at the end`);
      expect(grownMb, `${name}: held memory grows, FUZZ_SEED=${SEED}`).toBeLessThan(GROWTH_LIMIT_MB);
    } finally {
      process.off("unhandledRejection", reject);
      process.off("uncaughtException", reject);
    }
  });
}

async function one(
  name: string,
  number: number,
  step: (step: Step) => Promise<void> | void,
  rejections: unknown[],
): Promise<void> {
  const inputs: string[] = [];
  const startedMs = performance.now();
  try {
    const random = new SeededRandom(`${SEED}/${name}/${number}`);
    await step({ random, sent: (what) => void inputs.push(what) });
    // Rejections are told a turn after nobody took them.
    await new Promise((resolve) => setImmediate(resolve));
    if (rejections.length > 0) throw new Error("nobody handled an error", { cause: rejections.splice(0)[0] });
    const tookMs = performance.now() - startedMs;
    if (tookMs > STEP_LIMIT_MS) throw new Error(`took ${Math.round(tookMs)} ms`);
  } catch (cause) {
    const text = inputs.join("\n");
    const input = text.length > MAX_PRINTED ? `…${text.slice(-MAX_PRINTED)}` : text;
    const how = `FUZZ_SEED=${SEED} FUZZ_STEP=${number}`;
    const why =
      cause instanceof Error
        ? `${cause.message}${cause.cause instanceof Error ? `: ${cause.cause.stack}` : ""}`
        : cause;
    throw new Error(`${name}, ${how}: ${why}\ninput:\n${input}`, { cause });
  }
}

/** Memory that is held after the first third of the time, against the end. */
class MemoryWatch {
  #earlyMb: number | null = null;

  look(share: number): void {
    if (share > 0.33) this.#earlyMb ??= heldMb();
  }

  grownMb(): number {
    return this.#earlyMb === null ? 0 : heldMb() - this.#earlyMb;
  }
}

function heldMb(): number {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect === "function") collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
}
