/** What the gateway did to the devices: what it says is done is done, and nothing is that nobody asked for. */
import type { ControlPoint, PointValue } from "hemgate/sdk";
import type { World } from "hemgate/testing";
import type { Action } from "../../src/domain/actions/action.ts";
import type { GatewayBox, RunningGateway } from "../long-run/gateway-box.ts";
import { onePendingBreaches } from "../long-run/invariants/one-pending.ts";
import { reversionBreach } from "../long-run/invariants/reversion.ts";
import type { Calm } from "./calm.ts";
import type { WeekDevice } from "./week-device.ts";

const MINUTE_MS = 60_000;
/** The checks look once a minute; a write may be under way a little longer than its reason. */
const SLACK_MS = 2 * MINUTE_MS;
/** After a start what was held is taken up again. */
const RESUMING_MS = 5 * MINUTE_MS;
/** A poll, beside the device's own timer. */
const POLL_MS = 65_000;

const HVAC_POINTS: Readonly<Record<string, ControlPoint>> = {
  mode: "hvac.mode",
  heatSetpoint: "hvac.heatSetpoint",
  coolSetpoint: "hvac.coolSetpoint",
};

interface Followed {
  readonly deviceId: string;
  readonly seenMs: number;
  isOver: boolean;
  /** Nothing was wrong since it was seen. */
  isCalm: boolean;
}

export class Deeds {
  readonly counts = { confirmed: 0, failed: 0, cancelled: 0, unjudged: 0 };
  /** Writes by cause. */
  readonly causes = { command: 0, renewal: 0, "safe default": 0, resumed: 0 };
  /** Times that a device without its gateway was looked at after its own timer was over. */
  reversions = 0;
  wear = 0;
  readonly #parts: { readonly world: World; readonly box: GatewayBox; readonly calm: Calm };
  readonly #actions = new Map<string, Followed>();
  readonly #pendingMs = new Map<string, number>();
  readonly #leasedMs = new Map<string, number>();
  readonly #timerMs = new Map<string, number>();
  /** Which death of the gateway a device was told of that did not end what it held. */
  readonly #toldMs = new Map<string, number>();
  #stoppedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: { readonly world: World; readonly box: GatewayBox; readonly calm: Calm }) {
    this.#parts = parts;
  }

  /** An orderly stop began. */
  stopping(): void {
    this.#stoppedMs = this.#parts.world.clock.monotonicMs();
  }

  afterMinute(devices: readonly WeekDevice[]): readonly string[] {
    const { running } = this.#parts.box;
    const breaches = running === null ? [] : this.#follow(running, devices);
    return [...breaches, ...devices.flatMap((device) => [...this.#writes(device), ...this.#reversion(device)])];
  }

  #follow({ gateway: { store } }: RunningGateway, devices: readonly WeekDevice[]): readonly string[] {
    const nowMs = this.#parts.world.clock.monotonicMs();
    for (const { deviceId, state = "held" } of store.all("lease")) {
      if (state !== "released") this.#leasedMs.set(deviceId, nowMs);
    }
    const breaches: string[] = [];
    const all = store.all("action");
    for (const { action, deviceId } of all) {
      const followed = this.#actions.get(action.id) ?? { deviceId, seenMs: nowMs, isOver: false, isCalm: true };
      this.#actions.set(action.id, followed);
      if (followed.isOver) continue;
      this.#pendingMs.set(deviceId, nowMs);
      const device = devices.find(({ id }) => id === deviceId);
      if (device === undefined) continue;
      followed.isCalm &&= this.#parts.calm.isCalm(device);
      if (action.state === "PENDING") continue;
      followed.isOver = true;
      breaches.push(...this.#judge(action, device, followed));
    }
    return [...breaches, ...onePendingBreaches(all.map(({ action }) => action))];
  }

  #judge(action: Action, device: WeekDevice, { seenMs, isCalm }: Followed): readonly string[] {
    const name = `${device.id}: ${JSON.stringify(wishOf(action))}`;
    if (action.state === "CANCELLED") this.counts.cancelled += 1;
    if (action.state === "FAILED") {
      this.counts.failed += 1;
      return isCalm ? [`${name} failed though nothing was wrong: ${action.failureReason?.detail}`] : [];
    }
    if (action.state !== "CONFIRMED") return [];
    this.counts.confirmed += 1;
    const window = { sinceMs: seenMs - SLACK_MS, untilMs: this.#parts.world.clock.monotonicMs() };
    const verdicts = wishOf(action).map(([point, value]) => device.wasDone(point, value, window));
    if (verdicts.every((verdict) => verdict === null)) this.counts.unjudged += 1;
    return verdicts.includes(false) ? [`${name} is told as done, and was not: ${device.did(window)}`] : [];
  }

  #writes(device: WeekDevice): readonly string[] {
    const { box, calm } = this.#parts;
    const recently = (times: ReadonlyMap<string, number>): number => times.get(device.id) ?? Number.NEGATIVE_INFINITY;
    return device.takeWrites().flatMap(({ atMs, what, isWear }) => {
      if (isWear) this.wear += 1;
      const worn = isWear && calm.isCalm(device) ? [`${device.id} was written in flash what it held: ${what}`] : [];
      if (atMs - recently(this.#pendingMs) <= SLACK_MS) this.causes.command += 1;
      else if (atMs - this.#stoppedMs < MINUTE_MS) this.causes["safe default"] += 1;
      else if (atMs - recently(this.#leasedMs) > SLACK_MS)
        return [...worn, `${device.id} was written ${what}, and nobody wanted it`];
      else if (box.running !== null && atMs - box.running.startedAtMs < RESUMING_MS) this.causes.resumed += 1;
      else this.causes.renewal += 1;
      return worn;
    });
  }

  #reversion(device: WeekDevice): readonly string[] {
    const { world, box } = this.#parts;
    const { reversion } = device;
    const { deadSinceMs } = box;
    if (deadSinceMs === null) this.#timerMs.delete(device.id);
    if (reversion === null || deadSinceMs === null) return [];
    // What the timer was when the gateway ended, which is what it wrote last.
    const timerMs = this.#timerMs.get(device.id) ?? reversion.timerMs;
    this.#timerMs.set(device.id, timerMs);
    const nowMs = world.clock.monotonicMs();
    const limitMs = timerMs + POLL_MS;
    if (nowMs - deadSinceMs > limitMs) this.reversions += 1;
    const breach = reversionBreach(device.id, { isForced: !reversion.isAtDefault, nowMs, deadSinceMs, limitMs });
    const isTold = this.#toldMs.get(device.id) === deadSinceMs;
    if (breach === null || isTold) return [];
    this.#toldMs.set(device.id, deadSinceMs);
    return [breach];
  }
}

function wishOf(action: Action): readonly (readonly [ControlPoint, PointValue])[] {
  if (action.targetType === "battery") return [["battery.mode", action.targetState.operationMode]];
  if (action.targetType === "hvac") {
    const { target } = action;
    if (target.holdType === "SCHEDULED") return [];
    const { holdType: _hold, ...settings } = target;
    return Object.entries(settings).map(([key, value]) => [HVAC_POINTS[key] ?? "hvac.mode", value] as const);
  }
  if ("kind" in action) return [["charger.enabled", action.kind === "START"]];
  return [["charger.maxCurrent", action.targetState.maxCurrent]];
}
