/** Renews the gateway's key before it expires, and tells cloud services of keys that were destroyed. */

import { DAY_MS, MINUTE_MS } from "../../domain/duration.ts";
import { backoffMs } from "../../platform/backoff.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { CloudIdentityRecord } from "../../store/records/cloud/cloud.ts";
import type { EnrolmentService } from "./enrolment-service.ts";
import type { Identities } from "./identities.ts";

/** Of its life, when the next one is asked for: there is a third of it left for trying. */
const RENEW_AFTER = 2 / 3;
const PAUSES = { floorMs: MINUTE_MS, ceilingMs: 6 * 60 * MINUTE_MS } as const;
/** A farewell that could not be told for so long is given up: the key it is about is gone in any case. */
const FAREWELL_DAYS = 90;
/** How often a clock that is not set is looked at. */
const CLOCK_CHECK_MS = MINUTE_MS;

export interface IdentityCareParts {
  readonly identities: Identities;
  readonly service: Pick<EnrolmentService, "farewell">;
  readonly clock: Clock;
  readonly random: Pick<Random, "next">;
  readonly log: Log;
  /** False: the gateway is somebody else for now, and the key is not renewed. */
  readonly isInUse: boolean;
}

/** When something that may fail is tried again. */
interface Attempts {
  readonly failures: number;
  /** Monotonic ms. */
  readonly notBeforeMs: number;
}

const NONE: Attempts = { failures: 0, notBeforeMs: 0 };

export class IdentityCare implements AsyncDisposable {
  readonly #parts: IdentityCareParts;
  readonly #wake: WakeSignal;
  readonly #stop = new AbortController();
  readonly #watch: Disposable;
  readonly #running: Promise<void>;
  #renewals = NONE;
  #farewells = NONE;

  constructor(parts: IdentityCareParts) {
    this.#parts = parts;
    this.#wake = new WakeSignal(parts.clock);
    this.#watch = parts.identities.observe(() => this.#wake.notify());
    this.#running = this.#run(this.#stop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch[Symbol.dispose]();
    this.#stop.abort(new Error("the care of the cloud identity ends"));
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        if (this.#farewellInMs() <= 0) {
          this.#farewells = await this.#attempt(this.#farewells, 0, () => this.#tell(signal));
        }
        // One that turns out to be refused is not asked for again at once.
        if (this.#renewalInMs() <= 0) {
          const { identities } = this.#parts;
          this.#renewals = await this.#attempt(this.#renewals, PAUSES.ceilingMs, () => identities.renew(signal));
        }
        const waitMs = Math.min(DAY_MS, this.#farewellInMs(), this.#renewalInMs());
        if (waitMs > 0) await this.#wake.wait(waitMs, signal);
        signal.throwIfAborted();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #farewellInMs(): number {
    const { identities, clock } = this.#parts;
    return identities.farewells.length === 0 ? DAY_MS : this.#farewells.notBeforeMs - clock.monotonicMs();
  }

  #renewalInMs(): number {
    const { identities, clock, isInUse } = this.#parts;
    const atMs = renewalAtMs(identities.current);
    if (!isInUse || atMs === null || identities.next !== null) return DAY_MS;
    if (clock.quality() !== "synced") return CLOCK_CHECK_MS;
    return Math.max(this.#renewals.notBeforeMs - clock.monotonicMs(), atMs - clock.nowMs());
  }

  async #tell(signal: AbortSignal): Promise<void> {
    const { identities, service, clock, log } = this.#parts;
    const [farewell] = identities.farewells;
    if (farewell === undefined) return;
    const isOld = clock.nowMs() - farewell.createdAtMs > FAREWELL_DAYS * DAY_MS;
    if (!isOld) await service.farewell(farewell, signal);
    log.info(
      { fingerprint: farewell.fingerprint, isTold: !isOld },
      "the cloud service need not be told of a destroyed key any more",
    );
    await identities.forgetFarewell(farewell.fingerprint);
  }

  /** Rejects with the signal's reason only; `restMs` is how long it is left alone after it was done. */
  async #attempt(before: Attempts, restMs: number, work: () => Promise<void>): Promise<Attempts> {
    const { log, clock, random } = this.#parts;
    try {
      await work();
      return { failures: 0, notBeforeMs: clock.monotonicMs() + restMs };
    } catch (err) {
      this.#stop.signal.throwIfAborted();
      const failures = before.failures + 1;
      log.warn({ err, failures }, "the service that gave the cloud identity cannot be asked or told");
      return { failures, notBeforeMs: clock.monotonicMs() + backoffMs(failures, PAUSES, random) };
    }
  }
}

/** Wall-clock ms; null for one that does not expire. */
function renewalAtMs(identity: Pick<CloudIdentityRecord, "givenAtMs" | "expiresAtMs"> | null): number | null {
  if (identity === null || identity.expiresAtMs === null) return null;
  const { givenAtMs, expiresAtMs } = identity;
  return givenAtMs + (expiresAtMs - givenAtMs) * RENEW_AFTER;
}
