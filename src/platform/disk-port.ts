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

export interface Disk {
  /** Where the store keeps the second copy of what nobody can make again. */
  readonly copy: CopyFile;
  /** Opens the database, creating it when it has never existed here. Rejects when it is damaged or locked. */
  open(name: DatabaseName): Promise<Database>;
  /** Moves the database's files away, keeps them, and answers where they are now. */
  moveAside(name: DatabaseName): Promise<string>;
  /** Bytes that can still be written where the databases are. Rejects with a `StorageError`. */
  freeBytes(): Promise<number>;
}
