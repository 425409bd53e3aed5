/** Random values that a passkey signs: each counts once, for a short time, and only where it was asked for. */
import { MINUTE_MS } from "../../domain/duration.ts";
import { networkOf } from "../../platform/network/network-of.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";

const CHALLENGE_BYTES = 32;
export const CHALLENGE_LIFE_MS = 5 * MINUTE_MS;
/** The oldest of the same network goes first, so that nobody pushes out those of others. */
const MAX_OF_NETWORK = 20;
const MAX_CHALLENGES = 1_000;

interface Open {
  /** What it was made for. */
  readonly purpose: string;
  readonly network: string;
  readonly untilMs: number;
}

interface ChallengeParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly random: Pick<Random, "secretBytes">;
}

export class Challenges {
  readonly #parts: ChallengeParts;
  /** Oldest first. */
  readonly #open = new Map<string, Open>();

  constructor(parts: ChallengeParts) {
    this.#parts = parts;
  }

  issue(purpose: string, address: string): string {
    const nowMs = this.#parts.clock.monotonicMs();
    for (const [challenge, { untilMs }] of this.#open) if (untilMs <= nowMs) this.#open.delete(challenge);
    const network = networkOf(address);
    const own = [...this.#open].filter(([, each]) => each.network === network);
    if (own.length >= MAX_OF_NETWORK) this.#drop(own);
    else if (this.#open.size >= MAX_CHALLENGES) this.#drop([...this.#open]);
    const challenge = Buffer.from(this.#parts.random.secretBytes(CHALLENGE_BYTES)).toString("base64url");
    this.#open.set(challenge, { purpose, network, untilMs: nowMs + CHALLENGE_LIFE_MS });
    return challenge;
  }

  /** Returns true if the challenge counts for this purpose. It counts no more afterwards. */
  use(challenge: string, purpose: string): boolean {
    const open = this.#open.get(challenge);
    this.#open.delete(challenge);
    return open !== undefined && open.purpose === purpose && open.untilMs > this.#parts.clock.monotonicMs();
  }

  #drop([oldest]: readonly (readonly [string, Open])[]): void {
    if (oldest !== undefined) this.#open.delete(oldest[0]);
  }
}
