/** Whether one device is in the way of another: how long each that is well was not asked. */
import type { World } from "hemgate/testing";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import type { Calm } from "./calm.ts";
import type { WeekDevice } from "./week-device.ts";

const STARTED_MS = 4 * 60_000;

export class Pace {
  /** The longest that a device which is well was not asked, beyond its period, ms. */
  latestMs = 0;
  readonly #parts: { readonly world: World; readonly box: GatewayBox; readonly calm: Calm };

  constructor(parts: { readonly world: World; readonly box: GatewayBox; readonly calm: Calm }) {
    this.#parts = parts;
  }

  afterMinute(devices: readonly WeekDevice[]): readonly string[] {
    const { world, box, calm } = this.#parts;
    const nowMs = world.clock.monotonicMs();
    if (box.running === null || nowMs - box.running.startedAtMs < STARTED_MS) return [];
    return devices.flatMap((device) => {
      if (device.paceMs === null || !calm.isCalm(device)) return [];
      const lateMs = nowMs - device.askedAtMs - device.paceMs;
      this.latestMs = Math.max(this.latestMs, lateMs);
      return lateMs > 0 ? [`${device.id} was not asked for ${Math.round(lateMs + device.paceMs)} ms`] : [];
    });
  }
}
