/** Access tokens: opaque, known here by their hash only, valid for an hour of monotonic time. */

import { hash } from "node:crypto";
import { HOUR_MS } from "../../domain/duration.ts";
import { problem } from "../../domain/problem.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { TokenRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

const TOKEN_BYTES = 32;
const LIFE_MS = HOUR_MS;
/** The `expires_in` of the answer: a second less, so that the client asks for a new token in time. */
export const EXPIRES_IN_S = LIFE_MS / 1000 - 1;
/** A client that asks for more loses its oldest. */
const MAX_TOKENS_PER_CLIENT = 64;
/** Nothing that is longer can be a token. */
const MAX_TOKEN_CHARACTERS = 128;

export interface Tokens {
  /** A new token of a client, on disk when the promise resolves. */
  issue(clientId: string): Promise<string>;
  /** The client that a token stands for; null when the token is unknown or expired. */
  clientOf(token: string): string | null;
}

interface LiveToken {
  readonly clientId: string;
  readonly untilMs: number;
}

export function createTokens(parts: {
  readonly store: Pick<Store, "all" | "commit">;
  readonly clock: Clock;
  readonly random: Pick<Random, "secretBytes">;
}): Tokens {
  const { store, clock, random } = parts;
  const live = restore(store.all("token"), clock);

  return {
    async issue(clientId) {
      const token = Buffer.from(random.secretBytes(TOKEN_BYTES)).toString("base64url");
      const key = keyOf(token);
      const expiresAtMs = clock.nowMs() + LIFE_MS;
      const gone = [...surplus(live, clientId, clock.monotonicMs())];
      const writes: Write[] = gone.map((old) => ({ table: "token", key: old, remove: true }));
      writes.push({ table: "token", key, put: { hash: key, clientId, expiresAtMs } });
      writes.push({ table: "client-use", key: clientId, put: { clientId, lastUsedAtMs: clock.nowMs() } });
      await store.commit(writes, []).catch((cause: unknown) => {
        throw problem("service-unavailable", "The token cannot be stored now.", { cause });
      });
      for (const old of gone) live.delete(old);
      live.set(key, { clientId, untilMs: clock.monotonicMs() + LIFE_MS });
      return token;
    },
    clientOf(token) {
      if (token.length > MAX_TOKEN_CHARACTERS) return null;
      const found = live.get(keyOf(token));
      return found === undefined || found.untilMs <= clock.monotonicMs() ? null : found.clientId;
    },
  };
}

function keyOf(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Restores the tokens of an earlier start. Monotonic time begins again with each start, so their remaining life is
 * calculated once, from the wall clock. If the clock is not set, their age is unknown: they end, and clients ask
 * for new ones.
 */
function restore(records: readonly TokenRecord[], clock: Clock): Map<string, LiveToken> {
  const nowMs = clock.nowMs();
  const isAgeKnown = clock.quality() !== "unset";
  const ordered = [...records].sort((a, b) => a.expiresAtMs - b.expiresAtMs);
  return new Map(
    ordered.map(({ hash: key, clientId, expiresAtMs }) => {
      const leftMs = isAgeKnown ? Math.min(Math.max(0, expiresAtMs - nowMs), LIFE_MS) : 0;
      return [key, { clientId, untilMs: clock.monotonicMs() + leftMs }];
    }),
  );
}

/** The tokens that a new one of this client pushes out: all expired ones, and its own oldest beyond the limit. */
function* surplus(live: ReadonlyMap<string, LiveToken>, clientId: string, nowMs: number): Generator<string> {
  const own = [...live.values()].filter((token) => token.clientId === clientId && token.untilMs > nowMs).length;
  let toDrop = own + 1 - MAX_TOKENS_PER_CLIENT;
  for (const [key, token] of live) {
    const isExpired = token.untilMs <= nowMs;
    if (!isExpired && token.clientId === clientId && toDrop-- > 0) yield key;
    else if (isExpired) yield key;
  }
}
