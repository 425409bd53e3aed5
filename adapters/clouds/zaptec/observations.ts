/** What a Zaptec charger tells (Zaptec's `/api/constants`, custom-components/zaptec, evcc's charger/zaptec). */
import { type PowerDeliveryState, z } from "hemgate/sdk";
import type { CloudReading } from "../kit/connector.ts";
import { looseNumber } from "../kit/device/loose-number.ts";
import { maybeText } from "../kit/device/maybe.ts";
import { lifetimeWh } from "./signed-meter.ts";

/** Numbers of the observations by Zaptec's names, for what the constants do not have under this name. */
export const KNOWN_IDS = {
  IsOnline: -2,
  VoltagePhase1: 501,
  VoltagePhase2: 502,
  VoltagePhase3: 503,
  CurrentPhase1: 507,
  CurrentPhase2: 508,
  CurrentPhase3: 509,
  ChargerMaxCurrent: 510,
  ChargerMinCurrent: 511,
  TotalChargePower: 513,
  TotalChargePowerSession: 553,
  SignedMeterValue: 554,
  ChargerOperationMode: 710,
  IsEnabled: 711,
  NetworkType: 715,
  FinalStopActive: 718,
  SmartComputerSoftwareApplicationVersion: 911,
} as const;
export type ObservationName = keyof typeof KNOWN_IDS;

export const Constants = z.object({ Observations: z.record(z.string(), z.unknown()).catch({}) });

export const StateEntry = z.object({ StateId: z.number().int(), ValueAsString: maybeText, Timestamp: maybeText });
export type StateEntry = z.infer<typeof StateEntry>;

export const MODE = { unplugged: 1, requesting: 2, charging: 3, finished: 5, requestingLimited: 6 } as const;

const WH_PER_KWH = 1_000;
/** Without a vehicle the relay is open, and the sensors tell noise of a few volts and half an ampere. */
const CONNECTED_V = 100;
/** IT nets have no neutral conductor to measure to. */
const WITHOUT_NEUTRAL: readonly unknown[] = [1, 2];
/** Less than this does not show the unit that power is reported in, W. */
const TELLING_W = 500;

/** A charger's state by Zaptec's names. */
export class ChargerState {
  readonly #entries: ReadonlyMap<number, StateEntry>;
  readonly #ids: Readonly<Record<string, unknown>>;

  /** `ids`: the numbers as the constants have them. */
  constructor(entries: readonly StateEntry[], ids: Readonly<Record<string, unknown>>) {
    this.#entries = new Map(entries.map((entry) => [entry.StateId, entry]));
    this.#ids = ids;
  }

  text(name: ObservationName): string | null {
    return this.#entry(name)?.ValueAsString ?? null;
  }

  number(name: ObservationName): number | null {
    return looseNumber(this.text(name));
  }

  flag(name: ObservationName): boolean | null {
    const text = this.text(name)?.toLowerCase() ?? "";
    if (text === "1" || text === "true") return true;
    return text === "0" || text === "false" ? false : null;
  }

  /** Wall-clock ms at which it was observed. The wire has UTC and does not say so. */
  atMs(name: ObservationName): number | null {
    const text = this.#entry(name)?.Timestamp ?? "";
    const atMs = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
    return Number.isFinite(atMs) ? atMs : null;
  }

  get isOnline(): boolean {
    return this.flag("IsOnline") !== false;
  }

  get isStopped(): boolean {
    return this.flag("FinalStopActive") === true;
  }

  get mode(): number | null {
    return this.number("ChargerOperationMode");
  }

  #entry(name: ObservationName): StateEntry | undefined {
    const id = this.#ids[name];
    return this.#entries.get(typeof id === "number" ? id : KNOWN_IDS[name]);
  }
}

export function stateReadings(state: ChargerState): readonly CloudReading[] {
  return [
    { point: "charger.state", value: plugOf(state) },
    { point: "charger.enabled", value: enabledOf(state) },
    { point: "charger.maxCurrent", value: state.isOnline ? state.number("ChargerMaxCurrent") : null },
    observed(state, "charger.power", "TotalChargePower", powerOf(state)),
    ...([1, 2, 3] as const).flatMap((phase): readonly CloudReading[] => {
      const volts = voltageOf(state, phase);
      const amperes = volts === null ? null : state.number(`CurrentPhase${phase}`);
      const hasNeutral = !WITHOUT_NEUTRAL.includes(state.number("NetworkType"));
      return [
        observed(state, `charger.voltage.l${phase}`, `VoltagePhase${phase}`, hasNeutral ? volts : null),
        observed(state, `charger.current.l${phase}`, `CurrentPhase${phase}`, amperes),
      ];
    }),
    observed(state, "charger.energySession", "TotalChargePowerSession", sessionWh(state)),
    observed(state, "charger.energy", "SignedMeterValue", lifetimeWh(state.text("SignedMeterValue"))),
  ];
}

function observed(
  state: ChargerState,
  point: CloudReading["point"],
  name: ObservationName,
  value: number | null,
): CloudReading {
  const measuredAtMs = state.atMs(name);
  return measuredAtMs === null ? { point, value } : { point, value, measuredAtMs };
}

function sessionWh(state: ChargerState): number | null {
  const kilowattHours = state.number("TotalChargePowerSession");
  return kilowattHours === null ? null : kilowattHours * WH_PER_KWH;
}

function voltageOf(state: ChargerState, phase: 1 | 2 | 3): number | null {
  const volts = state.number(`VoltagePhase${phase}`);
  return volts !== null && volts >= CONNECTED_V && state.isOnline ? volts : null;
}

/** W. Zaptec documents W; firmware that tells kW shows by its own volts and amperes. */
function powerOf(state: ChargerState): number | null {
  const watts = state.number("TotalChargePower");
  if (watts === null || !state.isOnline) return null;
  const measured = ([1, 2, 3] as const).reduce(
    (sum, phase) => sum + (voltageOf(state, phase) ?? 0) * (state.number(`CurrentPhase${phase}`) ?? 0),
    0,
  );
  const isKilowatts = measured > TELLING_W && Math.abs(watts * 1_000 - measured) < Math.abs(watts - measured);
  return isKilowatts ? watts * 1_000 : watts;
}

function plugOf(state: ChargerState): PowerDeliveryState {
  if (!state.isOnline) return "UNKNOWN";
  switch (state.mode) {
    case MODE.unplugged:
      return "UNPLUGGED";
    case MODE.requesting:
    case MODE.requestingLimited:
      return "PLUGGED_IN:STOPPED";
    case MODE.charging:
      return "PLUGGED_IN:CHARGING";
    case MODE.finished:
      // Finished by a stop, or by a vehicle that has had enough.
      return state.isStopped ? "PLUGGED_IN:STOPPED" : "PLUGGED_IN:NO_POWER";
    default:
      return "UNKNOWN";
  }
}

function enabledOf(state: ChargerState): boolean | null {
  if (!state.isOnline || state.mode === null) return null;
  return !state.isStopped && state.flag("IsEnabled") !== false;
}
