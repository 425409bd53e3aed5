/**
 * A database that comes back. After one I/O error LevelDB refuses every write on that handle for ever, even when the
 * disk has space again (google/leveldb#924), and an fsync that failed must not be tried again on the same handle: the
 * handle is closed, the database opened anew and checked, and only then written again.
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
   * Checks a database that was just opened and writes what it lacks; `salvage` when it was made anew from a damaged one.
   * A `damaged` rejection has it made anew, and if that does not help moved aside, and a fresh one is given.
   */
  adopt(database: Database, salvage: Salvage | null): Promise<void>;
  /** Told in words what was moved aside, before the fresh database is adopted. */
  onDamage(what: string): void;
}

/** Tries when the gateway cannot start without the database; together about three seconds. */
const START_ATTEMPTS = 6;
/** The disk is asked again this often for as long as it refuses: space may come back at any time. */
const RETRY = { floorMs: 100, ceilingMs: 3_000 } as const;

export class LiveDatabase implements AsyncDisposable {
  readonly #options: LiveDatabaseOptions;
  #database: Database | null = null;
  /** A handle that failed and could not be closed yet; it holds the lock. */
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

  /** The open handle. Throws `refused` while there is none. */
  current(): Database {
    if (this.#database === null) throw this.#refused(undefined);
    return this.#database;
  }

  /** Opens, a few times when the disk refuses. Rejects with a `StorageError`. */
  async start(signal: AbortSignal, attempts = START_ATTEMPTS): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#opening = this.#open();
        return await this.#opening;
      } catch (error) {
        const failure = storageErrorOf(error, `the ${this.#options.name} database cannot be opened`);
        if (failure.kind !== "refused" || attempt >= attempts) throw failure;
        this.#options.log.warn({ database: this.#options.name, err: failure }, "database not opened yet");
        await this.#options.clock.sleep(this.#nextRetryMs(), signal);
      } finally {
        this.#opening = null;
      }
    }
  }

  /** One synced, atomic batch. When it rejects, the handle has been replaced or is about to be. */
  async write(operations: readonly Operation[]): Promise<void> {
    const database = this.current();
    try {
      await writeSynced(database, operations);
    } catch (error) {
      await this.#abandon(database, error);
      throw this.#refused(error);
    }
  }

  /** Goes on trying to open in the background. */
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

  /** Gives a failed handle up and opens anew at once; further tries follow in the background. */
  async #abandon(database: Database, reason: unknown): Promise<void> {
    if (this.#database !== database) return;
    this.#options.log.warn({ database: this.#options.name, err: reason }, "database failed, opening it anew");
    this.#database = null;
    this.#abandoned = database;
    await this.#tryOpen();
  }

  async #tryOpen(): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#opening = this.#open();
      await this.#opening;
      this.#options.log.info({ database: this.#options.name }, "database opened anew");
    } catch (error) {
      this.#options.log.debug({ database: this.#options.name, err: error }, "database still refused");
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
      onDamage(`${name} database: ${damage.message}; nothing of it was saved; moved to ${where}`);
      await this.#openAndAdopt();
    }
    this.#retries = 0;
  }

  /** Null: it is open. Rejects with any other failure. */
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
      // A cut before this has it reported once more.
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
    return new StorageError("refused", `the disk does not take writes of the ${this.#options.name} database`, {
      cause,
    });
  }
}

/** Stays in the new database until it was taken up. */
function reportOf(salvage: Salvage): { readonly key: string; readonly value: Uint8Array } {
  return { key: SALVAGE_KEY, value: sealJson(SALVAGE_KEY, { epoch: 0, seq: 0 }, salvage) };
}
