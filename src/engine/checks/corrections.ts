import { correct } from "../../domain/checks/correct.ts";
import type { Fix } from "../../domain/checks/finding.ts";
import type { Reading } from "../../points/points.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { isOfNow } from "../devices/measured-times.ts";
import { ReadingHistory } from "./reading-history.ts";

/** Applies confirmed corrections to the readings of devices, and keeps the recent readings for the checks. */
export class Corrections {
  readonly #store: Pick<Store, "get">;
  readonly history = new ReadingHistory();

  constructor(store: Pick<Store, "get">) {
    this.#store = store;
  }

  /**
   * Returns the corrected readings and adds them to the history, with how long the read took. Readings with an earlier time
   * of measurement are left out of the history, because the checks compare present values.
   */
  take(deviceId: string, readings: readonly Reading[], atMs: number, tookMs: number): readonly Reading[] {
    const fixes = this.of(deviceId);
    const taken = fixes.length === 0 ? readings : correct(readings, fixes);
    const live = taken.every(isOfNow) ? taken : taken.filter(isOfNow);
    this.history.add(deviceId, live, atMs, tookMs);
    return taken;
  }

  /** Returns the confirmed fixes of a device. */
  of(deviceId: string): readonly Fix[] {
    return this.#store.get("correction", deviceId)?.fixes ?? [];
  }

  /** Returns the write that adds a fix. */
  write(fix: Fix): Write {
    const { deviceId } = fix;
    return { table: "correction", key: deviceId, put: { deviceId, fixes: [...this.of(deviceId), fix] } };
  }

  /** Returns the write that removes fixes. */
  writeWithout(deviceId: string, gone: readonly Fix[]): Write {
    const keys = new Set(gone.map((fix) => JSON.stringify(fix)));
    const fixes = this.of(deviceId).filter((fix) => !keys.has(JSON.stringify(fix)));
    if (fixes.length === 0) return { table: "correction", key: deviceId, remove: true };
    return { table: "correction", key: deviceId, put: { deviceId, fixes } };
  }
}
