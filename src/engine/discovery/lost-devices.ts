import type { Clock } from "../../platform/ports/ports.ts";
import type { DeviceStatus } from "../contracts/engine.ts";

/** A device that is silent for so long is looked for, ms. */
const LOST_AFTER_MS = 5 * 60_000;
/** The same device is looked for again after this long at the earliest, ms. */
const SEEK_EVERY_MS = 30 * 60_000;

/** A device that does not answer, and by what it would be known. */
export interface LostDevice {
  readonly deviceId: string;
  readonly adapter: string;
  readonly serial: string;
}

/** Watches which devices are silent, by the monotonic clock. */
export class LostDevices {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #silentSince = new Map<string, number>();
  readonly #soughtAt = new Map<string, number>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Takes in how the devices are. Called again and again. */
  look(devices: readonly DeviceStatus[]): void {
    const nowMs = this.#clock.monotonicMs();
    const silent = new Set(devices.filter(({ isReachable }) => !isReachable).map(({ id }) => id));
    for (const id of silent) if (!this.#silentSince.has(id)) this.#silentSince.set(id, nowMs);
    for (const id of [...this.#silentSince.keys()]) if (!silent.has(id)) this.#silentSince.delete(id);
    for (const id of [...this.#soughtAt.keys()])
      if (!devices.some((device) => device.id === id)) this.#soughtAt.delete(id);
  }

  /** Whether nobody answers there any more: another machine may have its address now. */
  isLost(deviceId: string): boolean {
    const since = this.#silentSince.get(deviceId);
    return since !== undefined && this.#clock.monotonicMs() - since >= LOST_AFTER_MS;
  }

  /** The lost devices with a serial number of which no other device claims to be. */
  among(devices: readonly DeviceStatus[]): readonly LostDevice[] {
    return devices.flatMap(({ id, adapter, identity }) => {
      const serial = identity?.serial ?? null;
      return serial !== null && this.isLost(id) ? [{ deviceId: id, adapter, serial }] : [];
    });
  }

  /** Those whose turn to be looked for it is; from now on it is not for a while. */
  takeDue(lost: readonly LostDevice[]): readonly LostDevice[] {
    const nowMs = this.#clock.monotonicMs();
    const due = lost.filter(
      ({ deviceId }) => nowMs - (this.#soughtAt.get(deviceId) ?? -SEEK_EVERY_MS) >= SEEK_EVERY_MS,
    );
    for (const { deviceId } of due) this.#soughtAt.set(deviceId, nowMs);
    return due;
  }
}
