/** Codes that prove that somebody can read what the gateway shows: on its machine, or what an owner passed on. */
import { hash, timingSafeEqual } from "node:crypto";
import { DAY_MS, HOUR_MS } from "../../domain/duration.ts";
import { CODE_BYTES, codeOf } from "../../domain/people/code.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { AccountRecord } from "../../store/records/people.ts";
import { deadlineIn } from "./deadline.ts";

export const INVITATION_LIFE_MS = 7 * DAY_MS;
export const RESET_LIFE_MS = HOUR_MS;

/** The code that makes an owner. It is in memory only: a start makes another one. */
export class SetupCode {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #random: Pick<Random, "secretBytes">;
  #code: { readonly code: string; readonly untilMs: number } | null = null;

  constructor(parts: {
    readonly clock: Pick<Clock, "monotonicMs">;
    readonly random: Pick<Random, "secretBytes">;
  }) {
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  /** Makes another code; `null`: it counts until the gateway stops. */
  renew(lifeMs: number | null): string {
    const code = codeOf(this.#random.secretBytes(CODE_BYTES));
    this.#code = { code, untilMs: lifeMs === null ? Number.POSITIVE_INFINITY : this.#clock.monotonicMs() + lifeMs };
    return code;
  }

  current(): string | null {
    return this.#code === null || this.#code.untilMs <= this.#clock.monotonicMs() ? null : this.#code.code;
  }

  isRight(typed: string): boolean {
    const code = this.current();
    return code !== null && timingSafeEqual(Buffer.from(code), Buffer.from(typed));
  }

  use(): void {
    this.#code = null;
  }
}

/** A code for an account, and what is stored of it. */
export function newCode(
  lifeMs: number,
  { clock, random }: { readonly clock: Pick<Clock, "nowMs" | "quality">; readonly random: Pick<Random, "secretBytes"> },
): { readonly code: string; readonly kept: NonNullable<AccountRecord["code"]> } {
  const code = codeOf(random.secretBytes(CODE_BYTES));
  return { code, kept: { hash: hash("sha256", code, "hex"), ...deadlineIn(lifeMs, clock) } };
}
