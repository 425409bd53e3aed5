import { type Clock, HOUR_MS, type Log, TimeoutError, within } from "hemgate/sdk";
import type { Grant } from "../connector.ts";
import { CloudError } from "../session/cloud-error.ts";
import type { KeyValueStore } from "../session/key-value-store.ts";
import { freshLogin, type KeptLogin, keepLogin, type Login, loginIn } from "./kept-login.ts";
import type { Form } from "./login-desk.ts";

/** Gives an account's requests the grant that they carry. */
export interface Tokens {
  /** What came with the grant that is kept, beside its tokens. */
  readonly extra: NonNullable<Grant["extra"]>;
  /** A grant that is good for now. Rejects with a `CloudError`. */
  current(signal: AbortSignal): Promise<Grant>;
  /** The grant after one that the vendor did not accept. All who ask meanwhile share one renewal. */
  renew(stale: Grant, signal: AbortSignal): Promise<Grant>;
}

/** How grants are made; each rejects with a `CloudError`, `login-refused` where only a person can help. */
export interface Renewals {
  /** By what the grant itself allows. */
  renew(grant: Grant, signal: AbortSignal): Promise<Grant>;
  /** With what was typed; null: this vendor has no such login. */
  readonly signInAgain: ((form: Form, signal: AbortSignal) => Promise<Grant>) | null;
}

export interface AccountTokensParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: KeyValueStore;
  readonly renewals: Renewals;
  /** The vendor, for messages. */
  readonly vendor: string;
}

/** Renewed so long before its end that no request arrives with one that has ended meanwhile. */
const EARLY_MS = 60_000;
/** A grant that lives shorter than that is used until the vendor refuses it. */
const LEAST_BETWEEN_MS = 60_000;
/** A renewal with its retries, and the callers that wait for it. */
const RENEWAL_MS = 20_000;
const WAITING_MS = 25_000;
/** A refused grant is not tried again for so long; a refused password never is, for accounts get locked. */
const REFUSED_REST_MS = 6 * HOUR_MS;
/** A stop waits so long for a renewal that is under way: its answer may be the only valid token. */
const PARTING_MS = 250;

/**
 * The grant of one account. What a vendor gives in a renewal is on disk before it is used, so that a crash cannot lose the
 * only refresh token that the vendor still takes.
 */
export class AccountTokens implements Tokens, AsyncDisposable {
  readonly #parts: AccountTokensParts;
  readonly #ended = new AbortController();
  #login: KeptLogin | null;
  /** False: the disk refused what the vendor gave last. */
  #isKept = true;
  #renewal: Promise<Grant> | null = null;
  /** Monotonic ms. */
  #renewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: AccountTokensParts) {
    this.#parts = parts;
    this.#login = loginIn(parts.store);
  }

  get extra(): NonNullable<Grant["extra"]> {
    return this.#login?.grant.extra ?? {};
  }

  /** False: nobody signed in, or the login was forgotten with the last device. */
  get hasLogin(): boolean {
    return loginIn(this.#parts.store) !== null;
  }

  /** False: nobody is signed in, or the vendor refused the login. */
  get isSignedIn(): boolean {
    return this.#login !== null && this.#login.refused === null;
  }

  async current(signal: AbortSignal): Promise<Grant> {
    const { grant } = this.#usable();
    if (this.#renewal !== null || !this.#isKept || this.#isEnding(grant)) return await this.renew(grant, signal);
    return grant;
  }

  async renew(stale: Grant, signal: AbortSignal): Promise<Grant> {
    const { grant, refused } = this.#usable();
    const isGood = this.#renewal === null && this.#isKept && refused === null;
    if (isGood && grant.access !== stale.access) return grant;
    this.#renewal ??= this.#renewOnce().finally(() => {
      this.#renewal = null;
    });
    // Nobody may be waiting any more when it fails.
    this.#renewal.catch(() => undefined);
    // The renewal goes on for others, and for the disk, when one who waits gives up.
    const renewal = this.#renewal;
    return await this.#inTime(WAITING_MS, signal, () => renewal);
  }

  /** A person signed in again: nothing of the login before counts any more. Resolved: it is on disk. */
  async replace(login: Login): Promise<void> {
    const fresh = freshLogin(login, this.#login);
    // At once, so that a renewal of the old one that is under way changes nothing any more.
    this.#login = fresh;
    this.#isKept = false;
    this.#renewedAtMs = Number.NEGATIVE_INFINITY;
    await keepLogin(this.#parts.store, fresh);
    this.#isKept = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const renewal = this.#renewal;
    if (renewal !== null) {
      const { signal } = new AbortController();
      await within(this.#parts.clock, PARTING_MS, signal, () => renewal).catch(() => undefined);
    }
    this.#ended.abort(new CloudError("unavailable", `${this.#parts.vendor}: the account is closed`));
  }

  async #renewOnce(): Promise<Grant> {
    const before = this.#usable();
    if (this.#isKept) {
      const after = await this.#renewed(before);
      if (this.#login === before) {
        this.#login = after;
        this.#renewedAtMs = this.#parts.clock.monotonicMs();
      }
    }
    const login = this.#usable();
    await this.#keep(login);
    return login.grant;
  }

  async #renewed(login: KeptLogin): Promise<KeptLogin> {
    try {
      const grant = await this.#inTime(RENEWAL_MS, this.#ended.signal, (own) => this.#nextGrant(login, own));
      return { ...login, grant, previous: login.grant.refresh, refused: null };
    } catch (error) {
      if (error instanceof CloudError && error.kind === "login-refused") await this.#refuse(login);
      throw error;
    }
  }

  async #nextGrant({ grant, previous, form }: KeptLogin, signal: AbortSignal): Promise<Grant> {
    const { renew, signInAgain } = this.#parts.renewals;
    const attempts = [
      () => renew(grant, signal),
      // The vendor may not know that its last answer arrived: the token before is good once more.
      ...(previous === null || previous === grant.refresh
        ? []
        : [() => renew({ ...grant, refresh: previous }, signal)]),
      ...(form === null || signInAgain === null ? [] : [() => signInAgain(form, signal)]),
    ];
    let refusal: unknown;
    for (const attempt of attempts) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof CloudError) || error.kind !== "login-refused") throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  /** On disk, so that no restart tries again what locks accounts. */
  async #refuse(login: KeptLogin): Promise<void> {
    const { clock, log, store, renewals } = this.#parts;
    if (this.#login !== login) return;
    const what = login.form === null || renewals.signInAgain === null ? "grant" : "form";
    this.#login = { ...login, previous: null, refused: { atMs: clock.nowMs(), what } };
    await keepLogin(store, this.#login).catch((err: unknown) => {
      log.warn({ err }, "refused login not noted yet");
    });
  }

  async #keep(login: KeptLogin): Promise<void> {
    const { store, vendor, log } = this.#parts;
    try {
      await keepLogin(store, login);
      this.#isKept = true;
    } catch (cause) {
      const isRotated = login.grant.refresh !== login.previous;
      this.#isKept = !isRotated;
      if (isRotated) throw new CloudError("unavailable", `${vendor}: the new token cannot be kept on disk`, { cause });
      log.warn({ err: cause }, "renewed token not on disk yet");
    }
  }

  #usable(): KeptLogin {
    const { vendor } = this.#parts;
    const login = this.#login;
    if (login === null) throw new CloudError("login-refused", `${vendor}: nobody is signed in`);
    if (login.refused !== null && this.#isRefusalRecent(login.refused)) {
      throw new CloudError("login-refused", `${vendor}: the login was refused; link the account again`);
    }
    return login;
  }

  #isRefusalRecent({ atMs, what }: NonNullable<KeptLogin["refused"]>): boolean {
    const { clock } = this.#parts;
    // Without a clock to trust nobody knows how long ago it was.
    if (what === "form" || clock.quality() === "unset") return true;
    return Math.abs(clock.nowMs() - atMs) < REFUSED_REST_MS;
  }

  #isEnding({ expiresAtMs }: Grant): boolean {
    const { clock } = this.#parts;
    const isRecent = clock.monotonicMs() - this.#renewedAtMs < LEAST_BETWEEN_MS;
    if (this.#login?.refused != null) return true;
    return !isRecent && expiresAtMs !== null && clock.nowMs() >= expiresAtMs - EARLY_MS;
  }

  async #inTime(limitMs: number, signal: AbortSignal, work: (own: AbortSignal) => Promise<Grant>): Promise<Grant> {
    try {
      return await within(this.#parts.clock, limitMs, signal, work);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      throw new CloudError("timeout", `${this.#parts.vendor}: the login was not renewed in time`, { cause: error });
    }
  }
}
