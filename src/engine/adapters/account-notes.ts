import type { AccountNoteRecord } from "../../store/records/account-notes.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";
import type { AccountUse } from "../fleet/roster.ts";
import type { Note, NoteTable } from "./stored-notes.ts";

/** The notes that adapters store about accounts, such as tokens and quotas. */
export const ACCOUNT_NOTES: NoteTable = {
  subject: "account",
  limits: { notes: 16, name: 100, subject: 100, text: 16_000 },
  get: (store, { adapter, subject, name }) => {
    return noteOf(store.get("account-note", keyOf({ adapter, account: subject, name })));
  },
  all: (store) => store.all("account-note").flatMap((record) => noteOf(record) ?? []),
  put: ({ subject, ...note }) => {
    const put = { ...note, account: subject };
    return { table: "account-note", key: keyOf(put), put };
  },
  remove: ({ subject, ...note }) => removeAccountNote({ ...note, account: subject }),
};

function noteOf(record: AccountNoteRecord | null): Note | null {
  if (record === null) return null;
  const { account: subject, ...note } = record;
  return { ...note, subject };
}

/** Deletes the notes of an account with the last of its devices, or with the authorization of its user. */
export class AccountNoteRemovals implements Forgetter {
  readonly #store: Pick<Store, "all">;
  readonly #uses: () => readonly AccountUse[];

  /** `uses` returns the accounts of the devices before the removal. */
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

/** Returns the writes that delete the notes of accounts without devices, as after a sign-in that was not completed. */
export function withoutUnused(store: Pick<Store, "all">, uses: readonly AccountUse[]): readonly Write[] {
  return store
    .all("account-note")
    .filter((note) => note.account !== "" && !uses.some((use) => isOf(note, use)))
    .map(removeAccountNote);
}

function isOf(note: AccountNoteRecord, use: AccountUse): boolean {
  return note.adapter === use.adapter && note.account === use.account;
}

function removeAccountNote(note: Omit<AccountNoteRecord, "text">): Write {
  return { table: "account-note", key: keyOf(note), remove: true };
}

function keyOf({ adapter, account, name }: Omit<AccountNoteRecord, "text">): string {
  return `${adapter}/${encodeURIComponent(account)}/${name}`;
}
