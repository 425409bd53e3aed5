import { ASSET_KINDS } from "../../domain/assets/asset.ts";
import { problem } from "../../domain/problem.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { UserRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Authorizations } from "../contracts/authorizations.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Forgetter, LinkedVendor, Removal, User, Users } from "../contracts/users.ts";

/** 1 to 255 printable characters, none of them a slash (rule S9.5). */
const USER_ID = /^[^/\p{C}]{1,255}$/u;

export interface UserServiceOptions {
  readonly store: Pick<Store, "commit" | "all" | "get">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
  readonly assets: Assets;
  readonly authorizations: Pick<Authorizations, "isValid">;
}

/** The users on disk, and the owners of configured devices even while the disk takes none. */
export class UserService implements Users, Forgetter {
  readonly #options: UserServiceOptions;
  readonly #mutex = new KeyedMutex();
  /** Owners that the disk did not take yet. */
  readonly #unstored = new Map<string, UserRecord>();

  constructor(options: UserServiceOptions) {
    this.#options = options;
  }

  get(id: string): User | null {
    const record = this.#options.store.get("user", id) ?? this.#unstored.get(id);
    return record === undefined ? null : userOf(record);
  }

  list(): readonly User[] {
    const stored = this.#options.store.all("user");
    const others = [...this.#unstored.values()].filter(({ id }) => this.#options.store.get("user", id) === null);
    return [...stored, ...others].map(userOf).sort(byCreation);
  }

  require(id: string): User {
    const user = this.get(id);
    if (user === null) throw problem("not-found", `There is no user "${id}".`, { title: "User does not exist" });
    return user;
  }

  async ensure(id: string): Promise<User> {
    if (!USER_ID.test(id)) {
      throw problem("bad-request", "A user id has 1 to 255 printable characters, none of them a slash.");
    }
    return await this.#mutex.run(id, async () => {
      const known = this.#options.store.get("user", id);
      if (known !== null) return userOf(known);
      const record = this.#unstored.get(id) ?? { id, createdAtMs: this.#options.clock.nowMs() };
      await this.#options.store.commit([putUser(record)], []);
      this.#unstored.delete(id);
      return userOf(record);
    });
  }

  linkedVendors(id: string): readonly LinkedVendor[] {
    const { assets, authorizations } = this.#options;
    if (this.get(id)?.isDeauthorized ?? true) return [];
    return ASSET_KINDS.flatMap((vendorType) => {
      const own = assets.list(vendorType).filter(({ asset }) => asset.userId === id);
      const vendors = [...new Set(own.map(({ asset }) => asset.vendor))].sort();
      return vendors.map((vendor) => ({ vendor, vendorType, isValid: authorizations.isValid(id, vendor) }));
    });
  }

  /** What makes users authorized again, for a commit; empty when they are. */
  reauthorization(ids: readonly string[]): readonly Write[] {
    return [...new Set(ids)].flatMap((id) => {
      const record = this.#options.store.get("user", id);
      return record?.isDeauthorized === true ? [putUser({ id, createdAtMs: record.createdAtMs })] : [];
    });
  }

  /** A user's own record is removed by who removes the user. */
  forget(): readonly Write[] {
    return [];
  }

  onForgotten(removal: Removal): void {
    if (removal.kind === "user") this.#unstored.delete(removal.userId);
  }

  /** Makes users of owners. When the disk refuses they are known all the same, and the next start stores them. */
  async welcome(owners: readonly string[]): Promise<void> {
    const { store, clock, log } = this.#options;
    const missing = [...new Set(owners)].filter((id) => store.get("user", id) === null);
    for (const id of missing) this.#unstored.set(id, { id, createdAtMs: clock.nowMs() });
    if (missing.length === 0) return;
    try {
      await store.commit([...this.#unstored.values()].map(putUser), []);
      this.#unstored.clear();
    } catch (err) {
      log.warn({ err }, "owners of devices not stored yet");
    }
  }
}

export function putUser(record: UserRecord): Write {
  return { table: "user", key: record.id, put: record };
}

function userOf({ id, createdAtMs, isDeauthorized }: UserRecord): User {
  return { id, createdAtMs, isDeauthorized: isDeauthorized ?? false };
}

function byCreation(a: User, b: User): number {
  if (a.createdAtMs !== b.createdAtMs) return b.createdAtMs - a.createdAtMs;
  return a.id < b.id ? -1 : 1;
}
