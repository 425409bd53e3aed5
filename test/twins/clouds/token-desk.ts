import type { Clock } from "../../../src/platform/ports/ports.ts";

export interface TokenDeskSettings {
  readonly clock: Clock;
  /** How long an access token lives, ms. */
  readonly accessMs: number;
  /** How long a refresh token lives, ms; null: for ever. */
  readonly refreshMs: number | null;
  /** True: a refresh token is good for one renewal. */
  readonly rotates: boolean;
  /** True: a used refresh token is good until the one that came for it is used. Default: it is not. */
  readonly forgives?: boolean;
  /** True: a refresh token that comes again although it is good no more ends the login (RFC 9700, 4.14.2). */
  readonly revokesReuse?: boolean;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: "Bearer";
  /** s. */
  readonly expires_in: number;
}

/** Gives out and renews tokens as an OAuth 2.0 server does. */
export class TokenDesk {
  #settings: TokenDeskSettings;
  /** Monotonic ms at which each token ends. */
  readonly #access = new Map<string, number>();
  readonly #refresh = new Map<string, number>();
  /** What each refresh token came for, where that is still good. */
  readonly #before = new Map<string, string>();
  /** Refresh tokens that were good once. */
  readonly #used = new Set<string>();
  #count = 0;
  /** What was given out last. */
  newestRefresh = "";
  /** Renewals that were refused: a gateway that lost its token shows here. */
  refused = 0;
  /** Logins that ended because a refresh token came again. */
  revoked = 0;

  constructor(settings: TokenDeskSettings) {
    this.#settings = settings;
  }

  /** The vendor changes its mind. */
  change(settings: Partial<TokenDeskSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  issue(): TokenAnswer {
    const { clock, accessMs, refreshMs } = this.#settings;
    this.#count += 1;
    const [access, refresh] = [`access-${this.#count}-${"a".repeat(24)}`, `refresh-${this.#count}-${"r".repeat(24)}`];
    this.newestRefresh = refresh;
    this.#access.set(access, clock.monotonicMs() + accessMs);
    this.#refresh.set(refresh, refreshMs === null ? Number.POSITIVE_INFINITY : clock.monotonicMs() + refreshMs);
    return { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: accessMs / 1_000 };
  }

  /** Null: the token is not known, used up, or too old. */
  renew(refresh: string | null): TokenAnswer | null {
    const endsMs = refresh === null ? undefined : this.#refresh.get(refresh);
    if (refresh === null || endsMs === undefined || endsMs <= this.#settings.clock.monotonicMs()) {
      this.refused += 1;
      if (this.#settings.revokesReuse === true && this.#used.has(refresh ?? "")) this.#revokeForReuse();
      return null;
    }
    const { rotates, forgives = false } = this.#settings;
    this.#forget(this.#before.get(refresh));
    if (rotates && !forgives) this.#forget(refresh);
    const answer = this.issue();
    if (rotates && forgives) this.#before.set(answer.refresh_token, refresh);
    return answer;
  }

  /** Takes an `authorization` header, or a bare token. */
  accepts(authorization: string | undefined): boolean {
    const endsMs = this.#access.get((authorization ?? "").replace(/^bearer /i, ""));
    return endsMs !== undefined && endsMs > this.#settings.clock.monotonicMs();
  }

  /** As when the owner takes the permission back. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
    this.#before.clear();
    this.#used.clear();
  }

  #forget(refresh: string | undefined): void {
    if (refresh !== undefined && this.#refresh.delete(refresh)) this.#used.add(refresh);
  }

  #revokeForReuse(): void {
    this.revoked += 1;
    this.revokeAll();
  }
}
