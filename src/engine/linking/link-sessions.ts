import { hash } from "node:crypto";
import { DAY_MS } from "../../domain/duration.ts";
import { problem } from "../../domain/problem.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { LinkRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

const TOKEN_BYTES = 32;
/** Longer strings cannot be tokens. */
const MAX_TOKEN_CHARACTERS = 128;
/** Rule I8: a link session lasts 24 hours. */
const LIFE_MS = DAY_MS;
/** For this time after its end, a session is still shown as used or expired instead of unknown. */
const KEPT_MS = DAY_MS;
/** Beyond it, a new session replaces the user's oldest open one. */
const MAX_OPEN_PER_USER = 20;
const MAX_SESSIONS = 1_000;

type NewSession = Omit<LinkRecord, "hash" | "createdAtMs" | "expiresAtMs" | "isUsed">;

/** A session and its state; only an open one can be completed. */
export interface FoundSession {
  readonly record: LinkRecord;
  readonly state: "open" | "used" | "expired";
}

/** The parts of the engine that sessions use. */
interface LinkSessionNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
}

/** Stores link sessions on disk and in memory, by the hash of their token. They expire by the monotonic clock. */
export class LinkSessions {
  readonly #context: LinkSessionNeeds;
  readonly #live = new Map<string, { readonly record: LinkRecord; readonly untilMs: number }>();

  constructor(context: LinkSessionNeeds) {
    this.#context = context;
    const { clock, store } = context;
    // While the wall clock is unset, the age of stored sessions is unknown: they expire, and apps start new ones.
    const isAgeKnown = clock.quality() !== "unset";
    const nowMs = clock.nowMs();
    for (const record of store.all("link").toSorted((a, b) => a.createdAtMs - b.createdAtMs)) {
      const leftMs = isAgeKnown ? Math.min(record.expiresAtMs - nowMs, LIFE_MS) : 0;
      this.#live.set(record.hash, { record, untilMs: clock.monotonicMs() + leftMs });
    }
  }

  /** Stores a new session and returns its token. Throws `service-unavailable` if it cannot be stored. */
  async begin(session: NewSession): Promise<string> {
    const { clock, random, store } = this.#context;
    const token = Buffer.from(random.secretBytes(TOKEN_BYTES)).toString("base64url");
    const createdAtMs = clock.nowMs();
    const key = keyOf(token);
    const record: LinkRecord = {
      ...session,
      hash: key,
      createdAtMs,
      expiresAtMs: createdAtMs + LIFE_MS,
      isUsed: false,
    };
    const gone = this.#surplus(session.userId);
    const writes: Write[] = gone.map(removal);
    writes.push({ table: "link", key, put: record });
    await store.commit(writes, []).catch((cause: unknown) => {
      throw problem("service-unavailable", "The link session cannot be stored now; try again later.", { cause });
    });
    for (const old of gone) this.#live.delete(old);
    this.#live.set(key, { record, untilMs: clock.monotonicMs() + LIFE_MS });
    return token;
  }

  /** Returns the session of a token; `null` if it never existed or was deleted. */
  find(token: string): FoundSession | null {
    if (token.length > MAX_TOKEN_CHARACTERS) return null;
    const found = this.#live.get(keyOf(token));
    if (found === undefined) return null;
    const { record, untilMs } = found;
    if (record.isUsed) return { record, state: "used" };
    return { record, state: untilMs <= this.#context.clock.monotonicMs() ? "expired" : "open" };
  }

  /** Returns the writes that mark a session as used, for the commit that stores the linked devices. */
  using(key: string): readonly Write[] {
    const found = this.#live.get(key);
    return found === undefined ? [] : [{ table: "link", key, put: { ...found.record, isUsed: true } }];
  }

  /** Marks a session as used in memory, after that commit. */
  used(key: string): void {
    const found = this.#live.get(key);
    if (found !== undefined) this.#live.set(key, { ...found, record: { ...found.record, isUsed: true } });
  }

  keysOf(userId: string): readonly string[] {
    return [...this.#live.values()].filter(({ record }) => record.userId === userId).map(({ record }) => record.hash);
  }

  /** Removes sessions from memory after they were deleted from the disk. */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.#live.delete(key);
  }

  /** Deletes the sessions that ended more than 24 hours ago. */
  async sweep(): Promise<void> {
    const untilMs = this.#context.clock.monotonicMs() - KEPT_MS;
    const gone = [...this.#live.values()].filter((each) => each.untilMs <= untilMs).map(({ record }) => record.hash);
    if (gone.length === 0) return;
    await this.#context.store.commit(gone.map(removal), []);
    this.forget(gone);
  }

  /** Returns the sessions to delete before one more is added: the user's oldest open ones, then the oldest of all. */
  #surplus(userId: string): readonly string[] {
    const open = [...this.#live.values()].filter(({ record }) => record.userId === userId && !record.isUsed);
    const own = open.slice(0, Math.max(0, open.length + 1 - MAX_OPEN_PER_USER)).map(({ record }) => record.hash);
    const left = [...this.#live.keys()].filter((key) => !own.includes(key));
    return [...own, ...left.slice(0, Math.max(0, left.length + 1 - MAX_SESSIONS))];
  }
}

function keyOf(token: string): string {
  return hash("sha256", token, "hex");
}

function removal(key: string): Write {
  return { table: "link", key, remove: true };
}
