/**
 * Watches the free space of the disk. If it is low, history waits in memory and old history is deleted, so that events
 * have the rest.
 */
import type { Disk, Log } from "../platform/ports/ports.ts";
import type { NewJournalEntry } from "./store.ts";

const MB = 1_000_000;
/** Below this, history is not written. OpenEMS has the same limit. */
const SHORT_BYTES = 100 * MB;
/** Above this, history is written again. */
const AMPLE_BYTES = 125 * MB;
/** Below this, stored history is deleted day by day. */
const SCARCE_BYTES = 50 * MB;

/** Journal events of the start and the end of a shortage. Their payload: `freeBytes`. */
const SHORT_EVENT = "system:store:disk-short";
const AMPLE_EVENT = "system:store:disk-ample";

export interface DiskSpaceParts {
  readonly disk: Pick<Disk, "freeBytes">;
  readonly log: Pick<Log, "error" | "info" | "warn">;
  /** Writes a journal entry. Rejects with a `StorageError`. */
  journal(entry: NewJournalEntry): Promise<void>;
}

export class DiskSpace {
  readonly #parts: DiskSpaceParts;
  #freeBytes: number | null = null;
  #isShort = false;

  constructor(parts: DiskSpaceParts) {
    this.#parts = parts;
  }

  /** Free bytes at the last check; `null` if unknown. */
  get freeBytes(): number | null {
    return this.#freeBytes;
  }

  /** True while history is not written. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /** True if old history has to be deleted. */
  get isScarce(): boolean {
    return this.#freeBytes !== null && this.#freeBytes < SCARCE_BYTES;
  }

  /** Checks the free space. Returns true if it is short. If the disk does not report it, nothing changes. */
  async look(): Promise<boolean> {
    const { disk, log } = this.#parts;
    try {
      this.#freeBytes = await disk.freeBytes();
    } catch (err) {
      log.warn({ err }, "cannot read the free disk space; keeping the previous mode");
      this.#freeBytes = null;
      return this.#isShort;
    }
    const freeBytes = this.#freeBytes;
    const isShort = freeBytes < (this.#isShort ? AMPLE_BYTES : SHORT_BYTES);
    if (isShort === this.#isShort) return isShort;
    this.#isShort = isShort;
    if (isShort) log.error({ freeBytes }, "the disk is almost full; not writing history until there is space again");
    else log.info({ freeBytes }, "the disk has space again; writing history");
    this.#journal({ event: isShort ? SHORT_EVENT : AMPLE_EVENT, payload: { freeBytes } });
    return isShort;
  }

  #journal(entry: NewJournalEntry): void {
    const { journal, log } = this.#parts;
    journal(entry).catch((err: unknown) => log.warn({ err, event: entry.event }, "cannot store an event; it is lost"));
  }
}
