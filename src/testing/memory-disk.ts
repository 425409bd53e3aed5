import { MemoryLevel } from "memory-level";
import type { CopyFile, Database, DatabaseName, Disk } from "../platform/ports/ports.ts";
import { StorageError } from "../platform/ports/storage-error.ts";
import { type BatchOperation, watchedDatabase } from "./watched-database.ts";

/**
 * How a write fails. `lost`: nothing of it is on disk. `kept`: it is on disk all the same, as after an fsync whose answer
 * was an error.
 */
export type WriteFault = "lost" | "kept";

/** `after`: it is on disk, and who asked for it does not know yet. */
export type BatchMoment = "before" | "after";

const ENCODINGS = { keyEncoding: "utf8", valueEncoding: "view" } as const;

interface StoredDatabase {
  /** What a power cut leaves. */
  durable: Map<string, Uint8Array>;
  /** The last write of each key without `sync` since; a power cut takes it. */
  unsynced: Map<string, BatchOperation>;
  handle: { readonly database: Database; isDead: boolean } | null;
  isDamaged: boolean;
}

/**
 * The Disk port in memory, with a model of what lasts: a synced batch and all before it survive a power cut, what was
 * written without `sync` survives only a close. After a failed write a handle refuses every further write, as LevelDB's
 * does. Two opens of one database at a time are refused as `locked`.
 */
export class MemoryDisk implements Disk {
  /** Called with each batch before it is written and once it is on disk. A power cut inside happens at that moment. */
  onBatch: (moment: BatchMoment, operations: readonly BatchOperation[]) => void = () => undefined;
  /** What `freeBytes` answers; writes do not change it. */
  room = 8 * 1024 ** 3;
  readonly copy = new MemoryCopyFile();
  readonly #stored = new Map<DatabaseName, StoredDatabase>();
  /** What becomes of the next writes; null lets one pass. */
  readonly #writeFaults: (WriteFault | null)[] = [];
  #openFaults = 0;
  #asideCount = 0;
  #batches = 0;
  #opens = 0;

  /** Batches asked for so far, those that failed included. */
  get batches(): number {
    return this.#batches;
  }

  /** Opens asked for so far, those that failed included. */
  get opens(): number {
    return this.#opens;
  }

  async open(name: DatabaseName): Promise<Database> {
    this.#opens += 1;
    if (this.#openFaults > 0) {
      this.#openFaults -= 1;
      throw new StorageError("refused", `the ${name} database does not open: fault on order`);
    }
    const stored = this.#storedDatabase(name);
    if (stored.handle !== null) throw new StorageError("locked", `the ${name} database is open already`);
    if (stored.isDamaged) throw new StorageError("damaged", `the ${name} database does not open: damage on order`);
    // Keys as buffers would lie in Node's shared 64 KiB blocks, and each would keep a whole one alive.
    const level = new MemoryLevel<string, Uint8Array>({ ...ENCODINGS, storeEncoding: "view" });
    await level.open();
    await level.batch([...stored.durable].map(([key, value]) => ({ type: "put", key, value })));
    await level.batch([...stored.unsynced.values()]);
    const handle = { database: this.#watched(level, stored), isDead: false };
    stored.handle = handle;
    return handle.database;
  }

  /** Damage on order leaves nothing. */
  async rebuild(): Promise<boolean> {
    return false;
  }

  async moveAside(name: DatabaseName): Promise<string> {
    this.#stored.delete(name);
    this.#asideCount += 1;
    return `memory:${name}.damaged-${this.#asideCount}`;
  }

  async freeBytes(): Promise<number> {
    return this.room;
  }

  /** A power cut: open handles are gone, and so is all that was not synced. */
  crash(): void {
    for (const stored of this.#stored.values()) {
      if (stored.handle !== null) stored.handle.isDead = true;
      stored.handle = null;
      stored.unsynced.clear();
    }
  }

  /** Makes the next writes fail in this order, one fault each; `null` lets one pass. */
  failWrites(...faults: readonly (WriteFault | null)[]): void {
    this.#writeFaults.push(...faults);
  }

  /** The next `count` opens are refused. */
  failOpens(count: number): void {
    this.#openFaults += count;
  }

  /** The database does not open any more, until it is moved aside. */
  damage(name: DatabaseName): void {
    this.#storedDatabase(name).isDamaged = true;
  }

  /** Bytes of keys and values, those included that a power cut would take. */
  get bytes(): number {
    let bytes = 0;
    for (const { durable, unsynced } of this.#stored.values()) {
      for (const [key, value] of durable) bytes += key.length + value.length;
      for (const { key, ...operation } of unsynced.values()) {
        bytes += key.length + ("value" in operation ? operation.value.length : 0);
      }
    }
    return bytes;
  }

  /** What a power cut would leave, for a test to look at or to change a bit of. */
  contents(name: DatabaseName): Map<string, Uint8Array> {
    return this.#storedDatabase(name).durable;
  }

  #storedDatabase(name: DatabaseName): StoredDatabase {
    const known = this.#stored.get(name);
    if (known !== undefined) return known;
    const stored: StoredDatabase = { durable: new Map(), unsynced: new Map(), handle: null, isDamaged: false };
    this.#stored.set(name, stored);
    return stored;
  }

  #watched(level: Database, stored: StoredDatabase): Database {
    let isPoisoned = false;
    const isDead = (): boolean => stored.handle?.database !== watched;
    const watched: Database = watchedDatabase(level, {
      batch: async (operations, isSynced, proceed) => {
        this.#batches += 1;
        const wasDead = isDead();
        if (!wasDead) this.onBatch("before", operations);
        if (isDead() && !wasDead) return await nothingMore();
        const fault = isPoisoned || isDead() ? "lost" : (this.#writeFaults.shift() ?? null);
        if (fault !== "lost") {
          for (const operation of operations) stored.unsynced.set(operation.key, operation);
          if (isSynced) harden(stored);
        }
        if (fault === null) this.onBatch("after", operations);
        if (isDead() && !wasDead) return await nothingMore();
        if (fault !== null) {
          isPoisoned = true;
          throw new StorageError("refused", "the write failed: fault on order");
        }
        await proceed();
      },
      closed: () => {
        if (!isDead()) stored.handle = null;
      },
    });
    return watched;
  }
}

/** What a process that lost its power in the middle of a call hears of it. */
function nothingMore(): Promise<never> {
  return new Promise(() => undefined);
}

/** A sync takes all that was written before it along: LevelDB's log is one file. */
function harden(stored: StoredDatabase): void {
  for (const operation of stored.unsynced.values()) {
    if (operation.type === "put") stored.durable.set(operation.key, operation.value);
    else stored.durable.delete(operation.key);
  }
  stored.unsynced.clear();
}

/** The second copy in memory. A write is whole or not at all, also in a power cut. */
class MemoryCopyFile implements CopyFile {
  /** What is on disk; null: no such file. A test may change it. */
  content: Uint8Array | null = null;
  /** True: reads are refused. */
  isUnreadable = false;
  /** True: writes are refused. */
  isUnwritable = false;
  /** Writes that succeeded so far. */
  writes = 0;
  #asideCount = 0;

  async read(): Promise<Uint8Array | null> {
    if (this.isUnreadable) throw new StorageError("refused", "the second copy cannot be read: fault on order");
    return this.content;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.isUnwritable) throw new StorageError("refused", "the second copy cannot be written: fault on order");
    this.content = Uint8Array.from(bytes);
    this.writes += 1;
  }

  async moveAside(): Promise<string> {
    this.content = null;
    this.#asideCount += 1;
    return `memory:copy.damaged-${this.#asideCount}`;
  }
}
