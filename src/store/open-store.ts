/** Opens the store: two databases, so that damaged history never affects control. */
import { MINUTE_MS } from "../domain/duration.ts";
import { KeyedMutex } from "../platform/keyed-mutex.ts";
import type { Clock, Disk, Log, Random } from "../platform/ports/ports.ts";
import { within } from "../platform/within.ts";
import { Critical } from "./critical.ts";
import { DiskSpace } from "./disk-space.ts";
import { StoreDump } from "./dump.ts";
import { expired } from "./expiry.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import type { Route } from "./outbox/outbox-row.ts";
import type { NewJournalEntry, OpenedStore } from "./store.ts";
import type { LockedRecord } from "./stored-records.ts";
import { FLUSH_MINUTES, Telemetry } from "./telemetry/telemetry.ts";

export interface StoreOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /**
   * Secret keys, 32 bytes each. The first one seals the records that contain secrets; the others open older records,
   * which are sealed again with the first one when the store opens. None: secrets are stored in clear text.
   */
  readonly secretKeys?: readonly Uint8Array[];
  /** The migrations; tests set their own. */
  readonly migrations?: readonly Migration[];
  /** Returns the streams of the cloud service that a journal entry goes to; default: none. */
  readonly routes?: (entry: NewJournalEntry) => readonly Route[];
  /** Minutes between two writes of telemetry: a divisor of a day, at most 15. */
  readonly flushMinutes?: number;
}

const HOUSEKEEPING_MS = 10 * MINUTE_MS;
const TELEMETRY_WAIT_MS = 1_000;
/** Time limit for each database to write its waiting data and close. */
const CLOSE_LIMIT_MS = 2_000;

/**
 * Opens the store and starts a new epoch. Damaged data is moved aside and listed in `recovered`. Rejects with a
 * `StorageError`: `locked` if another hemgate uses the folder, `newer` if a later version wrote it, `refused` if the
 * critical database cannot be opened.
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const { disk, clock, random, secretKeys = [], migrations = MIGRATIONS, flushMinutes = FLUSH_MINUTES } = options;
  const log = options.log.child({ part: "store" });
  const signal = new AbortController().signal;
  const recovered: string[] = [];
  const onRecovered = (what: string): void => {
    recovered.push(what);
    log.warn({ what }, "stored data was damaged; the original is kept");
  };
  const opened = new AsyncDisposableStack();
  const dispose = (part: AsyncDisposable): Promise<void> => close(clock, log, part);
  try {
    const critical = opened.adopt(
      new Critical({
        disk,
        clock,
        random,
        log,
        secretKeys,
        migrations,
        onRecovered,
        ...(options.routes && { routes: options.routes }),
      }),
      dispose,
    );
    const space = new DiskSpace({ disk, log, journal: (entry) => critical.commit([], [entry]) });
    const telemetry = opened.adopt(
      new Telemetry({ disk, clock, log, space, flushMinutes, onRecovered: (what) => critical.report(what) }),
      dispose,
    );
    const opening = telemetry.open(signal);
    // Checking years of history takes long, so control does not wait for it; meanwhile history stays in memory.
    await firstOf(clock, opening, TELEMETRY_WAIT_MS);
    opening.catch((err: unknown) => log.error({ err }, "cannot open the telemetry database; history is not stored"));
    await critical.start(async (isLost) => {
      if (isLost) await opening;
      return telemetry.knownEpoch;
    }, signal);
    reportLocked(log, critical);
    reportRecovered(log, recovered);
    telemetry.start(critical.place.epoch);
    const housekeeping = opened.use(startHousekeeping(clock, log, { critical, telemetry, space }));
    return storeOf({ critical, telemetry, space, housekeeping }, recovered, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Waits for work, at most `limitMs`. */
async function firstOf(clock: Clock, work: Promise<void>, limitMs: number): Promise<void> {
  const limit = new AbortController();
  const over = clock.sleep(limitMs, limit.signal).catch(() => undefined);
  try {
    await Promise.race([work, over]);
  } finally {
    limit.abort();
  }
}

interface Parts {
  readonly critical: Critical;
  readonly telemetry: Telemetry;
  readonly space: DiskSpace;
}

function storeOf(
  { critical, telemetry, space, housekeeping }: Parts & { readonly housekeeping: Housekeeping },
  recovered: readonly string[],
  opened: AsyncDisposableStack,
): OpenedStore {
  return {
    epoch: critical.place.epoch,
    recovered,
    get locked() {
      return lockedIn(critical);
    },
    get isWritable() {
      return critical.isWritable;
    },
    get isCopyFailing() {
      return critical.copy.isFailing;
    },
    space,
    commit: (writes, journal, urgency) => critical.commit(writes, journal, urgency),
    commitAlong: (writes) => critical.commitAlong(writes),
    all: (table) => critical.tables.all(table),
    get: (table, key) => critical.tables.get(table, key),
    journalAfter: (position, limit) => critical.journalAfter(position, limit),
    get journalEnd() {
      return critical.place;
    },
    outbox: critical.outbox,
    watchJournal: (listener) => critical.watchJournal(listener),
    record: (sample) => telemetry.record(sample),
    history: (deviceId, fromMs, toMs) => telemetry.history(deviceId, fromMs, toMs),
    historyHoles: (fromMs, toMs) => telemetry.holes(fromMs, toMs),
    energy: (query) => telemetry.energy(query),
    forgetHistory: (deviceId) => telemetry.forget(deviceId),
    removeOldHistory: () => housekeeping.removeOldHistory(),
    dump: () => dumpOf(critical, telemetry),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function dumpOf(critical: Critical, telemetry: Telemetry): Promise<StoreDump> {
  // What comes in between is in both or in none: nothing waits between the two snapshots.
  await critical.writeAlong();
  await telemetry.flush(Number.POSITIVE_INFINITY);
  return new StoreDump([
    { name: "critical", database: critical.database },
    { name: "telemetry", database: telemetry.database },
  ]);
}

function lockedIn(critical: Critical): readonly LockedRecord[] {
  return [...critical.records.locked.values()].map(({ table, key, reason }) => ({ table, key, reason }));
}

/** Logs locked records once per start, with what is needed to open them. */
function reportLocked(log: Log, critical: Critical): void {
  const locked = lockedIn(critical);
  if (locked.length === 0) return;
  const records = locked.map(({ table, key, reason }) => `${table} ${key}: ${reason}`);
  log.error(
    { records },
    "records with secrets cannot be opened and stay on disk; add the key that sealed them and restart",
  );
}

/** Logs damage once per start. The originals are kept under the names in the list. */
function reportRecovered(log: Log, recovered: readonly string[]): void {
  if (recovered.length === 0) return;
  log.error(
    { found: recovered },
    "stored data were damaged or lost: compare devices, clients and settings with what you expect, check the disk, and dismiss the finding under /local/checks",
  );
}

interface Housekeeping extends Disposable {
  removeOldHistory(): void;
}

/** Starts the periodic removal of expired data. Ages count only while the wall clock is reliable. */
function startHousekeeping(clock: Clock, log: Log, { critical, telemetry, space }: Parts): Housekeeping {
  // Also true at the start, because the gateway may have been off at the scheduled time.
  let isOldHistoryDue = true;
  const clean = async (): Promise<void> => {
    const nowMs = clock.quality() === "synced" ? clock.nowMs() : null;
    try {
      const removals = expired(critical.tables, nowMs);
      if (removals.length > 0) await critical.commit(removals, []);
      await critical.pruneJournal();
      await telemetry.prune(isOldHistoryDue ? nowMs : null);
      if (nowMs !== null) isOldHistoryDue = false;
      await space.look();
      if (space.isScarce) await telemetry.makeRoom();
    } catch (error) {
      log.warn({ err: error }, "housekeeping failed; trying again later");
    }
  };
  const mutex = new KeyedMutex({ maxWaiting: null });
  const cleanNext = (): void => void mutex.run("housekeeping", clean);
  const schedule = (): Disposable =>
    clock.timer(HOUSEKEEPING_MS, () => {
      timer = schedule();
      cleanNext();
    });
  let timer = schedule();
  return {
    removeOldHistory: () => {
      isOldHistoryDue = true;
      cleanNext();
    },
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  };
}

async function close(clock: Clock, log: Log, part: AsyncDisposable): Promise<void> {
  try {
    await within(clock, CLOSE_LIMIT_MS, new AbortController().signal, async () => await part[Symbol.asyncDispose]());
  } catch (error) {
    log.error({ err: error }, "cannot close a database in time; its last writes may be lost");
  }
}
