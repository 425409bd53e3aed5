/** What the control cycle remembers from one cycle to the next. It is data: nothing is lost but timers if it is. */
import type { OperationMode } from "../../../points/points.ts";
import { MINUTE_MS } from "../../duration.ts";
import type { PerPhase } from "../site/site-connection.ts";
import type { EnergyAlarm } from "./energy-decision.ts";

/** One valid reading of the grid meter. */
export interface GridSample {
  readonly atMs: number;
  readonly powerW: number;
  readonly currentA: PerPhase<number | null>;
  /** What batteries were read to take at that time, by their ids, W. */
  readonly batteriesW: ReadonlyMap<string, number | null>;
  /** What inverters were read to produce at that time, by their ids, W. */
  readonly invertersW: ReadonlyMap<string, number | null>;
}

/** One reading of a charger, A per phase of the site. */
export interface TimedDraw {
  readonly atMs: number;
  readonly amps: PerPhase<number>;
}

export interface TimedPower {
  readonly atMs: number;
  readonly watts: number;
}

/** The import of the running quarter hour. */
export interface QuarterMemory {
  /** Monotonic ms. */
  readonly startMs: number;
  /** W times ms. */
  readonly importWms: number;
  readonly untilMs: number;
}

export interface GridMemory {
  /** The newest last. */
  readonly samples: readonly GridSample[];
  /** The moments of its last readings, the newest last: they tell how often a meter sends by itself. */
  readonly readAtMs: readonly number[];
  /** That interval, ms; `null`: not known yet. */
  readonly intervalMs: number | null;
  /** True if the meter has ever reported its currents. */
  readonly hasCurrents: boolean;
  /** About the 95th percentile of the current without chargers, A per phase; `null`: nothing measured. */
  readonly usualA: PerPhase<number | null>;
  /** The surplus without chargers, at moments when it was certain. */
  readonly surplus: readonly TimedPower[];
  /** Feed-in at its limit: since when (`null`: a moment ago), and when last. `null`: it is not. */
  readonly atLimit: { readonly sinceMs: number | null; readonly lastMs: number } | null;
  /** `null`: no peak is paid. */
  readonly quarter: QuarterMemory | null;
}

/** Why a charger was stopped: by fuses and limits, by surplus or plan, because it was asked for, to switch phases, or to wake the car. */
export type StopCause = "guard" | "automatic" | "asked" | "phases" | "wake";

/** The tries to wake a car that does not take what it is offered, since it last drew or was plugged in. */
export interface WakeMemory {
  readonly tries: number;
  /** Since when the charger is off for it; `null`: it is not. */
  readonly offSinceMs: number | null;
  /** The car has drawn since the charger was switched on or the car plugged in; `null`: not known. */
  readonly hasDrawn: boolean | null;
}

/** A try to use sun that a limit of the feed-in hides. */
export interface ProbeMemory {
  /** It was switched on for that, and has not yet been carried by the sun. */
  readonly isOn: boolean;
  readonly failedAtMs: number | null;
}

/** A change of the number of phases: the charger stops, is switched, and rests before it starts again. */
export interface PhaseChange {
  readonly to: 1 | 3;
  readonly stage: "stopping" | "switching" | "resting";
  /** When the stage began. */
  readonly sinceMs: number;
}

export interface PhaseMemory {
  /** What the charger reported last. */
  readonly now: 1 | 3 | null;
  /** The number that is better, and since when. */
  readonly preferred: { readonly to: 1 | 3; readonly sinceMs: number } | null;
  readonly change: PhaseChange | null;
  /** The changes of the last day. */
  readonly changesMs: readonly number[];
  /** Changes that failed since the car was plugged in. */
  readonly failures: number;
  /** True if the car drew on one phase although it had three. */
  readonly isSinglePhaseCar: boolean;
  /** True if the car has drawn since it was plugged in; `null`: not known, as after a start. */
  readonly hasCharged: boolean | null;
}

export interface ChargerMemory {
  readonly command: { readonly atMs: number; readonly isOn: boolean; readonly currentA: number } | null;
  /** A reading has shown the last command: what differs from it later was changed by somebody else. */
  readonly hasFollowed: boolean;
  /** What others set before the guard lowered it; `null`: nothing to give back. */
  readonly native: { readonly isOn: boolean; readonly currentA: number } | null;
  readonly startedAtMs: number | null;
  readonly stoppedAtMs: number | null;
  readonly stopCause: StopCause | null;
  /** The starts of the last day. */
  readonly startsMs: readonly number[];
  readonly surplusSinceMs: number | null;
  readonly deficitSinceMs: number | null;
  /** The least room, A, since the moment that there was some. */
  readonly room: { readonly sinceMs: number; readonly currentA: number } | null;
  readonly trimmedAtMs: number | null;
  readonly overdrawSinceMs: number | null;
  readonly ignoresSinceMs: number | null;
  readonly lockedUntilMs: number | null;
  /** Indexes of the phases on which the car was seen to draw; `null`: not seen yet. */
  readonly usedPhases: readonly (0 | 1 | 2)[] | null;
  /** When fewer phases than the used ones were first seen to draw. */
  readonly fewerPhasesSinceMs: number | null;
  readonly idleSinceMs: number | null;
  /** Since when the car takes less than it is offered; `null`: it does not. */
  readonly lessSinceMs: number | null;
  /** Its recent readings, the newest last: a meter that is read less often saw what it drew then. */
  readonly draws: readonly TimedDraw[];
  readonly phases: PhaseMemory;
  readonly wake: WakeMemory;
  readonly probe: ProbeMemory;
  /** What the charger reported to offer last, A, and since when. */
  readonly offer: { readonly currentA: number; readonly sinceMs: number } | null;
}

export interface BatteryMemory {
  readonly command: { readonly atMs: number; readonly mode: OperationMode } | null;
  /** The power that was commanded for a forced mode, W, positive into the battery, and since when. */
  readonly power: TimedPower | null;
  /** The power that a mode of others had before it was narrowed, W, positive into the battery; `null`: not known. */
  readonly ownW: number | null;
  /** True while it discharges to keep the import below a limit that is paid for. */
  readonly isShaving: boolean;
  /** The mode that others set before it was narrowed. */
  readonly native: OperationMode | null;
  /** When a charge from the grid was last stopped by a limit. */
  readonly stoppedAtMs: number | null;
  readonly isOnHold: boolean;
  /** Since when the battery could be released from its hold. */
  readonly freeSinceMs: number | null;
  /** True while the battery has priority over cars. */
  readonly isFirst: boolean;
  /** True while the battery may support cars. */
  readonly isSupporting: boolean;
}

export interface InverterMemory {
  readonly command: { readonly atMs: number; readonly limitPct: number } | null;
  /** Until then its rated power is being learned at a limit; `null`: it was not seen yet. */
  readonly learnsUntilMs: number | null;
  /** Since when the inverter produces more than its limit. */
  readonly overSinceMs: number | null;
  /** Its power at a moment, and whether it had fallen since the one before; `null`: not known. */
  readonly trend: { readonly atMs: number; readonly watts: number; readonly isFalling: boolean | null } | null;
  /** The last step down that was taken from its power: that power, and how many such steps before had no effect. */
  readonly trim: { readonly watts: number; readonly misses: number } | null;
}

export interface HeatPumpMemory {
  /** Since when it is blocked; `null`: it is not. */
  readonly blockedAtMs: number | null;
  readonly releasedAtMs: number | null;
  /** Until then it comes before chargers, because it was blocked for as long as may be. */
  readonly firstUntilMs: number | null;
  /** What it drew before it was blocked, W. */
  readonly expectedW: number;
  /** For how long it is blocked at least, ms. */
  readonly leastMs: number;
}

/** Each state of SG Ready is held for this time at least. */
export const LEAST_BLOCK_MS = 10 * MINUTE_MS;

/** Since when a limit is exceeded: at all, and by the steps of `FUSE_DEADLINES`, the highest first. */
export type OverSince = PerPhase<number | null>;

export interface CycleMemory {
  readonly grid: GridMemory;
  readonly chargers: ReadonlyMap<string, ChargerMemory>;
  readonly batteries: ReadonlyMap<string, BatteryMemory>;
  readonly inverters: ReadonlyMap<string, InverterMemory>;
  readonly heatPumps: ReadonlyMap<string, HeatPumpMemory>;
  /** By the key of the limit. */
  readonly overSince: ReadonlyMap<string, OverSince>;
  /** The alarms that are on. Each is reported once, when it begins. */
  readonly alarms: readonly EnergyAlarm[];
}

export const EMPTY_PHASE_MEMORY: PhaseMemory = {
  now: null,
  preferred: null,
  change: null,
  changesMs: [],
  failures: 0,
  isSinglePhaseCar: false,
  hasCharged: null,
};

export const EMPTY_WAKE_MEMORY: WakeMemory = { tries: 0, offSinceMs: null, hasDrawn: null };

export const EMPTY_CHARGER_MEMORY: ChargerMemory = {
  command: null,
  hasFollowed: false,
  native: null,
  startedAtMs: null,
  stoppedAtMs: null,
  stopCause: null,
  startsMs: [],
  surplusSinceMs: null,
  deficitSinceMs: null,
  room: null,
  trimmedAtMs: null,
  overdrawSinceMs: null,
  ignoresSinceMs: null,
  lockedUntilMs: null,
  usedPhases: null,
  fewerPhasesSinceMs: null,
  idleSinceMs: null,
  lessSinceMs: null,
  draws: [],
  phases: EMPTY_PHASE_MEMORY,
  wake: EMPTY_WAKE_MEMORY,
  probe: { isOn: false, failedAtMs: null },
  offer: null,
};

export const EMPTY_BATTERY_MEMORY: BatteryMemory = {
  command: null,
  power: null,
  ownW: null,
  isShaving: false,
  native: null,
  stoppedAtMs: null,
  isOnHold: false,
  freeSinceMs: null,
  isFirst: false,
  isSupporting: false,
};

export const EMPTY_INVERTER_MEMORY: InverterMemory = {
  command: null,
  learnsUntilMs: null,
  overSinceMs: null,
  trend: null,
  trim: null,
};

export const EMPTY_HEAT_PUMP_MEMORY: HeatPumpMemory = {
  blockedAtMs: null,
  releasedAtMs: null,
  firstUntilMs: null,
  expectedW: 0,
  leastMs: LEAST_BLOCK_MS,
};

/** Returns the memory without what was commanded to a device that is no longer commanded; its timers stay. */
export function withoutCommand(memory: CycleMemory, id: string): CycleMemory {
  const charger = memory.chargers.get(id);
  if (charger !== undefined) {
    const { command, native, hasFollowed, overdrawSinceMs, ignoresSinceMs } = EMPTY_CHARGER_MEMORY;
    const freed = { ...charger, command, native, hasFollowed, overdrawSinceMs, ignoresSinceMs };
    return { ...memory, chargers: new Map([...memory.chargers, [id, freed]]) };
  }
  const battery = memory.batteries.get(id);
  if (battery === undefined) return memory;
  const { command, power, ownW, isShaving, native } = EMPTY_BATTERY_MEMORY;
  const freed = { ...battery, command, power, ownW, isShaving, native };
  return { ...memory, batteries: new Map([...memory.batteries, [id, freed]]) };
}

/** What the first cycle after a start remembers. */
export const EMPTY_MEMORY: CycleMemory = {
  grid: {
    samples: [],
    readAtMs: [],
    intervalMs: null,
    hasCurrents: false,
    usualA: [null, null, null],
    surplus: [],
    atLimit: null,
    quarter: null,
  },
  chargers: new Map(),
  batteries: new Map(),
  inverters: new Map(),
  heatPumps: new Map(),
  overSince: new Map(),
  alarms: [],
};
