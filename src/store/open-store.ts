/** Opens the store: two databases, so that damaged history never stops control. */
import type { Clock, Disk, Log, Random } from "../platform/ports/ports.ts";
import { within } from "../platform/within.ts";
import { Critical } from "./critical.ts";
import { DiskSpace } from "./disk-space.ts";
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
   * 32 bytes each, the first of which seals the records that hold secrets; the others open what they sealed, which is
   * sealed anew with the first by the time the store is open. None: secrets are kept in clear.
   */
  readonly secretKeys?: readonly Uint8Array[];
  /** The layouts that are known; a test gives its own. */
  readonly migrations?: readonly Migration[];
  /** Where an entry of the journal goes when a cloud service is told; default: none of it does. */
  readonly routes?: (entry: NewJournalEntry) => readonly Route[];
  /** Minutes between two writes of telemetry: a divisor of a day, 15 at most. */
  readonly flushMinutes?: number;
}

const HOUSEKEEPING_MS = 10 * 60_000;
const TELEMETRY_WAIT_MS = 1_000;
/** Each database has this long to write what waits and to close. */
const CLOSE_LIMIT_MS = 2_000;

/**
 * Opens the store and begins a new epoch. What is damaged is moved aside and named in `recovered`. Rejects with a
 * `StorageError`: `locked` when another hemgate uses the folder, `newer` when a later version wrote it, `refused` when
 * the disk gives no critical database.
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const { disk, clock, random, secretKeys = [], migrations = MIGRATIONS, flushMinutes = FLUSH_MINUTES } = options;
  const log = options.log.child({ part: "store" });
  const signal = new AbortController().signal;
  const recovered: string[] = [];
  const onRecovered = (what: string): void => {
    recovered.push(what);
    log.warn({ what }, "damaged data moved aside");
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
    // Years of history take longer to check than control can wait; meanwhile history is kept in memory.
    await firstOf(clock, opening, TELEMETRY_WAIT_MS);
    opening.catch((err: unknown) => log.error({ err }, "telemetry is not opened"));
    await critical.start(async (isLost) => {
      if (isLost) await opening;
      return telemetry.knownEpoch;
    }, signal);
    reportLocked(log, critical);
    reportRecovered(log, recovered);
    telemetry.start(critical.place.epoch);
    opened.use(startHousekeeping(clock, log, { critical, telemetry, space }));
    return storeOf({ critical, telemetry, space }, recovered, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Resolves after `limitMs` at the latest. */
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
  { critical, telemetry, space }: Parts,
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
    commit: (writes, journal) => critical.commit(writes, journal),
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
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function lockedIn(critical: Critical): readonly LockedRecord[] {
  return [...critical.records.locked.values()].map(({ table, key, reason }) => ({ table, key, reason }));
}

/** Once a start, with all that its reader needs to get them back. */
function reportLocked(log: Log, critical: Critical): void {
  const locked = lockedIn(critical);
  if (locked.length === 0) return;
  const records = locked.map(({ table, key, reason }) => `${table} ${key}: ${reason}`);
  log.error(
    { records },
    "records with secrets cannot be opened and stay on disk; add the key that sealed them and start again",
  );
}

/** The originals are kept under the names that the lines say. */
function reportRecovered(log: Log, recovered: readonly string[]): void {
  if (recovered.length === 0) return;
  log.error(
    { found: recovered },
    "stored data were damaged or lost: compare devices, clients and settings with what you expect, check the disk, and dismiss the finding under /local/checks",
  );
}

/** Removes what has had its time. Ages count only while the wall clock can be trusted. */
function startHousekeeping(clock: Clock, log: Log, { critical, telemetry, space }: Parts): Disposable {
  let timer: Disposable;
  const round = async (): Promise<void> => {
    const nowMs = clock.quality() === "synced" ? clock.nowMs() : null;
    try {
      const removals = expired(critical.tables, nowMs);
      if (removals.length > 0) await critical.commit(removals, []);
      await critical.pruneJournal();
      await telemetry.prune(nowMs);
      await space.look();
      if (space.isScarce) await telemetry.makeRoom();
    } catch (error) {
      log.warn({ err: error }, "housekeeping put off");
    }
  };
  const schedule = (): Disposable =>
    clock.timer(HOUSEKEEPING_MS, () => {
      timer = schedule();
      void round();
    });
  timer = schedule();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

async function close(clock: Clock, log: Log, part: AsyncDisposable): Promise<void> {
  try {
    await within(clock, CLOSE_LIMIT_MS, new AbortController().signal, async () => await part[Symbol.asyncDispose]());
  } catch (error) {
    log.error({ err: error }, "database not closed in time");
  }
}
