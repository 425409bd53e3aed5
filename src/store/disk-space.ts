/** How much room the disk has left. With little, history waits in memory and then goes, so that events have the rest. */
import type { Disk, Log } from "../platform/ports/ports.ts";
import type { NewJournalEntry } from "./store.ts";

const MB = 1_000_000;
/** With less, history is not written. OpenEMS refuses below the same. */
const SHORT_BYTES = 100 * MB;
/** With so much again, it is. */
const AMPLE_BYTES = 125 * MB;
/** With less, history that is there goes, a day at a time. */
const SCARCE_BYTES = 50 * MB;

/** What the journal says when it begins and when it is over. Its payload: `freeBytes`. */
const SHORT_EVENT = "system:store:disk-short";
const AMPLE_EVENT = "system:store:disk-ample";

export interface DiskSpaceParts {
  readonly disk: Pick<Disk, "freeBytes">;
  readonly log: Pick<Log, "error" | "info" | "warn">;
  /** Rejects with a `StorageError`. */
  journal(entry: NewJournalEntry): Promise<void>;
}

export class DiskSpace {
  readonly #parts: DiskSpaceParts;
  #freeBytes: number | null = null;
  #isShort = false;

  constructor(parts: DiskSpaceParts) {
    this.#parts = parts;
  }

  /** At the last look; null: it is not known. */
  get freeBytes(): number | null {
    return this.#freeBytes;
  }

  get isShort(): boolean {
    return this.#isShort;
  }

  get isScarce(): boolean {
    return this.#freeBytes !== null && this.#freeBytes < SCARCE_BYTES;
  }

  /** Looks anew, and answers whether it is short. What the disk does not say changes nothing. */
  async look(): Promise<boolean> {
    const { disk, log } = this.#parts;
    try {
      this.#freeBytes = await disk.freeBytes();
    } catch (err) {
      log.warn({ err }, "the disk does not say how much room is left");
      this.#freeBytes = null;
      return this.#isShort;
    }
    const freeBytes = this.#freeBytes;
    const isShort = freeBytes < (this.#isShort ? AMPLE_BYTES : SHORT_BYTES);
    if (isShort === this.#isShort) return isShort;
    this.#isShort = isShort;
    if (isShort) log.error({ freeBytes }, "the disk is almost full: history is not written until there is room again");
    else log.info({ freeBytes }, "the disk has room again");
    this.#tell({ event: isShort ? SHORT_EVENT : AMPLE_EVENT, payload: { freeBytes } });
    return isShort;
  }

  #tell(entry: NewJournalEntry): void {
    const { journal, log } = this.#parts;
    journal(entry).catch((err: unknown) => log.warn({ err, event: entry.event }, "event not kept"));
  }
}
