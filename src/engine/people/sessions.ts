/** The browsers that are signed in: known here by the hash of their cookie only. */
import { hash } from "node:crypto";
import { DAY_MS, HOUR_MS } from "../../domain/duration.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { SessionRecord } from "../../store/records/people.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { SignInPlace } from "../contracts/people.ts";
import { deadlineIn, isOver, isToBeFixed } from "./deadline.ts";

export const SESSION_LIFE_MS = 30 * DAY_MS;
const TOKEN_BYTES = 32;
/** Nothing that is longer can be a token. */
const MAX_TOKEN_CHARACTERS = 64;
/** An account that signs in at more browsers loses its oldest session. */
const MAX_SESSIONS_OF_ACCOUNT = 20;
/** How often the end of a session that is in use is written. */
const WRITTEN_EVERY_MS = HOUR_MS;
const MAX_USER_AGENT_CHARACTERS = 200;

export interface SessionParts {
  readonly store: Pick<Store, "all" | "commit" | "commitAlong">;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly random: Pick<Random, "secretBytes" | "uuid">;
}

export class Sessions {
  readonly #parts: SessionParts;
  /** By the hash of the cookie. A session that ended is not here, even if the disk did not take its removal. */
  readonly #open = new Map<string, SessionRecord>();
  readonly #ends = new Listeners<[string]>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    for (const record of parts.store.all("session")) this.#open.set(record.hash, record);
  }

  observeEnds(listener: (sessionId: string) => void): Disposable {
    return this.#ends.subscribe(listener);
  }

  list(): readonly SessionRecord[] {
    return [...this.#open.values()].filter((record) => !isOver(record, this.#parts.clock));
  }

  /** Returns a session that has just begun, its token, and the writes that store it. `keep` it after they are stored. */
  begin(
    accountId: string,
    { address, userAgent }: SignInPlace,
  ): { token: string; record: SessionRecord; writes: Write[] } {
    const { clock, random } = this.#parts;
    const token = Buffer.from(random.secretBytes(TOKEN_BYTES)).toString("base64url");
    const nowMs = clock.nowMs();
    const record: SessionRecord = {
      id: random.uuid(),
      hash: keyOf(token),
      accountId,
      createdAtMs: nowMs,
      lastSeenAtMs: nowMs,
      ...deadlineIn(SESSION_LIFE_MS, clock),
      address,
      userAgent: userAgent?.replaceAll(/\p{C}/gu, "").slice(0, MAX_USER_AGENT_CHARACTERS) ?? null,
    };
    const gone = [...this.#open.values()].filter((each) => isOver(each, clock)).concat(this.#surplus(accountId));
    const removals = gone.map(({ id }): Write => ({ table: "session", key: id, remove: true }));
    return { token, record, writes: [...removals, { table: "session", key: record.id, put: record }] };
  }

  /** Opens a session that is on disk. */
  keep(record: SessionRecord): void {
    const gone = this.#surplus(record.accountId);
    this.#open.set(record.hash, record);
    this.#close(gone);
  }

  /** Returns the open session of a token, and moves its end; `null` if there is none. */
  use(token: string): SessionRecord | null {
    if (token.length > MAX_TOKEN_CHARACTERS) return null;
    const { clock, store } = this.#parts;
    const record = this.#open.get(keyOf(token));
    if (record === undefined || isOver(record, clock)) return null;
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - record.lastSeenAtMs) < WRITTEN_EVERY_MS && !isToBeFixed(record, clock)) return record;
    const { isDateUnsure: _, ...rest } = record;
    const used: SessionRecord = { ...rest, lastSeenAtMs: nowMs, ...deadlineIn(SESSION_LIFE_MS, clock) };
    this.#open.set(used.hash, used);
    store.commitAlong([{ table: "session", key: used.id, put: used }]);
    return used;
  }

  /** Ends sessions at once, and returns the writes that say so. */
  end(which: (record: SessionRecord) => boolean): Write[] {
    const gone = [...this.#open.values()].filter(which);
    this.#close(gone);
    return gone.map(({ id }) => ({ table: "session", key: id, remove: true }));
  }

  #close(gone: readonly SessionRecord[]): void {
    for (const { hash: key } of gone) this.#open.delete(key);
    for (const { id } of gone) this.#ends.emit(id);
  }

  /** The sessions that a new one of the account pushes out. */
  #surplus(accountId: string): readonly SessionRecord[] {
    const own = [...this.#open.values()].filter((record) => record.accountId === accountId);
    return own.sort((a, b) => b.lastSeenAtMs - a.lastSeenAtMs).slice(MAX_SESSIONS_OF_ACCOUNT - 1);
  }
}

/** Returns what a page proves with that it read the answer to the session's own request. */
export function csrfTokenOf(token: string): string {
  return hash("sha256", `hemgate csrf ${token}`, "base64url");
}

function keyOf(token: string): string {
  return hash("sha256", token, "hex");
}
