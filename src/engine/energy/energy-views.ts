import type { Reason } from "../../domain/energy/cycle/energy-decision.ts";
import type { ChargerView } from "../../domain/energy/cycle/energy-snapshot.ts";
import type { EnergyDeviceState, EnergyFlow, EnergyState } from "../../domain/energy/energy-state.ts";
import { reasonText } from "../../domain/energy/energy-texts.ts";
import type { PerPhase } from "../../domain/energy/site/site-connection.ts";
import { instant, instantOrNull } from "../../domain/fields.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { ControlPoint } from "../../points/points.ts";
import type { EnergySources } from "../contracts/energy/energy-manager.ts";
import { type Controlled, pointsOf } from "./controlled.ts";
import { type EnergyBook, policyOf } from "./energy-book.ts";
import { type EnergyCycle, hasLimits } from "./energy-cycle.ts";
import { type EnergyDevice, freeControl } from "./energy-device.ts";
import type { HouseView } from "./house-view.ts";
import type { AnyView } from "./standing-decisions.ts";

export interface EnergyViewParts {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  /** Time zone of the site. */
  readonly zone: string;
  readonly book: EnergyBook;
  readonly cycle: EnergyCycle;
  readonly sources: EnergySources;
  /** What people call a device that the cycle does not see now; `null` if there is no such device. */
  readonly nameOf: (assetId: string) => string | null;
  /** True if the asset heats and can have a mode. */
  readonly canHeat: (assetId: string) => boolean;
}

interface Measured {
  readonly powerW: number | null;
  readonly measuredAtMs: number | null;
}

interface Identified extends Measured {
  readonly id: string;
}

/** Shows what the energy manager sees and decides. */
export class EnergyViews {
  readonly #parts: EnergyViewParts;

  constructor(parts: EnergyViewParts) {
    this.#parts = parts;
  }

  state(language: string | undefined): EnergyState {
    const { book, cycle, sources } = this.#parts;
    const house = cycle.look();
    const { grid, inverters, batteries, chargers } = house?.snapshot ?? NOTHING;
    const powerOf = (view: Identified): Measured => powerFrom(house?.controlled.get(view.id)?.device, view);
    const cars = chargers.filter(({ switched, isHeater }) => switched === undefined && isHeater !== true);
    return {
      isActive: cycle.isActive(),
      hasLimits: hasLimits(sources.connection()) || sources.limits().length > 0,
      decidedAt: instantOrNull(cycle.decidedAtMs),
      grid: this.#flow([powerFrom(house?.meter, grid)]),
      production: this.#flow(inverters.map(powerOf)),
      battery: this.#flow(batteries.map(powerOf)),
      chargers: this.#flow(cars.map(powerOf)),
      batteryUse: book.batteryUse(),
      devices: house === null ? [] : [...house.controlled.values()].map((each) => this.#device(each, house, language)),
      alarms: cycle.alarms.map(({ code, subject, sinceMs }) => ({ code, subject, since: instant(sinceMs) })),
    };
  }

  phaseCurrents(): PerPhase<number | null> {
    return this.#parts.cycle.look()?.snapshot.grid.currentA ?? [null, null, null];
  }

  device(id: string, language: string | undefined): EnergyDeviceState | null {
    const house = this.#parts.cycle.look();
    const each = house?.controlled.get(id);
    if (house !== null && each !== undefined) return this.#device(each, house, language);
    // A vehicle that is away, or a house without a meter, has settings all the same.
    const record = this.#parts.book.get(id);
    const flow = { powerKw: null, ageSeconds: null };
    if (record === null) return this.#parts.canHeat(id) ? this.#withoutMode(this.#nameOf(id, house), id, flow) : null;
    const common = { id, deviceType: record.kind, name: this.#nameOf(id, house), policy: policyOf(record) } as const;
    return {
      ...common,
      inCharge: "energy",
      flow,
      isControlled: false,
      canSwitchPhases: false,
      setpointKw: null,
      reason: null,
    };
  }

  /** What heats is left alone until somebody gives it a mode. */
  #withoutMode(name: string, id: string, flow: EnergyFlow): EnergyDeviceState {
    return {
      id,
      deviceType: "hvac",
      name,
      policy: null,
      inCharge: "device",
      flow,
      isControlled: true,
      canSwitchPhases: false,
      setpointKw: null,
      reason: null,
    };
  }

  #device(each: Controlled<AnyView>, house: HouseView, language: string | undefined): EnergyDeviceState {
    const { view, kind, device } = each;
    const record = this.#parts.book.get(view.id);
    const isControlled = mainPointsOf(kind).some((point) => freeControl(device, point) !== null);
    return {
      id: view.id,
      deviceType: kind,
      name: view.name,
      policy: record === null ? null : policyOf(record),
      inCharge: inCharge(view),
      flow: this.#flow([powerFrom(device, kind === "hvac" ? heatPumpPower(device) : view)]),
      isControlled,
      canSwitchPhases: "canSwitchPhases" in view && view.canSwitchPhases === true,
      setpointKw: kind === "battery" ? setpointKw(device) : null,
      reason: this.#reason(view.id, isControlled, house, language),
    };
  }

  #reason(
    id: string,
    isControlled: boolean,
    house: HouseView,
    language: string | undefined,
  ): EnergyDeviceState["reason"] {
    const { clock, zone } = this.#parts;
    const decided = this.#decided(id);
    if (decided === null) return null;
    // What is decided for a device that takes no command is not what it does.
    const reason = isControlled || decided.code === "ignores-limit" ? decided : NO_COMMAND;
    const { code, subject } = reason;
    const untilMs = reason.untilMs === null ? null : clock.nowMs() + reason.untilMs - clock.monotonicMs();
    const isDated = untilMs !== null && Number.isFinite(untilMs);
    const dated = { code, subject, untilMs: isDated ? Math.round(untilMs) : null };
    const named = { ...dated, subject: subject === null ? null : this.#nameOf(subject, house) };
    return { code, subject, until: instantOrNull(dated.untilMs), text: reasonText(named, zone, language) };
  }

  /** What decided about a device; for a battery that the plan charges fully once, that and by when. */
  #decided(id: string): Reason | null {
    const { cycle, sources } = this.#parts;
    const decided = cycle.reasonOf(id);
    const byMs = decided?.code === "plan" ? sources.fullChargeByMs(id) : null;
    return byMs === null ? decided : { code: "full-charge", subject: null, untilMs: byMs };
  }

  /** What people call a circuit or a device. Phases and sources have their names in `subject` already. */
  #nameOf(subject: string, house: HouseView | null): string {
    const { sources, nameOf } = this.#parts;
    const circuit = sources.connection().circuits.find(({ id }) => id === subject);
    return circuit?.name ?? house?.controlled.get(subject)?.view.name ?? nameOf(subject) ?? subject;
  }

  /** The sum of the powers with the age of the oldest; unknown if one is. */
  #flow(parts: readonly Measured[]): EnergyFlow {
    const powers = parts.map(({ powerW }) => powerW);
    const ticks = parts.map(({ measuredAtMs }) => measuredAtMs);
    const isKnown = parts.length > 0 && powers.every((powerW) => powerW !== null);
    const sumW = powers.reduce<number>((sum, powerW) => sum + (powerW ?? 0), 0);
    const known = ticks.flatMap((tick) => tick ?? []);
    const oldestMs = known.length === 0 ? null : Math.min(...known);
    const ageMs = oldestMs === null ? null : this.#parts.clock.monotonicMs() - oldestMs;
    return {
      powerKw: isKnown ? Math.round(sumW) / 1_000 : null,
      ageSeconds: ageMs === null ? null : Math.max(0, Math.round(ageMs / 100) / 10),
    };
  }
}

const NO_COMMAND = { code: "takes-no-command", subject: null, untilMs: null } as const;

const NOTHING = {
  grid: { powerW: null, measuredAtMs: null },
  inverters: [] as readonly Identified[],
  batteries: [] as readonly Identified[],
  chargers: [] as readonly ChargerView[],
};

/** What a device that is silent showed last is not its power; when that was is known. */
function powerFrom(device: EnergyDevice | null | undefined, { powerW, measuredAtMs }: Measured): Measured {
  return { powerW: device?.isReachable === false ? null : powerW, measuredAtMs };
}

/** The power of a forced mode does nothing without the mode. */
function mainPointsOf(kind: Controlled<AnyView>["kind"]): readonly ControlPoint[] {
  return pointsOf(kind).filter((point) => point !== "battery.powerSetpoint");
}

/**
 * The power that the energy manager holds on a battery, kW, as the battery has it; `null` while it holds none, or the battery
 * is not in a mode that has a power.
 */
function setpointKw({ commands, values }: EnergyDevice): number | null {
  const sentW = commands.regulated.value("battery.powerSetpoint");
  const mode = values["battery.mode"];
  if (typeof sentW !== "number" || (mode !== "IMPORT_FOCUS" && mode !== "EXPORT_FOCUS")) return null;
  // A battery that does not report the power is shown with the one that it was sent.
  const watts = values["battery.powerSetpoint"] ?? sentW;
  // 0 is no power of ours: the mode takes its own.
  return watts === 0 ? null : watts / 1_000;
}

/** All that it draws, raised or not. */
function heatPumpPower(device: EnergyDevice): Measured {
  return { powerW: device.values["hvac.power"] ?? null, measuredAtMs: device.measuredAtMs("hvac.power") };
}

function inCharge(view: AnyView): EnergyDeviceState["inCharge"] {
  if ("ask" in view) return view.ask.by;
  if ("isOthers" in view) return view.isOthers ? "person" : view.plannedMode === null ? "device" : "energy";
  return "device";
}
