import type { AccountNotes } from "hemgate/sdk";
import { loginIn } from "../login/kept-login.ts";
import type { KeyValueStore } from "./key-value-store.ts";

type Notes = Pick<AccountNotes, "get" | "put">;

/** The notes of an account, whether it has a login or is about to. */
export function newAccountStore(notes: Notes, account: string): KeyValueStore {
  return {
    get: (name) => notes.get(account, name),
    put: (name, text) => notes.put(account, name, text),
  };
}

/** The notes of an account at work. Once it was forgotten, nothing that is still under way brings it back. */
export function accountStore(notes: Notes, account: string): KeyValueStore {
  const store = newAccountStore(notes, account);
  return {
    get: store.get,
    put: async (name, text) => {
      if (loginIn(store) !== null) await store.put(name, text);
    },
  };
}

/** What all accounts with a vendor share: the adapter's own notes, which stay when an account goes. */
export function vendorStore(notes: Notes, vendor: string): KeyValueStore {
  return {
    get: (name) => notes.get("", `${vendor} ${name}`),
    put: (name, text) => notes.put("", `${vendor} ${name}`, text),
  };
}

/** Keeps nothing over restarts: for an account that nobody knows yet. */
export function memoryStore(): KeyValueStore {
  const texts = new Map<string, string>();
  return {
    get: (name) => texts.get(name) ?? null,
    put: async (name, text) => void texts.set(name, text),
  };
}
