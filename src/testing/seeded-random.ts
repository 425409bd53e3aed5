import { createHash } from "node:crypto";
import type { Random } from "../platform/ports/ports.ts";

const TWO_TO_32 = 2 ** 32;

/**
 * Chance from a seed: the same seed gives the same numbers on every machine (generator sfc32). For simulated worlds
 * only: the seed reveals all secrets.
 */
export class SeededRandom implements Random {
  readonly #seed: string;
  readonly #state: Uint32Array;

  constructor(seed: number | string) {
    this.#seed = String(seed);
    const digest = createHash("sha256").update(this.#seed).digest();
    this.#state = Uint32Array.of(digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8), 1);
    // The counter starts low, so the first outputs of related seeds are alike until it has mixed in.
    for (let round = 0; round < 12; round += 1) this.#next32();
  }

  next(): number {
    return this.#next32() / TWO_TO_32;
  }

  /** An integer in [0, below). */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** A number in [min, max). */
  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  isChance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  /** Returns a separate generator, the same for the same name however much was drawn here before. */
  fork(name: string): SeededRandom {
    return new SeededRandom(`${this.#seed}/${name}`);
  }

  secretBytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.#next32() & 0xff);
  }

  uuid(): string {
    const bytes = this.secretBytes(16);
    const hex = Array.from(bytes, (byte, index) => {
      const fixed = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
      return fixed.toString(16).padStart(2, "0");
    }).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  /**
   * A plain hash in place of scrypt, which runs on the thread pool and would end at a real instant, not a virtual one.
   * It keeps what callers rely on: 32 bytes, the same for the same secret and salt, different otherwise.
   */
  async scrypt(secret: string, salt: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(createHash("sha256").update(salt).update("\0").update(secret).digest());
  }

  #next32(): number {
    const state = this.#state;
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const result = (a + b + counter) >>> 0;
    state[3] = counter + 1;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + result;
    return result;
  }
}
