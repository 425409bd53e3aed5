/** A copy of databases as they are at one moment, read while others write. */
import type { Database, DatabaseName } from "../platform/ports/ports.ts";
import { storageErrorOf } from "../platform/ports/storage-error.ts";
import { prefixRange } from "./database.ts";

/** Entries that are read at once; telemetry blocks have a few hundred bytes each. */
const PAGE = 256;

export interface DumpedRecord {
  readonly database: DatabaseName;
  readonly key: string;
  readonly value: Uint8Array;
}

export interface DumpSource {
  readonly name: DatabaseName;
  readonly database: Database;
}

/** Takes the snapshots when it is made. Later writes are not in it, and LevelDB keeps what they replace until it is disposed. */
export class StoreDump implements AsyncDisposable {
  readonly #sources: readonly (DumpSource & { readonly snapshot: ReturnType<Database["snapshot"]> })[];

  constructor(sources: readonly DumpSource[]) {
    this.#sources = sources.map((source) => ({ ...source, snapshot: source.database.snapshot() }));
  }

  /** Yields all records, page by page, in the order of databases and keys. Rejects with a `StorageError`. */
  async *pages(): AsyncGenerator<readonly DumpedRecord[]> {
    for (const { name, database, snapshot } of this.#sources) {
      const options = { ...prefixRange(""), snapshot, keyEncoding: "utf8", valueEncoding: "view" } as const;
      const iterator = database.iterator<string, Uint8Array>(options);
      try {
        for (;;) {
          const page = await iterator.nextv(PAGE);
          if (page.length === 0) break;
          yield page.map(([key, value]) => ({ database: name, key, value }));
        }
      } catch (error) {
        throw storageErrorOf(error, `the ${name} database cannot be read`);
      } finally {
        await iterator.close();
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { snapshot } of this.#sources) await snapshot.close();
  }
}
