import { correct } from "../../domain/checks/correct.ts";
import type { Fix } from "../../domain/checks/finding.ts";
import type { Reading } from "../../points/points.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { isOfNow } from "../devices/heard.ts";
import { ReadingHistory } from "./reading-history.ts";

/** What stands between a device and what is taken of it: confirmed corrections, and the memory of what came of them. */
export class Corrections {
  readonly #store: Pick<Store, "get">;
  readonly history = new ReadingHistory();

  constructor(store: Pick<Store, "get">) {
    this.#store = store;
  }

  /**
   * The readings as they are to be taken; they are remembered for the checks, with how long it took to have them. What
   * was measured earlier cannot be compared with what others measure now, and is not.
   */
  take(deviceId: string, readings: readonly Reading[], atMs: number, tookMs: number): readonly Reading[] {
    const fixes = this.of(deviceId);
    const taken = fixes.length === 0 ? readings : correct(readings, fixes);
    const live = taken.every(isOfNow) ? taken : taken.filter(isOfNow);
    this.history.add(deviceId, live, atMs, tookMs);
    return taken;
  }

  of(deviceId: string): readonly Fix[] {
    return this.#store.get("correction", deviceId)?.fixes ?? [];
  }

  /** The record with one more fix. */
  write(fix: Fix): Write {
    const { deviceId } = fix;
    return { table: "correction", key: deviceId, put: { deviceId, fixes: [...this.of(deviceId), fix] } };
  }

  /** The record without some of its fixes. */
  writeWithout(deviceId: string, gone: readonly Fix[]): Write {
    const keys = new Set(gone.map((fix) => JSON.stringify(fix)));
    const fixes = this.of(deviceId).filter((fix) => !keys.has(JSON.stringify(fix)));
    if (fixes.length === 0) return { table: "correction", key: deviceId, remove: true };
    return { table: "correction", key: deviceId, put: { deviceId, fixes } };
  }
}
