import type { AccountNotes } from "../sdk/notes.ts";

/** Notes of accounts in memory, for an adapter that is tested by itself. */
export class MemoryAccountNotes implements AccountNotes {
  readonly #accounts = new Map<string, Map<string, string>>();

  get(account: string, name: string): string | null {
    return this.#accounts.get(account)?.get(name) ?? null;
  }

  names(account: string): readonly string[] {
    return [...(this.#accounts.get(account)?.keys() ?? [])];
  }

  async put(account: string, name: string, text: string): Promise<void> {
    const notes = this.#accounts.get(account) ?? new Map<string, string>();
    this.#accounts.set(account, notes.set(name, text));
  }

  async remove(account: string, name: string): Promise<void> {
    this.#accounts.get(account)?.delete(name);
  }
}
