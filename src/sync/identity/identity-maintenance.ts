/** Renews the gateway's key before it expires, and reports deleted keys to their cloud services. */

import { DAY_MS, MINUTE_MS } from "../../domain/duration.ts";
import { backoffMs } from "../../platform/backoff.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { CloudIdentityRecord } from "../../store/records/cloud/cloud.ts";
import type { EnrolmentService } from "./enrolment-service.ts";
import type { Identities } from "./identities.ts";

/** Share of the validity after which the key is renewed; the remaining third is for retries. */
const RENEW_AFTER = 2 / 3;
const PAUSES = { floorMs: MINUTE_MS, ceilingMs: 6 * 60 * MINUTE_MS } as const;
/** A deregistration that could not be sent for so many days is deleted: its key is destroyed in any case. */
const MAX_DEREGISTRATION_DAYS = 90;
/** How often an unset clock is checked. */
const CLOCK_CHECK_MS = MINUTE_MS;

export interface IdentityMaintenanceParts {
  readonly identities: Identities;
  readonly service: Pick<EnrolmentService, "deregister">;
  readonly clock: Clock;
  readonly random: Pick<Random, "next">;
  readonly log: Log;
  /** False while the configuration sets another account: the key is then not renewed. */
  readonly isInUse: boolean;
}

/** When a failed task is tried again. */
interface Attempts {
  readonly failures: number;
  /** Monotonic ms. */
  readonly notBeforeMs: number;
}

const NO_ATTEMPTS: Attempts = { failures: 0, notBeforeMs: 0 };

/** Runs until it is disposed. */
export class IdentityMaintenance implements AsyncDisposable {
  readonly #parts: IdentityMaintenanceParts;
  readonly #wake: WakeSignal;
  readonly #stop = new AbortController();
  readonly #watch: Disposable;
  readonly #running: Promise<void>;
  #renewals = NO_ATTEMPTS;
  #deregistrations = NO_ATTEMPTS;

  constructor(parts: IdentityMaintenanceParts) {
    this.#parts = parts;
    this.#wake = new WakeSignal(parts.clock);
    this.#watch = parts.identities.observe(() => this.#wake.notify());
    this.#running = this.#run(this.#stop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch[Symbol.dispose]();
    this.#stop.abort(new Error("the gateway is stopping"));
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        if (this.#deregistrationInMs() <= 0) {
          this.#deregistrations = await this.#attempt(this.#deregistrations, 0, () => this.#deregister(signal));
        }
        // A renewed key that the cloud service refuses is not requested again at once.
        if (this.#renewalInMs() <= 0) {
          const { identities } = this.#parts;
          this.#renewals = await this.#attempt(this.#renewals, PAUSES.ceilingMs, () => identities.renew(signal));
        }
        const waitMs = Math.min(DAY_MS, this.#deregistrationInMs(), this.#renewalInMs());
        if (waitMs > 0) await this.#wake.wait(waitMs, signal);
        signal.throwIfAborted();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #deregistrationInMs(): number {
    const { identities, clock } = this.#parts;
    return identities.deregistrations.length === 0 ? DAY_MS : this.#deregistrations.notBeforeMs - clock.monotonicMs();
  }

  #renewalInMs(): number {
    const { identities, clock, isInUse } = this.#parts;
    const atMs = renewalAtMs(identities.current);
    if (!isInUse || atMs === null || identities.next !== null) return DAY_MS;
    if (clock.quality() !== "synced") return CLOCK_CHECK_MS;
    return Math.max(this.#renewals.notBeforeMs - clock.monotonicMs(), atMs - clock.nowMs());
  }

  async #deregister(signal: AbortSignal): Promise<void> {
    const { identities, service, clock, log } = this.#parts;
    const [oldest] = identities.deregistrations;
    if (oldest === undefined) return;
    const isTooOld = clock.nowMs() - oldest.createdAtMs > MAX_DEREGISTRATION_DAYS * DAY_MS;
    if (!isTooOld) await service.deregister(oldest, signal);
    log.info(
      { fingerprint: oldest.fingerprint, isReported: !isTooOld },
      "deleting the deregistration of a destroyed key",
    );
    await identities.forgetDeregistration(oldest.fingerprint);
  }

  /** Runs a task. `delayMs`: how long to wait after a success. Rejects only with the signal's reason. */
  async #attempt(before: Attempts, delayMs: number, work: () => Promise<void>): Promise<Attempts> {
    const { log, clock, random } = this.#parts;
    try {
      await work();
      return { failures: 0, notBeforeMs: clock.monotonicMs() + delayMs };
    } catch (err) {
      this.#stop.signal.throwIfAborted();
      const failures = before.failures + 1;
      log.warn({ err, failures }, "cannot reach the enrolment service; trying again");
      return { failures, notBeforeMs: clock.monotonicMs() + backoffMs(failures, PAUSES, random) };
    }
  }
}

/** Returns when an identity is renewed, wall-clock ms; `null` if it does not expire. */
function renewalAtMs(identity: Pick<CloudIdentityRecord, "givenAtMs" | "expiresAtMs"> | null): number | null {
  if (identity === null || identity.expiresAtMs === null) return null;
  const { givenAtMs, expiresAtMs } = identity;
  return givenAtMs + (expiresAtMs - givenAtMs) * RENEW_AFTER;
}
