/**
 * A database that recovers from I/O errors. After one error LevelDB refuses all writes on that handle, even if the disk
 * has space again (google/leveldb#924), and a failed fsync must not be repeated on the same handle. So the handle is
 * closed, and the database is opened and checked again before the next write.
 */
import { backoffMs } from "../platform/backoff.ts";
import type { Clock, Database, DatabaseName, Disk, Log, Salvage } from "../platform/ports/ports.ts";
import { StorageError, storageErrorOf } from "../platform/ports/storage-error.ts";
import { type Operation, writeSynced } from "./database.ts";
import { ageOf, sealJson, unsealJson } from "./envelope.ts";
import { SALVAGE_KEY } from "./keys.ts";

export interface LiveDatabaseOptions {
  readonly name: DatabaseName;
  readonly disk: Disk;
  readonly clock: Pick<Clock, "sleep" | "timer">;
  readonly log: Log;
  /**
   * Checks an opened database and writes what it lacks; `salvage` if it was rebuilt from a damaged one. After a
   * `damaged` rejection the database is rebuilt; if that does not help, it is moved aside and an empty one is adopted.
   */
  adopt(database: Database, salvage: Salvage | null): Promise<void>;
  /** Called with a text for people when a database was moved aside, before the empty one is adopted. */
  onDamage(what: string): void;
}

/** Tries at the start of the gateway, about three seconds together. */
const START_ATTEMPTS = 6;
/** Delays between further tries for as long as the disk refuses: space may be freed at any time. */
const RETRY = { floorMs: 100, ceilingMs: 3_000 } as const;

export class LiveDatabase implements AsyncDisposable {
  readonly #options: LiveDatabaseOptions;
  #database: Database | null = null;
  /** A failed handle that could not be closed yet; it holds the lock. */
  #abandoned: Database | null = null;
  #opening: Promise<void> | null = null;
  #retry: Disposable | null = null;
  #retries = 0;
  #isClosed = false;

  constructor(options: LiveDatabaseOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#database !== null;
  }

  /** Returns the open handle. Throws a `StorageError("refused")` while there is none. */
  current(): Database {
    if (this.#database === null) throw this.#refused(undefined);
    return this.#database;
  }

  /** Opens the database; tries again a few times if the disk refuses. Rejects with a `StorageError`. */
  async start(signal: AbortSignal, attempts = START_ATTEMPTS): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#opening = this.#open();
        return await this.#opening;
      } catch (error) {
        const failure = storageErrorOf(error, `the ${this.#options.name} database cannot be opened`);
        if (failure.kind !== "refused" || attempt >= attempts) throw failure;
        this.#options.log.warn(
          { database: this.#options.name, err: failure },
          "cannot open the database; trying again",
        );
        await this.#options.clock.sleep(this.#nextRetryMs(), signal);
      } finally {
        this.#opening = null;
      }
    }
  }

  /** Writes one synced, atomic batch. If it rejects, the handle has been replaced or will be soon. */
  async write(operations: readonly Operation[]): Promise<void> {
    const database = this.current();
    try {
      await writeSynced(database, operations);
    } catch (error) {
      await this.#abandon(database, error);
      throw this.#refused(error);
    }
  }

  /** Keeps trying to open the database in the background. */
  retryLater(): void {
    if (this.#isClosed || this.#retry !== null) return;
    this.#retry = this.#options.clock.timer(this.#nextRetryMs(), () => {
      this.#retry = null;
      void this.#tryOpen();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#retry?.[Symbol.dispose]();
    this.#retry = null;
    await this.#opening?.catch(() => undefined);
    const database = this.#database;
    this.#database = null;
    await database?.close();
    await this.#closeAbandoned();
  }

  /** Closes a failed handle and opens the database again at once; further tries follow in the background. */
  async #abandon(database: Database, reason: unknown): Promise<void> {
    if (this.#database !== database) return;
    this.#options.log.warn(
      { database: this.#options.name, err: reason },
      "database write failed; opening the database again",
    );
    this.#database = null;
    this.#abandoned = database;
    await this.#tryOpen();
  }

  async #tryOpen(): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#opening = this.#open();
      await this.#opening;
      this.#options.log.info({ database: this.#options.name }, "database is open again");
    } catch (error) {
      this.#options.log.debug(
        { database: this.#options.name, err: error },
        "cannot open the database yet; trying again",
      );
      this.retryLater();
    } finally {
      this.#opening = null;
    }
  }

  async #open(): Promise<void> {
    const { name, disk, onDamage } = this.#options;
    await this.#closeAbandoned();
    let damage = await this.#damageIn();
    if (damage !== null && (await disk.rebuild(name, { ageOf, report: reportOf }))) damage = await this.#damageIn();
    if (damage !== null) {
      const where = await disk.moveAside(name);
      onDamage(`${name} database: ${damage.message}; nothing could be saved; moved to ${where}`);
      await this.#openAndAdopt();
    }
    this.#retries = 0;
  }

  /** Opens and adopts the database. Returns its damage; `null` if it is open. Rejects with any other failure. */
  async #damageIn(): Promise<StorageError | null> {
    try {
      await this.#openAndAdopt();
      return null;
    } catch (error) {
      const failure = storageErrorOf(error, `the ${this.#options.name} database cannot be opened`);
      if (failure.kind === "damaged") return failure;
      throw failure;
    }
  }

  async #openAndAdopt(): Promise<void> {
    const database = await this.#options.disk.open(this.#options.name);
    try {
      const sealed = await database.get(SALVAGE_KEY);
      const salvage = sealed === undefined ? null : (unsealJson(SALVAGE_KEY, sealed) as Salvage);
      await this.#options.adopt(database, salvage);
      // After a power cut before this write it is reported once more.
      if (salvage !== null) await writeSynced(database, [{ type: "del", key: SALVAGE_KEY }]);
      this.#database = database;
    } catch (error) {
      this.#abandoned = database;
      await this.#closeAbandoned();
      throw error;
    }
  }

  async #closeAbandoned(): Promise<void> {
    await this.#abandoned?.close();
    this.#abandoned = null;
  }

  #nextRetryMs(): number {
    this.#retries += 1;
    return backoffMs(this.#retries, RETRY, null);
  }

  #refused(cause: unknown): StorageError {
    return new StorageError("refused", `the disk refuses writes of the ${this.#options.name} database`, {
      cause,
    });
  }
}

/** Returns the report that stays in the rebuilt database until it was read. */
function reportOf(salvage: Salvage): { readonly key: string; readonly value: Uint8Array } {
  return { key: SALVAGE_KEY, value: sealJson(SALVAGE_KEY, { epoch: 0, seq: 0 }, salvage) };
}
