import type { AccountNotes } from "hemgate/sdk";
import { loginIn } from "../login/kept-login.ts";
import type { Drawer } from "./key-value-store.ts";

type Notes = Pick<AccountNotes, "get" | "put">;

/** The notes of an account, whether it has a login or is about to. */
export function newAccountDrawer(notes: Notes, account: string): Drawer {
  return {
    get: (name) => notes.get(account, name),
    put: (name, text) => notes.put(account, name, text),
  };
}

/** The notes of an account at work. Once it was forgotten, nothing that is still under way brings it back. */
export function accountDrawer(notes: Notes, account: string): Drawer {
  const drawer = newAccountDrawer(notes, account);
  return {
    get: drawer.get,
    put: async (name, text) => {
      if (loginIn(drawer) !== null) await drawer.put(name, text);
    },
  };
}

/** What all accounts with a vendor share: the adapter's own notes, which stay when an account goes. */
export function vendorDrawer(notes: Notes, vendor: string): Drawer {
  return {
    get: (name) => notes.get("", `${vendor} ${name}`),
    put: (name, text) => notes.put("", `${vendor} ${name}`, text),
  };
}

/** Keeps nothing over restarts: for an account that nobody knows yet. */
export function passingDrawer(): Drawer {
  const texts = new Map<string, string>();
  return {
    get: (name) => texts.get(name) ?? null,
    put: async (name, text) => void texts.set(name, text),
  };
}
