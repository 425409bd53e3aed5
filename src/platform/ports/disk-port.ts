/** The port for what lasts. It stands with the others in `ports.ts`. */
import type { AbstractLevel } from "abstract-level";

/** `critical` is small and decides about control; `telemetry` is large and may be lost without harm to control. */
export type DatabaseName = "critical" | "telemetry";

/** An ordered key-value database with atomic batches. Keys are text, values are bytes. */
export type Database = AbstractLevel<string | Buffer | Uint8Array, string, Uint8Array> & {
  /** Rewrites [start, end), so that no file has a replaced or removed value any more. Absent: none is ever kept. */
  compactRange?(start: string, end: string): Promise<void>;
};

/** A small file apart from the databases, replaced as a whole. All reject with a `StorageError`. */
export interface CopyFile {
  /** What was written last; null when there is no such file. */
  read(): Promise<Uint8Array | null>;
  /** Whole or not at all; on disk when the promise resolves. */
  write(bytes: Uint8Array): Promise<void>;
  /** Renames the file, and answers where it is now. */
  moveAside(): Promise<string>;
}

/** What was damaged, and what comes of it. */
export interface Salvage {
  /** By file, in words. */
  readonly damage: readonly string[];
  /** The folder in which the damaged database is kept. */
  readonly where: string;
  /** Keys of the critical database whose values may be older ones than the last, or were removed. */
  readonly doubtful: readonly string[];
}

export interface RebuildParts {
  /** How new a value is by what it says itself; null when it is not what was written for the key. */
  ageOf(key: string, value: Uint8Array): bigint | null;
  /** What the new database gets beside the records, in the same step. */
  report(salvage: Salvage): { readonly key: string; readonly value: Uint8Array };
}

export interface Disk {
  /** Where the store keeps the second copy of what nobody can make again. */
  readonly copy: CopyFile;
  /** Opens the database, creating it when it has never existed here. Rejects when it is damaged or locked. */
  open(name: DatabaseName): Promise<Database>;
  /**
   * Rebuilds a database that does not open from its intact records, the newest of each. The damaged one is moved aside
   * and kept. Returns false if nothing can be read, or if there is no room for two; then nothing was changed.
   */
  rebuild(name: DatabaseName, parts: RebuildParts): Promise<boolean>;
  /** Moves the database's files away, keeps them, and answers where they are now. */
  moveAside(name: DatabaseName): Promise<string>;
  /** Bytes that can still be written where the databases are. Rejects with a `StorageError`. */
  freeBytes(): Promise<number>;
}
