import type { AccountNotes } from "../sdk/account-notes.ts";
import { DeviceError } from "../sdk/device-error.ts";
import type { AccountNoteRecord } from "../store/records/account-notes.ts";
import type { Write } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { AccountUse } from "./fleet/roster.ts";
import type { Forgetter, Removal } from "./services/users.ts";

/** A sign-in, a budget, a few lists: more is data, and data have a place of their own. */
const MAX_NOTES = 16;
const MAX_NAME = 100;
const MAX_TEXT = 16_000;

/** What one adapter keeps of its accounts, in the store. */
export class StoredAccountNotes implements AccountNotes {
  readonly #store: Pick<Store, "commit" | "get" | "all">;
  readonly #adapter: string;

  constructor(store: Pick<Store, "commit" | "get" | "all">, adapter: string) {
    this.#store = store;
    this.#adapter = adapter;
  }

  get(account: string, name: string): string | null {
    return this.#store.get("account-note", this.#key(account, name))?.text ?? null;
  }

  names(account: string): readonly string[] {
    return this.#store
      .all("account-note")
      .filter((note) => note.adapter === this.#adapter && note.account === account)
      .map(({ name }) => name);
  }

  async put(account: string, name: string, text: string): Promise<void> {
    if (this.get(account, name) === text) return;
    if (account.length > MAX_NAME || name.length > MAX_NAME || text.length > MAX_TEXT) {
      throw new DeviceError("rejected", `the note ${name.slice(0, MAX_NAME)} of an account is too long`);
    }
    if (this.names(account).filter((other) => other !== name).length >= MAX_NOTES) {
      throw new DeviceError("rejected", `the account has ${MAX_NOTES} notes already`);
    }
    const put: AccountNoteRecord = { adapter: this.#adapter, account, name, text };
    await this.#store.commit([{ table: "account-note", key: this.#key(account, name), put }], []);
  }

  async remove(account: string, name: string): Promise<void> {
    if (this.get(account, name) === null) return;
    await this.#store.commit([{ table: "account-note", key: this.#key(account, name), remove: true }], []);
  }

  #key(account: string, name: string): string {
    return keyOf({ adapter: this.#adapter, account, name });
  }
}

/** Forgets what adapters keep of an account with the last of its devices, or with the authorization of its user. */
export class AccountNoteRemovals implements Forgetter {
  readonly #store: Pick<Store, "all">;
  readonly #uses: () => readonly AccountUse[];

  /** `uses` answers the accounts of the devices that there are before the removal. */
  constructor(store: Pick<Store, "all">, uses: () => readonly AccountUse[]) {
    this.#store = store;
    this.#uses = uses;
  }

  forget(removal: Removal): readonly Write[] {
    const uses = this.#uses();
    const leaving = uses.filter((use) => this.#isLeaving(use, removal));
    const staying = uses.filter((use) => !leaving.includes(use));
    return this.#store
      .all("account-note")
      .filter((note) => leaving.some((use) => isOf(note, use)) && !staying.some((use) => isOf(note, use)))
      .map(removeAccountNote);
  }

  #isLeaving({ deviceId, userId }: AccountUse, removal: Removal): boolean {
    if (removal.kind !== "assets") return userId === removal.userId;
    const own = this.#store.all("asset").filter((asset) => asset.deviceId === deviceId);
    return own.length > 0 && own.every(({ id }) => removal.assetIds.has(id));
  }
}

/** Removes what is kept of accounts that no device names, as after a sign-in that ended before a device was chosen. */
export function withoutUnused(store: Pick<Store, "all">, uses: readonly AccountUse[]): readonly Write[] {
  return store
    .all("account-note")
    .filter((note) => note.account !== "" && !uses.some((use) => isOf(note, use)))
    .map(removeAccountNote);
}

function isOf(note: AccountNoteRecord, use: AccountUse): boolean {
  return note.adapter === use.adapter && note.account === use.account;
}

function removeAccountNote(note: AccountNoteRecord): Write {
  return { table: "account-note", key: keyOf(note), remove: true };
}

function keyOf({ adapter, account, name }: Pick<AccountNoteRecord, "adapter" | "account" | "name">): string {
  return `${adapter}/${encodeURIComponent(account)}/${name}`;
}
