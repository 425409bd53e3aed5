/** What a gateway's process and its parent say to each other. */
import type { NewJournalEntry } from "../../src/store/store.ts";

/** What a gateway has told: the number of its last event, and that of each meter that is there. */
export interface Kept {
  readonly last: number;
  readonly meters: Readonly<Record<string, number>>;
}

export type Request = "rest" | "state" | "report";

export type Reply =
  | { readonly request: "rest"; readonly last: number }
  | { readonly request: "state"; readonly isConnected: boolean }
  | { readonly request: "report"; readonly journal: readonly NewJournalEntry[]; readonly kept: Kept };

/** Of a command: which it is. */
export function isCommandBody(body: unknown): body is { readonly command: string } {
  return typeof Reflect.get(Object(body), "command") === "string";
}
