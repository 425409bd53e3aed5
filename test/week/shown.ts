/** Whether what is shown is so: each value against what its device held, and the dead as dead. */
import type { PointName, PointValue } from "hemgate/sdk";
import type { World } from "hemgate/testing";
import { isCurrent, powerOfCurrent } from "../../src/domain/assets/current-direction.ts";
import type { RunningEngine } from "../../src/engine/running-engine.ts";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import type { Calm } from "./calm.ts";
import type { WeekDevice } from "./week-device.ts";

/** A gateway that has just started: its devices are connected one after the other where they share a wire. */
const STARTED_MS = 4 * 60_000;
const TOLERANCE_W = 0.51;

type Status = ReturnType<RunningEngine["devices"]>[number];

export class Shown {
  readonly #parts: { readonly world: World; readonly box: GatewayBox; readonly calm: Calm };
  #judged = 0;
  #unknown = 0;
  #deaths = 0;

  constructor(parts: { readonly world: World; readonly box: GatewayBox; readonly calm: Calm }) {
    this.#parts = parts;
  }

  /** Values that were held against the truth, values that no oracle knows, and times that a dead device was shown so. */
  get counts(): { readonly judged: number; readonly unknown: number; readonly deaths: number } {
    return { judged: this.#judged, unknown: this.#unknown, deaths: this.#deaths };
  }

  afterMinute(devices: readonly WeekDevice[]): readonly string[] {
    const { running } = this.#parts.box;
    if (running === null) return [];
    const { engine } = running.gateway;
    const statuses = new Map(engine.devices().map((status) => [status.id, status]));
    const assets = new Map(
      ASSET_KINDS.flatMap((kind) => engine.assets.list(kind)).map(({ asset }) => [asset.id, asset]),
    );
    const isUp = this.#parts.world.clock.monotonicMs() - running.startedAtMs > STARTED_MS;
    return devices.flatMap((device) => {
      const status = statuses.get(device.id);
      if (status === undefined) return [`${device.id} is not there`];
      const reachable = status.assets.map(({ id }) => assets.get(id)?.isReachable ?? null);
      return [
        ...this.#life(device, status, reachable, isUp),
        ...(status.isReachable ? this.#values(device, status) : []),
        ...(status.isReachable ? folded(device, status, (id) => assets.get(id)) : []),
      ];
    });
  }

  #life(device: WeekDevice, status: Status, reachable: readonly (boolean | null)[], isUp: boolean): readonly string[] {
    const { calm } = this.#parts;
    const deadMs = calm.deadMs(device);
    if (deadMs > device.troubledMs && isUp) {
      this.#deaths += 1;
      const isShown = status.isReachable || reachable.includes(true);
      return isShown ? [`${device.id} is dead for ${Math.round(deadMs)} ms and shown as reachable`] : [];
    }
    if (!isUp || !calm.isCalm(device)) return [];
    if (!status.isReachable) return [`${device.id} is there and shown as unreachable: ${status.lastError}`];
    return reachable.every((each) => each === true) ? [] : [`an asset of ${device.id} is shown as ${reachable.join()}`];
  }

  #values(device: WeekDevice, { points }: Status): readonly string[] {
    const { world, calm } = this.#parts;
    const untilMs = world.clock.monotonicMs();
    const isCalm = calm.isCalm(device);
    const sinceMs = untilMs - (isCalm ? device.calmMs : device.troubledMs);
    const names = points.map(({ point }) => point);
    return points.flatMap(({ point, value }) => {
      // To say that it cannot tell is always right while something is wrong.
      if (value === null && !isCalm) return [];
      // A current has the sign of its power, whatever sign the device gives it; null while the power is unknown.
      const power = isCurrent(point) ? powerOfCurrent(point, names) : null;
      if (power !== null && value === null && points.find((each) => each.point === power)?.value === null) return [];
      const signs = power !== null && typeof value === "number" ? [value, -value] : [value];
      const wasSo = signs.map((signed) => device.wasSo(point, signed, { sinceMs, untilMs })).reduce(either);
      if (wasSo === null) this.#unknown += 1;
      else this.#judged += 1;
      if (wasSo !== false) return [];
      return [`${device.id}: ${point} is shown as ${value}, it was ${device.told(point, { sinceMs, untilMs })}`];
    });
  }
}

const ASSET_KINDS = ["battery", "charger", "hvac", "inverter", "meter"] as const;

/** What the API shows of a device is what the engine read of it. */
function folded(device: WeekDevice, status: Status, asset: (id: string) => object | undefined): readonly string[] {
  const read = new Map<PointName, PointValue | null>(status.points.map(({ point, value }) => [point, value]));
  return status.assets.flatMap(({ kind, id }) => {
    const [point, ...path] = POWERS[kind] ?? [];
    if (point === undefined || !read.has(point)) return [];
    const shown = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], asset(id));
    const value = read.get(point) ?? null;
    // A charger shows its power while it charges only.
    if (kind === "charger" && shown === null) return [];
    const isSame =
      typeof value === "number" && typeof shown === "number" && Math.abs(1_000 * shown - value) < TOLERANCE_W;
    return isSame || value === shown ? [] : [`${device.id}: ${kind} shows ${shown}, ${point} was read as ${value}`];
  });
}

const POWERS: Readonly<Record<string, readonly [PointName, ...string[]]>> = {
  battery: ["battery.power", "chargeState", "chargeRate"],
  charger: ["charger.power", "chargeState", "chargeRate"],
  inverter: ["inverter.power", "productionState", "productionRate"],
  meter: ["meter.power", "energyState", "power"],
};

/** True if one of two is; null if neither is known. */
function either(one: boolean | null, other: boolean | null): boolean | null {
  return one === true || other === true ? true : (one ?? other);
}
