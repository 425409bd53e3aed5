import { MINUTE_MS } from "../../domain/duration.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { DeviceStatus } from "../contracts/engine.ts";

/** A device that does not answer for this time is searched for. */
const LOST_AFTER_MS = 5 * MINUTE_MS;
/** Minimum interval between two searches for the same device. */
const SEARCH_EVERY_MS = 30 * MINUTE_MS;

/** A device that does not answer, with the serial number to recognize it by. */
export interface LostDevice {
  readonly deviceId: string;
  readonly adapter: string;
  readonly serial: string;
}

/** Tracks since when devices do not answer, by the monotonic clock. */
export class LostDevices {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #silentSince = new Map<string, number>();
  readonly #searchedAt = new Map<string, number>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Updates the state from the devices' present status. */
  update(devices: readonly DeviceStatus[]): void {
    const nowMs = this.#clock.monotonicMs();
    const silent = new Set(devices.filter(({ isReachable }) => !isReachable).map(({ id }) => id));
    for (const id of silent) if (!this.#silentSince.has(id)) this.#silentSince.set(id, nowMs);
    for (const id of [...this.#silentSince.keys()]) if (!silent.has(id)) this.#silentSince.delete(id);
    for (const id of [...this.#searchedAt.keys()])
      if (!devices.some((device) => device.id === id)) this.#searchedAt.delete(id);
  }

  /** True if the device has not answered for five minutes; another host may have its address now. */
  isLost(deviceId: string): boolean {
    const since = this.#silentSince.get(deviceId);
    return since !== undefined && this.#clock.monotonicMs() - since >= LOST_AFTER_MS;
  }

  /** Returns the lost devices that have a serial number. */
  lostOf(devices: readonly DeviceStatus[]): readonly LostDevice[] {
    return devices.flatMap(({ id, adapter, identity }) => {
      const serial = identity?.serial ?? null;
      return serial !== null && this.isLost(id) ? [{ deviceId: id, adapter, serial }] : [];
    });
  }

  /** Returns the devices whose next search is due, and starts their interval again. */
  takeDue(lost: readonly LostDevice[]): readonly LostDevice[] {
    const nowMs = this.#clock.monotonicMs();
    const due = lost.filter(
      ({ deviceId }) => nowMs - (this.#searchedAt.get(deviceId) ?? -SEARCH_EVERY_MS) >= SEARCH_EVERY_MS,
    );
    for (const { deviceId } of due) this.#searchedAt.set(deviceId, nowMs);
    return due;
  }
}
