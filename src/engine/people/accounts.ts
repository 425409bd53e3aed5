/** The accounts on disk. */
import { DAY_MS } from "../../domain/duration.ts";
import { nameKey } from "../../domain/people/account.ts";
import { isTemporary } from "../../domain/people/role.ts";
import { problem } from "../../domain/problem.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { AccountRecord, DeadlineFields } from "../../store/records/people.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { NewAccount } from "../contracts/people.ts";
import { deadlineIn, isToBeFixed } from "./deadline.ts";
import { INVITATION_LIFE_MS } from "./setup-code.ts";

const TEMPORARY_LIFE_MS = 30 * DAY_MS;
/** A house has fewer people. */
const MAX_ACCOUNTS = 100;

type WallClock = Pick<Clock, "nowMs" | "quality">;

export class Accounts {
  readonly #store: Pick<Store, "all" | "get" | "commitAlong">;
  readonly #clock: WallClock;

  constructor(parts: { readonly store: Pick<Store, "all" | "get" | "commitAlong">; readonly clock: WallClock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  all(): AccountRecord[] {
    return this.#store.all("account").map((record) => this.#fixed(record));
  }

  get(id: string): AccountRecord | null {
    const record = this.#store.get("account", id);
    return record === null ? null : this.#fixed(record);
  }

  require(id: string): AccountRecord {
    const record = this.get(id);
    if (record === null) throw problem("not-found", `There is no account ${id}.`);
    return record;
  }

  /** Returns the account with a name like this one; `null` if there is none. */
  named(name: string): AccountRecord | null {
    const key = nameKey(name);
    const found = this.#store.all("account").find((record) => nameKey(record.name) === key);
    return found === undefined ? null : this.#fixed(found);
  }

  refuseTooMany(): void {
    if (this.#store.all("account").length < MAX_ACCOUNTS) return;
    throw problem(
      "conflict",
      `There are ${MAX_ACCOUNTS} accounts, which is as many as there can be; remove one first.`,
    );
  }

  /** Ends that were fixed while the clock was not set count from now, when it is. */
  #fixed(record: AccountRecord): AccountRecord {
    const { end, code } = record;
    const isEndWrong = end !== undefined && isToBeFixed(end, this.#clock);
    const isCodeWrong = code !== undefined && isToBeFixed(code, this.#clock);
    if (!isEndWrong && !isCodeWrong) return record;
    const fixed: AccountRecord = {
      ...record,
      ...(isEndWrong && { end: deadlineIn(TEMPORARY_LIFE_MS, this.#clock) }),
      ...(isCodeWrong && { code: { hash: code.hash, ...deadlineIn(INVITATION_LIFE_MS, this.#clock) } }),
    };
    this.#store.commitAlong([put(fixed)]);
    return fixed;
  }
}

export function newAccount(
  {
    name,
    role,
    language = undefined,
    password,
  }: Pick<NewAccount, "name" | "role" | "language"> & Pick<AccountRecord, "password">,
  { clock, random }: { readonly clock: WallClock; readonly random: Pick<Random, "uuid"> },
): AccountRecord {
  const createdAtMs = clock.nowMs();
  return withEndOf({ id: random.uuid(), name, role, language: language ?? null, createdAtMs, password }, clock);
}

/** The account with the end that its role has from now on. */
export function withEndOf({ end: _, ...account }: AccountRecord, clock: WallClock): AccountRecord {
  const end: DeadlineFields | null = isTemporary(account.role) ? deadlineIn(TEMPORARY_LIFE_MS, clock) : null;
  return end === null ? account : { ...account, end };
}

export function put(record: AccountRecord): Write {
  return { table: "account", key: record.id, put: record };
}
