/** A small three-phase house around the control cycle, in steps of one second: devices with dead times and ramps. */
import { controlCycle, EMPTY_MEMORY } from "../../../src/domain/energy/cycle/control-cycle.ts";
import type { CycleMemory } from "../../../src/domain/energy/cycle/cycle-memory.ts";
import type { Decision, EnergyAlarm } from "../../../src/domain/energy/cycle/energy-decision.ts";
import type {
  BatteryView,
  ChargeAsk,
  ChargerView,
  EnergySnapshot,
  InverterView,
  MeterView,
} from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import type { EnergyMode } from "../../../src/domain/energy/energy-mode.ts";
import { type PerPhase, PHASES, type Phase } from "../../../src/domain/energy/site/site-connection.ts";
import { makeBattery, makeCharger, makeHeatPump, makeInverter, makeMeter, makeSnapshot } from "./makers.ts";

const V = 230;
const SECOND_MS = 1_000;

export interface CarSpec {
  readonly view?: Partial<ChargerView>;
  readonly ask?: (atS: number) => ChargeAsk;
  /** The phases on which the car draws; those of the charger if absent. */
  readonly carPhases?: readonly Phase[];
  readonly carMaxA?: number;
  /** The same, where it changes. */
  readonly carMaxAAt?: (atS: number) => number;
  readonly latencyS?: number;
  /** The age of each reading, s. */
  readonly lagS?: number;
  /** The charger is read so often, s; each second if absent. */
  readonly readEveryS?: number;
  /** The car starts this long after the charger's release, s. */
  readonly startS?: number;
  readonly isPlugged?: (atS: number) => boolean;
  /** False: the car takes nothing now, as one that sleeps; `starts`: how often the charger was switched on. */
  readonly draws?: (atS: number, starts: number) => boolean;
  /** It draws so much more than it is offered, A. */
  readonly drawsMoreA?: number;
  /** False: it keeps its current whatever it is offered. */
  readonly followsLimit?: (atS: number) => boolean;
  /** False: commands are acknowledged and lost. */
  readonly isConnected?: (atS: number) => boolean;
  readonly startsOnA?: number;
  readonly onlyPhases?: (atS: number) => ChargerView["onlyPhases"];
  /** The charger can be switched between one and three phases. */
  readonly phaseSwitch?: {
    readonly startsAt: 1 | 3;
    /** False: it acknowledges a command, and stays as it is. */
    readonly follows?: boolean;
    /** What it says, where that is not the truth. */
    readonly says?: 1 | 3;
  };
}

export interface BatterySpec {
  readonly view?: Partial<BatteryView>;
  readonly soc?: number;
  readonly capacityWh?: number;
  /** It charges on the DC side of the inverter: its power does not show at the connection. */
  readonly isDcSide?: boolean;
  /** The battery's own management charges with this, whatever its mode is. */
  readonly forcedW?: (atS: number) => number | null;
  readonly plannedMode?: (atS: number) => BatteryView["plannedMode"];
  /** It ignores the power that it is commanded with. */
  readonly ignoresPower?: boolean;
  /** What others ask of it as time goes by. */
  readonly viewAt?: (atS: number) => Partial<BatteryView>;
}

export interface HouseSpec {
  readonly snapshot?: Partial<EnergySnapshot>;
  /** What changes in the snapshot with time. */
  readonly at?: (atS: number) => Partial<EnergySnapshot>;
  readonly limits?: (atS: number) => EnergySnapshot["limits"];
  /** A per phase. */
  readonly load?: (atS: number) => PerPhase<number>;
  readonly sunW?: (atS: number) => number;
  readonly inverter?: Partial<InverterView>;
  readonly ignoresInverterLimit?: boolean;
  /** From this second on the inverter tells nothing new, s. */
  readonly inverterSilentFromS?: number;
  readonly battery?: BatterySpec;
  /** A heat pump that the operator may dim: what it would draw, W. It stops, and starts again, 5 s after its command. */
  readonly pumpW?: (atS: number) => number;
  readonly cars?: readonly CarSpec[];
  /** What the meter shows instead of the truth; `null`: it says nothing new. */
  readonly meter?: (truth: MeterView, atS: number) => MeterView | null;
  readonly circuits?: (state: Readout) => EnergySnapshot["circuits"];
}

/** One second of the house. */
export interface Readout {
  readonly atS: number;
  readonly phaseA: PerPhase<number>;
  readonly gridW: number;
  readonly sunW: number;
  readonly batteryW: number;
  readonly soc: number;
  readonly mode: BatteryView["mode"];
  readonly limitPct: number;
  readonly pumpW: number;
  readonly cars: readonly {
    readonly amps: number;
    readonly offeredA: number;
    readonly isOn: boolean;
    readonly watts: number;
    readonly phases: number;
    /** How often its contactors switched between one and three phases; under load: while current flowed. */
    readonly phaseChanges: number;
    readonly changesUnderLoad: number;
  }[];
  readonly decisions: readonly Decision[];
  readonly alarms: readonly EnergyAlarm[];
}

type CarCommand = Pick<Extract<Decision, { kind: "charger" }>, "isOn" | "currentA" | "phases">;

class SimCar {
  offeredA: number;
  isOn: boolean;
  amps = 0;
  starts = 0;
  phasesNow: 1 | 3 | null;
  phaseChanges = 0;
  changesUnderLoad = 0;
  readonly spec: CarSpec;
  readonly base: ChargerView;
  #queue: (CarCommand & { dueS: number })[] = [];
  #onSinceS = -Infinity;
  #history: { amps: number; offeredA: number; isOn: boolean }[] = [];

  constructor(spec: CarSpec, index: number) {
    this.spec = spec;
    const latencyMs = (spec.latencyS ?? 8) * SECOND_MS;
    this.base = makeCharger({ id: `charger-${index + 1}`, priority: index + 1, latencyMs, ...spec.view });
    this.phasesNow = spec.phaseSwitch?.startsAt ?? null;
    this.offeredA = spec.startsOnA ?? this.base.offeredA ?? 6;
    this.isOn = spec.startsOnA !== undefined;
    this.amps = spec.startsOnA ?? 0;
  }

  get phases(): readonly Phase[] {
    const all = this.spec.carPhases ?? this.base.phases;
    return this.phasesNow === 1 ? all.filter((phase) => phase === this.base.phases[0]) : all;
  }

  #switchPhases(to: 1 | 3): void {
    if (this.spec.phaseSwitch?.follows === false || to === this.phasesNow) return;
    this.phasesNow = to;
    this.phaseChanges += 1;
    if (this.amps > 0) this.changesUnderLoad += 1;
  }

  step(atS: number): void {
    const due = this.#queue.filter(({ dueS }) => dueS <= atS);
    this.#queue = this.#queue.filter(({ dueS }) => dueS > atS);
    for (const command of due) {
      if (command.isOn !== null && command.isOn !== this.isOn) {
        this.isOn = command.isOn;
        if (this.isOn) {
          this.starts += 1;
          this.#onSinceS = atS;
        }
      }
      if (command.currentA !== null) this.offeredA = command.currentA;
      if (command.phases !== null) this.#switchPhases(command.phases);
    }
    const isPlugged = this.spec.isPlugged?.(atS) ?? true;
    const follows = this.spec.followsLimit?.(atS) ?? true;
    const isStarted = atS - this.#onSinceS >= (this.spec.startS ?? 2);
    const allowed = follows ? this.offeredA + (this.spec.drawsMoreA ?? 0) : this.base.range!.maxA;
    const draws = this.spec.draws?.(atS, this.starts) ?? true;
    const goal =
      this.isOn && isPlugged && isStarted && draws
        ? Math.min(allowed, this.spec.carMaxAAt?.(atS) ?? this.spec.carMaxA ?? 32)
        : 0;
    this.amps = goal > this.amps ? Math.min(goal, this.amps + 3) : Math.max(goal, this.amps - 8);
    if (!this.isOn || !isPlugged) this.amps = 0;
    this.#history.push({ amps: this.amps, offeredA: this.offeredA, isOn: this.isOn });
  }

  command(atS: number, { isOn, currentA, phases }: CarCommand): void {
    if (isOn === null && currentA === null && phases === null) return;
    if (!(this.spec.isConnected?.(atS) ?? true)) return;
    this.#queue.push({ dueS: atS + (this.spec.latencyS ?? 8), isOn, currentA, phases });
  }

  view(atS: number): ChargerView {
    const sinceReadS = atS % (this.spec.readEveryS ?? 1);
    const lagS = Math.min((this.spec.lagS ?? 0) + sinceReadS, this.#history.length - 1);
    const seen = this.#history.at(-1 - lagS)!;
    const isPlugged = this.spec.isPlugged?.(atS) ?? true;
    const on = (phase: Phase) => (this.phases.includes(phase) ? seen.amps : 0);
    return {
      ...this.base,
      ask: this.spec.ask?.(atS) ?? this.base.ask,
      state: isPlugged ? (seen.amps > 0 ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED") : "UNPLUGGED",
      powerW: seen.amps * this.phases.length * V,
      currentA: [on("L1"), on("L2"), on("L3")],
      offeredA: seen.offeredA,
      isEnabled: seen.isOn,
      phasesNow: this.spec.phaseSwitch?.says ?? this.phasesNow,
      canSwitchPhases: this.spec.phaseSwitch !== undefined,
      onlyPhases: this.spec.onlyPhases?.(atS) ?? null,
      measuredAtMs: (atS - lagS) * SECOND_MS,
    };
  }
}

class SimBattery {
  watts = 0;
  soc: number;
  mode: NonNullable<BatteryView["mode"]>;
  readonly spec: BatterySpec;
  readonly base: BatteryView;
  #queue: { dueS: number; mode: NonNullable<BatteryView["mode"]> | null; powerW: number | null }[] = [];
  #powerW: number | null = null;

  constructor(spec: BatterySpec) {
    this.spec = spec;
    this.base = makeBattery(spec.view);
    this.soc = spec.soc ?? this.base.soc ?? 50;
    this.mode = this.base.mode ?? "SELF_RELIANCE";
  }

  step(atS: number, gridW: number): void {
    const due = this.#queue.filter(({ dueS }) => dueS <= atS);
    this.#queue = this.#queue.filter(({ dueS }) => dueS > atS);
    for (const { mode, powerW } of due) {
      this.mode = mode ?? this.mode;
      this.#powerW = this.spec.ignoresPower === true ? null : powerW;
    }
    const highest = this.soc >= 100 ? 0 : this.base.maxChargeW!;
    const lowest = this.soc <= (this.base.reserve ?? 0) ? 0 : -this.base.maxDischargeW!;
    const goal = this.spec.forcedW?.(atS) ?? this.#goal(gridW);
    this.watts = Math.min(highest, Math.max(lowest, goal));
    this.soc += (this.watts / 3600 / (this.spec.capacityWh ?? 10_000)) * 100;
  }

  #goal(gridW: number): number {
    if (this.mode === "IDLE") return 0;
    if (this.mode === "IMPORT_FOCUS") return this.#powerW ?? this.base.maxChargeW!;
    if (this.mode === "EXPORT_FOCUS") return this.#powerW ?? -this.base.maxDischargeW!;
    return this.watts - 0.5 * gridW;
  }

  command(atS: number, mode: BatteryView["mode"], powerW: number | null): void {
    this.#queue.push({ dueS: atS + 4, mode, powerW });
  }

  view(atS: number): BatteryView {
    return {
      ...this.base,
      powerW: this.watts,
      soc: this.soc,
      mode: this.mode,
      measuredAtMs: atS * SECOND_MS,
      plannedMode: this.spec.plannedMode?.(atS) ?? this.base.plannedMode,
      ...this.spec.viewAt?.(atS),
    };
  }
}

/** Runs the house and returns each second of it. */
export function runHouse(spec: HouseSpec, seconds: number): { trace: readonly Readout[]; starts: readonly number[] } {
  const cars = (spec.cars ?? []).map((car, i) => new SimCar(car, i));
  const battery = spec.battery === undefined ? null : new SimBattery(spec.battery);
  const inverter = makeInverter(spec.inverter);
  const limitQueue: { dueS: number; pct: number }[] = [];
  const blockQueue: { dueS: number; isBlocked: boolean }[] = [];
  const trace: Readout[] = [];
  let memory: CycleMemory = EMPTY_MEMORY;
  let shown: MeterView = makeMeter({ powerW: null, currentA: [null, null, null], measuredAtMs: null });
  let limitPct = 100;
  let told = { powerW: 0, limitPct: 100, measuredAtMs: 0 };
  let gridW = 0;
  for (let atS = 0; atS < seconds; atS += 1) {
    limitPct = limitQueue.findLast(({ dueS }) => dueS <= atS)?.pct ?? limitPct;
    for (const car of cars) car.step(atS);
    battery?.step(atS, gridW);
    const isBlocked = blockQueue.findLast(({ dueS }) => dueS <= atS)?.isBlocked ?? false;
    const pumpW = isBlocked ? 0 : (spec.pumpW?.(atS) ?? 0);
    const obeyedPct = spec.ignoresInverterLimit === true ? 100 : limitPct;
    const sunW = Math.min(spec.sunW?.(atS) ?? 0, (obeyedPct / 100) * inverter.ratedW!);
    const load = spec.load?.(atS) ?? [0, 0, 0];
    const batteryAcW = spec.battery?.isDcSide === true ? 0 : (battery?.watts ?? 0);
    const ofPhase = (i: 0 | 1 | 2) =>
      load[i] +
      cars.reduce((sum, car) => sum + (car.phases.includes(PHASES[i]) ? car.amps : 0), 0) +
      (batteryAcW + pumpW - sunW) / 3 / V;
    const phaseA: PerPhase<number> = [ofPhase(0), ofPhase(1), ofPhase(2)];
    gridW = (phaseA[0] + phaseA[1] + phaseA[2]) * V;
    const truth = makeMeter({ powerW: gridW, currentA: phaseA, measuredAtMs: atS * SECOND_MS });
    shown = (spec.meter === undefined ? truth : spec.meter(truth, atS)) ?? shown;
    const state: Readout = {
      atS,
      phaseA,
      gridW,
      sunW,
      batteryW: battery?.watts ?? 0,
      soc: battery?.soc ?? 0,
      mode: battery?.mode ?? null,
      limitPct,
      pumpW,
      cars: cars.map(readoutOf),
      decisions: [],
      alarms: [],
    };
    if (atS < (spec.inverterSilentFromS ?? Number.POSITIVE_INFINITY)) {
      told = { powerW: sunW, limitPct, measuredAtMs: atS * SECOND_MS };
    }
    const snapshot = makeSnapshot({
      ...spec.snapshot,
      ...spec.at?.(atS),
      nowMs: atS * SECOND_MS,
      grid: shown,
      circuits: spec.circuits?.(state) ?? new Map(),
      chargers: cars.map((car) => car.view(atS)),
      batteries: battery === null ? [] : [battery.view(atS)],
      inverters: spec.sunW === undefined ? [] : [{ ...inverter, ...told }],
      limits: spec.limits?.(atS) ?? spec.snapshot?.limits ?? [],
      ...(spec.pumpW === undefined ? {} : { heatPumpsW: pumpW, heatPumps: [makeHeatPump(pumpW, atS * SECOND_MS)] }),
    });
    const result = controlCycle(snapshot, memory);
    memory = result.memory;
    for (const decision of result.decisions) {
      if (decision.kind === "charger") cars.find(({ base }) => base.id === decision.id)!.command(atS, decision);
      else if (decision.kind === "heat-pump") blockQueue.push({ dueS: atS + 5, isBlocked: decision.isBlocked });
      else if (decision.kind === "battery") {
        battery!.command(atS, decision.mode, decision.powerW);
      } else if (decision.limitPct !== null) limitQueue.push({ dueS: atS + 3, pct: decision.limitPct });
    }
    trace.push({ ...state, decisions: result.decisions, alarms: result.alarms });
  }
  return { trace, starts: cars.map(({ starts }) => starts) };
}

function readoutOf({ amps, offeredA, isOn, phases, phaseChanges, changesUnderLoad }: SimCar): Readout["cars"][number] {
  const { length } = phases;
  return { amps, offeredA, isOn, watts: amps * length * V, phases: length, phaseChanges, changesUnderLoad };
}

export function inMode(mode: EnergyMode, plannedW: number | null = null): ChargeAsk {
  return { by: "energy", mode, plannedW, plannedUntilMs: null };
}

/** The rule by which a fuse is safe: above it for less than 60 s, 13 % above it 20 s, 45 % above it 10 s. */
export function longestOverload(
  trace: readonly Readout[],
  fuseA: number,
): { above: number; above13: number; above45: number } {
  const longest = (ratio: number) => {
    let best = 0;
    for (const i of [0, 1, 2] as const) {
      let run = 0;
      for (const { phaseA } of trace) {
        run = phaseA[i] > fuseA * ratio + 1e-6 ? run + 1 : 0;
        best = Math.max(best, run);
      }
    }
    return best;
  };
  return { above: longest(1), above13: longest(1.13), above45: longest(1.45) };
}

export function reasonsOf(trace: readonly Readout[], id: string, fromS = 0): readonly string[] {
  const codes = trace
    .filter(({ atS }) => atS >= fromS)
    .flatMap(({ decisions }) => decisions.filter((decision) => decision.id === id))
    .map(({ reason }) => (reason.subject === null ? reason.code : `${reason.code} ${reason.subject}`));
  return codes.filter((code, i) => code !== codes[i - 1]);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How many commands went to a device. */
export function commandsOf(trace: readonly Readout[], id: string, fromS = 0): number {
  return trace
    .filter(({ atS }) => atS >= fromS)
    .flatMap(({ decisions }) => decisions)
    .filter((decision) => decision.id === id && isCommand(decision)).length;
}

function isCommand(decision: Decision): boolean {
  if (decision.kind === "charger") {
    return decision.isOn !== null || decision.currentA !== null || decision.phases !== null;
  }
  if (decision.kind === "heat-pump") return true;
  return decision.kind === "battery" ? decision.mode !== null : decision.limitPct !== null;
}
