import type { Database } from "../platform/ports/ports.ts";

export type BatchOperation =
  | { readonly type: "put"; readonly key: string; readonly value: Uint8Array }
  | { readonly type: "del"; readonly key: string };

const ENCODINGS = { keyEncoding: "utf8", valueEncoding: "view" } as const;

export interface BatchWatch {
  /** Called instead of each `batch`; `proceed` runs it. */
  batch(operations: readonly BatchOperation[], isSynced: boolean, proceed: () => Promise<void>): Promise<void>;
  /** Called after the handle is closed. */
  closed(): void;
}

/** The same database with its batches and its end seen by `watch`. All else goes straight through. */
export function watchedDatabase(database: Database, watch: BatchWatch): Database {
  return new Proxy(database, {
    get(target, name) {
      if (name === "batch") {
        return (operations: BatchOperation[], options: { sync?: boolean } = {}) =>
          watch.batch(operations, options.sync === true, () => target.batch(operations, { ...ENCODINGS, ...options }));
      }
      if (name === "close") {
        return async () => {
          await target.close();
          watch.closed();
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
