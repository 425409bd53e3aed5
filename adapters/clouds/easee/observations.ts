/**
 * What an Easee charger tells, by the numbers of its observations (pyeasee's const.py, evcc's charger/easee). The answer
 * for state that named them (`/chargers/{id}/state`) ended in September 2026; both have the same units.
 */
import { type Clock, MINUTE_MS, type PointName, type PowerDeliveryState, z } from "hemgate/sdk";
import type { CloudReading } from "../kit/connector.ts";
import { looseNumber } from "../kit/device/loose-number.ts";

export const OBSERVATION = {
  gridType: 21,
  isEnabled: 31,
  phaseMode: 38,
  maxChargerCurrent: 47,
  dynamicChargerCurrent: 48,
  software: 80,
  mode: 109,
  /** kW. */
  power: 120,
  /** kWh. */
  sessionEnergy: 121,
  /** kWh. */
  lifetimeEnergy: 124,
  currentL1: 183,
  currentL2: 184,
  currentL3: 185,
  voltageL1: 194,
  voltageL2: 195,
  voltageL3: 196,
  isOnline: 250,
} as const;
export type ObservationName = keyof typeof OBSERVATION;

export const MODE = {
  offline: 0,
  unplugged: 1,
  awaitingStart: 2,
  charging: 3,
  ready: 6,
  awaitingAuthorization: 7,
} as const;

/** Phases by `phaseMode`, in which 2 leaves the number to the charger. */
export const PHASE_MODES: Readonly<Record<number, 0 | 1 | 3>> = { 1: 1, 2: 0, 3: 3 };

const W_PER_KW = 1_000;
/** Telemetry that is older says nothing of now; it comes every few minutes while a vehicle charges. */
const STALE_MS = 20 * MINUTE_MS;
/** A conductor that is not connected picks up a few volts. */
const CONNECTED_V = 100;
/** Grids with a neutral conductor; in the others T2 is a phase. */
const WITH_NEUTRAL: readonly unknown[] = [1, 2, 3];

export const Observation = z.object({
  id: z.number().int(),
  value: z.unknown(),
  timestamp: z.string().nullable().catch(null),
});
export type Observation = z.infer<typeof Observation>;

export const Observations = z.object({ observations: z.array(z.unknown()) });

const NAMES: ReadonlyMap<number, ObservationName> = new Map(
  (Object.keys(OBSERVATION) as ObservationName[]).map((name) => [OBSERVATION[name], name]),
);

/** What an observation is of; null: of something that nobody here wants to know. */
export function nameOf({ id }: Pick<Observation, "id">): ObservationName | null {
  return NAMES.get(id) ?? null;
}

interface Observed {
  readonly value: unknown;
  /** Wall-clock ms; null: not reported. */
  readonly atMs: number | null;
}

/** A charger's observations by name: the value, and the wall-clock ms at which it was observed. */
export class ChargerState {
  readonly #values: Map<number, Observed>;

  constructor(observations: readonly Observation[]) {
    this.#values = new Map(observations.map((one) => [one.id, observed(one)]));
  }

  /**
   * Returns the state with one more observation, received now; the same state when it is no news. What comes without a time, or with one that has not
   * come yet, is of now; while the gateway's clock is not synchronized, the time sent holds.
   */
  with(observation: Observation, clock: Pick<Clock, "nowMs" | "quality">): ChargerState {
    const { value, atMs: saidAtMs } = observed(observation);
    const nowMs = clock.nowMs();
    const atMs = saidAtMs !== null && clock.quality() !== "synced" ? saidAtMs : Math.min(saidAtMs ?? nowMs, nowMs);
    const known = this.#values.get(observation.id);
    const isOlder = known?.atMs != null && secondOf(known.atMs) > secondOf(atMs);
    if (isOlder || (known?.atMs === atMs && known.value === value)) return this;
    return this.#and([[observation.id, { value, atMs }]]);
  }

  /** What was asked for, where the stream has sent nothing newer since. */
  after(streamed: ChargerState): ChargerState {
    const newer = [...streamed.#values].filter(([id, { atMs }]) => {
      const asked = this.#values.get(id);
      return asked?.atMs != null && atMs !== null && secondOf(atMs) > secondOf(asked.atMs);
    });
    return this.#and(newer);
  }

  #and(more: readonly (readonly [number, Observed])[]): ChargerState {
    if (more.length === 0) return this;
    const next = new ChargerState([]);
    for (const [id, latest] of [...this.#values, ...more]) next.#values.set(id, latest);
    return next;
  }

  number(name: ObservationName): number | null {
    return looseNumber(this.#values.get(OBSERVATION[name])?.value);
  }

  /** The wire has true, "true", "True" and "1". */
  flag(name: ObservationName): boolean | null {
    const text = String(this.#values.get(OBSERVATION[name])?.value ?? "").toLowerCase();
    if (text === "true" || text === "1") return true;
    return text === "false" || text === "0" ? false : null;
  }

  text(name: ObservationName): string | null {
    const value = this.#values.get(OBSERVATION[name])?.value ?? null;
    return value === null ? null : String(value);
  }

  atMs(name: ObservationName): number | null {
    return this.#values.get(OBSERVATION[name])?.atMs ?? null;
  }

  get isOnline(): boolean {
    return this.flag("isOnline") !== false && this.number("mode") !== MODE.offline;
  }

  get isPaused(): boolean {
    return this.number("dynamicChargerCurrent") === 0;
  }

  /** The number of phases that is set, 0: the charger decides; `null` if it is not reported. */
  get phases(): 0 | 1 | 3 | null {
    return PHASE_MODES[this.number("phaseMode") ?? 0] ?? null;
  }

  /** Whether the charger lets a vehicle charge; null when it does not tell. */
  get isEnabled(): boolean | null {
    const offered = this.number("dynamicChargerCurrent");
    const isOn = this.flag("isEnabled") ?? true;
    return offered === null ? null : isOn && offered > 0 && this.number("mode") !== MODE.awaitingAuthorization;
  }
}

/** The stream's times are whole seconds, in which more than one thing may happen. */
function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}

function observed({ value, timestamp }: Observation): Observed {
  const atMs = Date.parse(timestamp ?? "");
  return { value, atMs: Number.isFinite(atMs) ? atMs : null };
}

const SWITCH = ["dynamicChargerCurrent", "isEnabled"] as const;
/** What each point is made of, beside what says whether the charger is in reach. */
const SOURCES: Readonly<Partial<Record<PointName, readonly ObservationName[]>>> = {
  "charger.state": SWITCH,
  "charger.enabled": SWITCH,
  "charger.maxCurrent": ["dynamicChargerCurrent", "maxChargerCurrent"],
  "charger.phases": ["phaseMode"],
  "charger.power": ["power"],
  "charger.current.l1": ["currentL1"],
  "charger.current.l2": ["currentL2"],
  "charger.current.l3": ["currentL3"],
  "charger.voltage.l1": ["voltageL1", "gridType"],
  "charger.voltage.l2": ["voltageL2", "gridType"],
  "charger.voltage.l3": ["voltageL3", "gridType"],
  "charger.energySession": ["sessionEnergy"],
  "charger.energy": ["lifetimeEnergy"],
};
const REACH: readonly ObservationName[] = ["mode", "isOnline"];

/** Of all readings those that news changed. What has no time was reported when the newest of its news was observed. */
export function changedReadings(
  readings: readonly CloudReading[],
  state: ChargerState,
  news: ReadonlySet<ObservationName>,
): readonly CloudReading[] {
  return readings.flatMap((reading) => {
    const sources = [...REACH, ...(SOURCES[reading.point] ?? [])].filter((name) => news.has(name));
    if (sources.length === 0) return [];
    const times = sources.flatMap((name) => state.atMs(name) ?? []);
    return [times.length === 0 ? reading : { measuredAtMs: Math.max(...times), ...reading }];
  });
}

/** All points but the current's limit, which the device knows better while it is paused. */
export function stateReadings(state: ChargerState, nowMs: number): readonly CloudReading[] {
  const isNeutral = state.number("gridType") === null || WITH_NEUTRAL.includes(state.number("gridType"));
  return [
    { point: "charger.state", value: plugOf(state) },
    { point: "charger.enabled", value: state.isOnline ? state.isEnabled : null },
    { point: "charger.phases", value: state.isOnline ? state.phases : null },
    telemetry(state, "charger.power", "power", nowMs, W_PER_KW),
    telemetry(state, "charger.current.l1", "currentL1", nowMs),
    telemetry(state, "charger.current.l2", "currentL2", nowMs),
    telemetry(state, "charger.current.l3", "currentL3", nowMs),
    ...(["L1", "L2", "L3"] as const).map((phase): CloudReading => {
      const { value, ...rest } = telemetry(state, VOLTAGE_POINTS[phase], `voltage${phase}`, nowMs);
      return { ...rest, value: isNeutral && Number(value) >= CONNECTED_V ? value : null };
    }),
    counter(state, "charger.energySession", "sessionEnergy"),
    counter(state, "charger.energy", "lifetimeEnergy"),
  ];
}

const VOLTAGE_POINTS = { L1: "charger.voltage.l1", L2: "charger.voltage.l2", L3: "charger.voltage.l3" } as const;

/** Of the moment: null when the charger is out of reach, although the cloud goes on telling what it knew last. */
function telemetry(
  state: ChargerState,
  point: CloudReading["point"],
  name: ObservationName,
  nowMs: number,
  scale = 1,
): CloudReading {
  const [value, atMs] = [state.number(name), state.atMs(name)];
  const measured = atMs === null ? {} : { measuredAtMs: atMs };
  const isFlowing = value !== null && Math.abs(value) > 0;
  const isStale = isFlowing && atMs !== null && nowMs - atMs > STALE_MS;
  return { point, value: value === null || isStale || !state.isOnline ? null : value * scale, ...measured };
}

/** A total stays right however long ago it was reported. */
function counter(state: ChargerState, point: CloudReading["point"], name: ObservationName): CloudReading {
  const [kilowattHours, atMs] = [state.number(name), state.atMs(name)];
  const measured = atMs === null ? {} : { measuredAtMs: atMs };
  return { point, value: kilowattHours === null ? null : kilowattHours * W_PER_KW, ...measured };
}

function plugOf(state: ChargerState): PowerDeliveryState {
  const mode = state.number("mode");
  if (mode === null || !state.isOnline) return "UNKNOWN";
  if (mode === MODE.charging) return "PLUGGED_IN:CHARGING";
  if (mode === MODE.unplugged) return "UNPLUGGED";
  // Completed: the vehicle has had enough. Ready: the charger offers, and waits for the vehicle.
  if (mode === 4) return "PLUGGED_IN:NO_POWER";
  if (mode === MODE.ready) return state.isEnabled === true ? "PLUGGED_IN:NO_POWER" : "PLUGGED_IN:STOPPED";
  if (mode === 5 || (mode >= 157 && mode <= 161)) return "PLUGGED_IN:FAULT";
  return mode === 2 || mode === 7 || mode === 8 || (mode >= 103 && mode <= 108) ? "PLUGGED_IN:STOPPED" : "UNKNOWN";
}
