/**
 * What an Easee charger tells, by the numbers of its observations (pyeasee's const.py, evcc's charger/easee). The answer
 * for state that named them (`/chargers/{id}/state`) ended in September 2026; both have the same units.
 */
import { type PowerDeliveryState, z } from "hemgate/sdk";
import type { CloudReading } from "../kit/connector.ts";
import { looseNumber } from "../kit/loose-number.ts";

export const OBSERVATION = {
  gridType: 21,
  isEnabled: 31,
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

const W_PER_KW = 1_000;
/** Telemetry that is older says nothing of now; it comes every few minutes while a vehicle charges. */
const STALE_MS = 20 * 60_000;
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

/** A charger's observations by name: the value, and the wall-clock ms at which it was observed. */
export class ChargerState {
  readonly #values = new Map<number, { readonly value: unknown; readonly atMs: number | null }>();

  constructor(observations: readonly Observation[]) {
    for (const { id, value, timestamp } of observations) {
      const atMs = Date.parse(timestamp ?? "");
      this.#values.set(id, { value, atMs: Number.isFinite(atMs) ? atMs : null });
    }
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

  /** Whether the charger lets a vehicle charge; null when it does not tell. */
  get isEnabled(): boolean | null {
    const offered = this.number("dynamicChargerCurrent");
    const isOn = this.flag("isEnabled") ?? true;
    return offered === null ? null : isOn && offered > 0 && this.number("mode") !== MODE.awaitingAuthorization;
  }
}

/** All points but the current's limit, which the device knows better while it is paused. */
export function stateReadings(state: ChargerState, nowMs: number): readonly CloudReading[] {
  const isNeutral = state.number("gridType") === null || WITH_NEUTRAL.includes(state.number("gridType"));
  return [
    { point: "charger.state", value: plugOf(state) },
    { point: "charger.enabled", value: state.isOnline ? state.isEnabled : null },
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

/** A total stays right however long ago it was told. */
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
