import { createHash, timingSafeEqual } from "node:crypto";
import type { MqttConfig } from "../config/mqtt-config.ts";
import { HOUR_MS, MINUTE_MS } from "../domain/duration.ts";
import { backoffMs } from "../platform/backoff.ts";
import { networkOf } from "../platform/network/network-of.ts";
import type { BrokerAccess, BrokerRights, Clock, SignIn } from "../platform/ports/ports.ts";

/** Pauses of an address after too many wrong passwords. */
const PAUSE = { floorMs: MINUTE_MS, ceilingMs: HOUR_MS } as const;
/** The failures of an address that has been quiet for so long are forgotten. */
const FORGET_MS = HOUR_MS;
const MAX_SOURCES = 2_000;
/** Others behind the same router go on when one of them has a wrong password. */
const USERNAMES_OF_ADDRESS = 3;
/** What a client of the API may do: read what the API shows. */
const CLIENT_RIGHTS = { publish: [], subscribe: ["hemgate/#"] } as const;

interface SignInParts {
  readonly users: MqttConfig["users"];
  /** Whether these are the id and secret of a client of the API. */
  readonly isClient: (id: string, secret: string) => Promise<boolean>;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Wrong passwords of one username from one address before it has to wait; of all usernames, some times as many. */
  readonly limit: number;
}

interface Failures {
  readonly count: number;
  readonly atMs: number;
  /** Until when nothing of the address is looked at. */
  readonly untilMs: number;
}

/** Signs in the users of the configuration and the clients of the API, and slows down guessing. */
export function createSignIns(parts: SignInParts): BrokerAccess {
  const failures = new Map<string, Failures>();
  return {
    async signIn(attempt) {
      const network = networkOf(attempt.address);
      const pair = `${network} ${createHash("sha256").update(attempt.username).digest("base64")}`;
      const nowMs = parts.clock.monotonicMs();
      if ([network, pair].some((source) => nowMs < (failures.get(source)?.untilMs ?? 0))) return null;
      const rights = await rightsOf(parts, attempt);
      if (rights === null) {
        note(failures, { source: network, limit: parts.limit * USERNAMES_OF_ADDRESS }, parts.clock);
        note(failures, { source: pair, limit: parts.limit }, parts.clock);
      }
      return rights;
    },
    rightsOf: (username) => parts.users.find((each) => each.username === username) ?? null,
  };
}

async function rightsOf(
  { users, isClient }: SignInParts,
  { username, password }: SignIn,
): Promise<BrokerRights | null> {
  const user = users.find((each) => each.username === username);
  if (user !== undefined) return isSame(user.password, password) ? user : null;
  return (await isClient(username, password)) ? { username, ...CLIENT_RIGHTS } : null;
}

/** Hashed first, so that the comparison tells neither length nor place of a difference. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function note(
  failures: Map<string, Failures>,
  { source, limit }: { readonly source: string; readonly limit: number },
  clock: SignInParts["clock"],
): void {
  const nowMs = clock.monotonicMs();
  const before = failures.get(source);
  const count = before === undefined || nowMs - before.atMs > FORGET_MS ? 1 : before.count + 1;
  const tooMany = count - limit + 1;
  const pauseMs = tooMany > 0 ? backoffMs(tooMany, PAUSE, null) : 0;
  // Deleted first, so that the map stays ordered by the last failure.
  failures.delete(source);
  failures.set(source, { count, atMs: nowMs, untilMs: nowMs + pauseMs });
  for (const oldest of failures.keys()) {
    if (failures.size <= MAX_SOURCES) break;
    failures.delete(oldest);
  }
}
