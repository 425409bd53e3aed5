/** Turns the decisions of the control cycle into regulated values of the devices. */
import { isSameControlValue } from "../../domain/actions/desired-setting.ts";
import type { Firmness } from "../../domain/actions/regulation.ts";
import { NOMINAL_V } from "../../domain/energy/cycle/cycle-timing.ts";
import type { Decision } from "../../domain/energy/cycle/energy-decision.ts";
import type {
  BatteryView,
  ChargerView,
  HeatPumpView,
  InverterView,
} from "../../domain/energy/cycle/energy-snapshot.ts";
import { isLimit } from "../../domain/energy/energy-state.ts";
import type { ControlPoint, PointValue } from "../../points/points.ts";
import { type Controlled, pointsOf } from "./controlled.ts";
import { type EnergyDevice, freeControl } from "./energy-device.ts";

export type AnyView = ChargerView | HeatPumpView | BatteryView | InverterView;

interface Standing {
  readonly value: PointValue;
  readonly firmness: Firmness;
}

/** Without a limit, who else is in charge of a device gets what was asked for. */
interface Owner {
  /** The energy manager decides by a mode. */
  readonly isMode: boolean;
  /** Somebody's request that the energy manager carries out, because a mode is set beside it. */
  readonly isCarriedOut: boolean;
}

/**
 * The values that the cycle has decided. A decision says only what changes, so each value stands until the next one, or
 * until it is what the device has without the energy manager.
 */
export class StandingDecisions {
  readonly #standing = new Map<string, Standing>();
  readonly #owners = new Map<string, string>();
  readonly #wake: (deviceId: string) => void;
  readonly #released: (id: string) => void;

  /** `released` is called with the id of each device that is no longer commanded. */
  constructor(wake: (deviceId: string) => void, released: (id: string) => void) {
    this.#wake = wake;
    this.#released = released;
  }

  /** Applies a decision. Returns the points that somebody else has. */
  apply(each: Controlled<AnyView>, decision: Decision, owner: Owner): readonly ControlPoint[] {
    const { device, view, kind } = each;
    const ownerNow = owner.isMode || owner.isCarriedOut ? "energy" : "other";
    if (this.#owners.get(view.id) === "energy" && ownerNow === "other") this.release(each);
    this.#owners.set(view.id, ownerNow);
    if (decision.kind === "heat-pump" && !decision.isBlocked) {
      if (!owner.isMode) this.release(each);
      // Where the setpoint is regulated, the state is the unit's own, and there may be no `AUTO`.
      else if ("raisedSetpointC" in view) this.#giveBack(each, "hvac.mode");
      if (!owner.isMode || "raisedSetpointC" in view) return [];
    }
    const saves = owner.isMode || decision.reason.code === "plan";
    const firmness = saves && !isLimit(decision.reason.code) ? "wish" : "limit";
    for (const [point, value] of changes(each, decision))
      this.#standing.set(keyOf(view.id, point), { value, firmness: firmnessOf(point, decision, firmness) });
    this.#boundRaise(each);
    if (isLowered(view, decision)) this.#giveBack(each, "hvac.heatSetpoint");
    const lost = pointsOf(kind).filter((point) => !this.#hold(each, point, owner));
    this.#wake(device.settings.id);
    return lost;
  }

  /** Holds a value as a limit, whatever was decided before. */
  hold({ view, device }: Controlled<AnyView>, point: ControlPoint, value: PointValue): void {
    this.#standing.set(keyOf(view.id, point), { value, firmness: "limit" });
    device.commands.regulate(point, value, "limit");
    this.#wake(device.settings.id);
  }

  /** Gives back what stands of a device about which nothing is decided now: it must not go on with a later decision. */
  end(each: Controlled<AnyView>): void {
    if (pointsOf(each.kind).some((point) => this.#standing.has(keyOf(each.view.id, point)))) this.release(each);
  }

  /** Gives all points of a device back. */
  release(each: Controlled<AnyView>): void {
    const { view, device, kind } = each;
    for (const point of pointsOf(kind)) this.#giveBack(each, point);
    // What is decided next is about what it has without the energy manager.
    this.#owners.delete(view.id);
    this.#released(view.id);
    this.#wake(device.settings.id);
  }

  #giveBack({ view, device }: Controlled<AnyView>, point: ControlPoint): void {
    this.#standing.delete(keyOf(view.id, point));
    device.commands.letGo(point);
  }

  /** A raise follows the highest temperature that its owner sets meanwhile, and ends where that leaves no room for one. */
  #boundRaise(each: Controlled<AnyView>): void {
    const { view, device } = each;
    const key = keyOf(view.id, "hvac.heatSetpoint");
    const standing = this.#standing.get(key);
    if (!("raisedSetpointC" in view) || standing === undefined) return;
    if (freeControl(device, "hvac.heatSetpoint") === null) return;
    const { raisedSetpointC = null } = view;
    if (raisedSetpointC === null) this.#giveBack(each, "hvac.heatSetpoint");
    else if (raisedSetpointC < Number(standing.value)) this.#standing.set(key, { ...standing, value: raisedSetpointC });
  }

  /** Returns false if somebody else has the point. */
  #hold({ view, device }: Controlled<AnyView>, point: ControlPoint, owner: Owner): boolean {
    const key = keyOf(view.id, point);
    const standing = this.#standing.get(key);
    if (standing === undefined) return true;
    if (isNeeded(device, point, standing.value, owner)) {
      if (device.commands.regulate(point, standing.value, standing.firmness)) return true;
    } else {
      device.commands.letGo(point);
    }
    this.#standing.delete(key);
    const fate = device.commands.regulated.fate(point);
    return fate === "ours" || fate === "stuck";
  }
}

/** No limit needs a forced mode, only less power of it: what somebody else sets instead stays. */
function firmnessOf(point: ControlPoint, decision: Decision, firmness: Firmness): Firmness {
  const isForcedMode = point === "battery.mode" && decision.kind === "battery" && decision.powerW !== null;
  return isForcedMode ? "wish" : firmness;
}

/** True if the value is not what the device has, or will have, without the energy manager. */
function isNeeded({ commands }: EnergyDevice, point: ControlPoint, value: PointValue, owner: Owner): boolean {
  if (owner.isMode) return true;
  const asked = commands.asked(point).value;
  // 0 is no power of ours.
  if (point === "battery.powerSetpoint") return value !== 0;
  if (owner.isCarriedOut || typeof value === "string") return !isSameControlValue(asked, value);
  // Others get no more than they asked for, so only less is held.
  if (typeof value === "number")
    return typeof asked !== "number" || (value < asked && !isSameControlValue(asked, value));
  return value === false && asked !== false;
}

/** True if the setpoint of a heat pump is to be as it was: nobody holds it then, so that its owner may change it. */
function isLowered(view: AnyView, decision: Decision): boolean {
  return "raisedSetpointC" in view && decision.kind === "charger" && decision.isOn === false;
}

/** A heater gets a power, a heat pump a state or a setpoint. */
function heatChanges(
  view: AnyView,
  { isOn, currentA }: Pick<Extract<Decision, { kind: "charger" }>, "isOn" | "currentA">,
): readonly (readonly [ControlPoint, PointValue])[] {
  if ("raisedSetpointC" in view)
    return isOn === true && view.raisedSetpointC != null ? [["hvac.heatSetpoint", view.raisedSetpointC]] : [];
  if (!("isHeater" in view)) return isOn === null ? [] : [["hvac.mode", isOn ? "HEAT" : "AUTO"]];
  if (isOn === false) return [["hvac.maxPower", 0]];
  return currentA === null ? [] : [["hvac.maxPower", Math.round(currentA * view.phases.length * NOMINAL_V)]];
}

function changes(
  { kind, view }: Controlled<AnyView>,
  decision: Decision,
): readonly (readonly [ControlPoint, PointValue])[] {
  switch (decision.kind) {
    case "charger": {
      const target = kind === "vehicle" ? "vehicle" : "charger";
      const { isOn, currentA, phases } = decision;
      if (kind === "hvac") return heatChanges(view, decision);
      return [
        ...(phases === null || kind === "vehicle" ? [] : [["charger.phases", phases] as const]),
        ...(isOn === null ? [] : [[`${target}.enabled`, isOn] as const]),
        ...(currentA === null ? [] : [[`${target}.maxCurrent`, currentA] as const]),
      ];
    }
    case "heat-pump":
      return [["hvac.mode", decision.isBlocked ? "OFF" : "AUTO"]];
    case "battery":
      return [
        ["battery.powerSetpoint", decision.powerW ?? 0],
        ...(decision.mode === null ? [] : [["battery.mode", decision.mode] as const]),
      ];
    case "inverter":
      return decision.limitPct === null ? [] : [["inverter.powerLimit", decision.limitPct]];
    default:
      return decision satisfies never;
  }
}

function keyOf(id: string, point: ControlPoint): string {
  return `${id}/${point}`;
}
