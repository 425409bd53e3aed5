import { backoffMs, type Clock, HOUR_MS, type Log, MINUTE_MS, type Random } from "hemgate/sdk";
import type { CloudDevice, CloudSession } from "../connector.ts";
import { CloudError, type CloudErrorKind } from "../session/cloud-error.ts";
import type { CloudStream } from "./cloud-stream.ts";
import type { StreamDial } from "./stream-dial.ts";
import { type StreamStanding, StreamState } from "./stream-state.ts";
import { StreamTalk } from "./stream-talk.ts";

/** Vendors ask for time: all houses come back at once when their cloud does (nordicopen/pyeasee#88). */
const PAUSE = { leastMs: 1_000, floorMs: 30_000, ceilingMs: 10 * MINUTE_MS } as const;
/** A stream that lived so long was a good one, ms. */
const STEADY_MS = 10 * MINUTE_MS;
/** Whatever comes of them, there are no more attempts than so many in an hour. */
const RATE = { attempts: 20, windowMs: HOUR_MS } as const;
/** What no other attempt changes, but each would renew the grant: so long between two, ms. */
const REFUSED_MS = HOUR_MS;
const REFUSALS: readonly CloudErrorKind[] = ["login-refused", "expired", "forbidden"];
/** Time after which a new stream has sent all that it knew of a device, ms. */
const SETTLED_MS = 60_000;

export interface AccountStreamParts {
  readonly stream: CloudStream;
  readonly session: CloudSession;
  readonly dial: StreamDial;
  readonly clock: Clock;
  readonly random: Pick<Random, "next">;
  readonly log: Log;
}

/** A device's part in its account's stream. Disposing it leaves the stream to the others. */
export interface StreamShare extends Disposable {
  /** True: the open connection has sent data of this device, and is live. */
  readonly isLive: boolean;
  /** The device was read, and showed what the stream should have sent long ago: it is not listened to any more. */
  missed(): void;
}

interface Ear {
  readonly key: string;
  readonly device: Pick<CloudDevice, "hear">;
  readonly lost: () => void;
  /** Monotonic ms; null: the stream has sent nothing of it. */
  liveSinceMs: number | null;
}

/**
 * The stream of one account: open while a device listens, opened again after each loss, after pauses that grow and that
 * chance shortens. It knows nothing of values: what it hears goes to the devices, and they are informed when it is lost.
 */
export class AccountStream implements Disposable {
  readonly #parts: AccountStreamParts;
  readonly #ears = new Set<Ear>();
  readonly #state: StreamState;
  #talk: StreamTalk | null = null;
  #running: AbortController | null = null;
  /** Monotonic ms of the attempts of the last hour. Like the failures they are kept when the last listener leaves. */
  #attempts: readonly number[] = [];
  #failures = 0;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  /** Why the last connection ended; null once another one sent something. */
  #reason: string | null = null;
  #isLoggedLive = false;

  constructor(parts: AccountStreamParts) {
    this.#parts = parts;
    this.#state = new StreamState(parts.clock);
  }

  get standing(): StreamStanding {
    return this.#state.standing;
  }

  /** `lost`: the stream ended; the device has to be read again. */
  join(key: string, device: Pick<CloudDevice, "hear">, lost: () => void): StreamShare {
    const ear: Ear = { key, device, lost, liveSinceMs: null };
    this.#ears.add(ear);
    if (this.#running === null) this.#start();
    else this.#talk?.subscribe(key);
    return {
      get isLive() {
        return ear.liveSinceMs !== null;
      },
      missed: () => this.#missed(ear),
      [Symbol.dispose]: () => {
        this.#ears.delete(ear);
        if (this.#ears.size === 0) this[Symbol.dispose]();
      },
    };
  }

  /** Ends the connection; listeners are not informed. */
  [Symbol.dispose](): void {
    this.#running?.abort(new CloudError("unavailable", "the account is closed"));
    this.#running = null;
    this.#talk?.[Symbol.dispose]();
    this.#talk = null;
    this.#state.setRequested(false);
    for (const ear of this.#ears) ear.liveSinceMs = null;
  }

  #start(): void {
    this.#running = new AbortController();
    this.#state.setRequested(true);
    void this.#run(this.#running.signal);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    try {
      for (;;) {
        const waitMs = this.#freeAtMs() - clock.monotonicMs();
        if (waitMs > 0) await clock.sleep(waitMs, signal);
        const fromMs = clock.monotonicMs();
        this.#attempts = [...this.#attempts, fromMs].slice(-RATE.attempts);
        const why = await this.#once(signal);
        if (signal.aborted) return;
        this.#plan(why, fromMs);
        this.#lost(why);
      }
    } catch {
      // The sleep ends with the signal's reason: nobody listens any more.
    }
  }

  /** Answers why the connection ended, or did not come about. */
  async #once(signal: AbortSignal): Promise<Error> {
    const { stream, session, dial, clock } = this.#parts;
    using talk = new StreamTalk({
      stream,
      clock,
      ready: () => this.#ready(talk),
      received: () => this.#state.received(),
      tell: (key, news) => this.#tell(key, news),
    });
    try {
      const place = await stream.locate(session, signal);
      talk.begin(await dial.open(place, talk.events, signal));
      if (signal.aborted) return new CloudError("unavailable", "nobody listens any more");
      this.#talk = talk;
      return await talk.over;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      if (this.#talk === talk) this.#talk = null;
    }
  }

  #ready(talk: StreamTalk): void {
    this.#state.connected();
    for (const key of new Set([...this.#ears].map((ear) => ear.key))) talk.subscribe(key);
  }

  #tell(key: string, news: unknown): void {
    for (const ear of this.#ears) {
      if (ear.key !== key) continue;
      if (ear.liveSinceMs === null) this.#begins(ear);
      ear.device.hear?.(news);
    }
  }

  #begins(ear: Ear): void {
    ear.liveSinceMs = this.#parts.clock.monotonicMs();
    if (!this.#isLoggedLive) this.#parts.log.info({}, "cloud stream live");
    this.#isLoggedLive = true;
    this.#reason = null;
  }

  #lost(why: Error): void {
    const { log } = this.#parts;
    this.#state.lost(why);
    const live = [...this.#ears].filter(({ liveSinceMs }) => liveSinceMs !== null);
    // Once a cause, not once an attempt.
    if (!(why instanceof CloudError)) log.error({ err: why }, "cloud stream failed unexpectedly");
    else if (why.message !== this.#reason) log.warn({ reason: why.message }, "cloud stream lost, asking again");
    this.#reason = why.message;
    this.#isLoggedLive = false;
    for (const ear of live) {
      ear.liveSinceMs = null;
      ear.lost();
    }
  }

  #plan(why: Error, fromMs: number): void {
    const { clock, random } = this.#parts;
    const nowMs = clock.monotonicMs();
    this.#failures = nowMs - fromMs >= STEADY_MS ? 1 : this.#failures + 1;
    const mostMs = backoffMs(this.#failures, PAUSE, null);
    const { kind = null, notBeforeMs = null } = why instanceof CloudError ? why : {};
    const refusedMs = kind !== null && REFUSALS.includes(kind) ? REFUSED_MS : 0;
    const pauseMs = Math.max(PAUSE.leastMs, random.next() * mostMs, refusedMs);
    this.#notBeforeMs = Math.max(nowMs + pauseMs, notBeforeMs ?? 0);
  }

  /** When the next attempt may be made, monotonic ms. */
  #freeAtMs(): number {
    const [oldest = 0] = this.#attempts;
    const rateMs = this.#attempts.length < RATE.attempts ? Number.NEGATIVE_INFINITY : oldest + RATE.windowMs;
    return Math.max(this.#notBeforeMs, rateMs);
  }

  #missed({ liveSinceMs }: Ear): void {
    if (liveSinceMs === null || this.#parts.clock.monotonicMs() - liveSinceMs < SETTLED_MS) return;
    this.#talk?.end(new CloudError("malformed", "the stream did not tell what its vendor knew"));
  }
}
