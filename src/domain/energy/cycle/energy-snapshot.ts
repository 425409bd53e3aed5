/** What the control cycle decides from: one moment of the house. Powers in W, currents in A; null is not known. */
import type { OperationMode, PowerDeliveryState } from "../../../points/points.ts";
import type { BatteryUse, EnergyMode } from "../energy-mode.ts";
import type { PerPhase, Phase, SiteConnection } from "../site/site-connection.ts";
import type { SurplusRule } from "../surplus-rule.ts";

export interface MeterView {
  /** Positive on import. */
  readonly powerW: number | null;
  /** With the sign of the power, positive on import. */
  readonly currentA: PerPhase<number | null>;
  /** Monotonic ms of the measurement; `null` if there was none. */
  readonly measuredAtMs: number | null;
  /** Wired the wrong way round, as a check found: nothing that it says is used until that is put right. */
  readonly isReversed?: boolean;
}

/** Who asks for charging. A later one in this list never widens what an earlier one set. */
export type ChargeAsk =
  /** Nobody that the gateway knows: the car or the maker's app. Only limits apply. */
  | { readonly by: "device" }
  /** A client's action or "charge now": `isOn` with at most `maxA`. */
  | { readonly by: "person" | "schedule" | "smart-charging"; readonly isOn: boolean; readonly maxA: number | null }
  /** The energy manager in a mode; `plannedW` is what the plan wants now, 0 for "not now", `null` without a plan. */
  | {
      readonly by: "energy";
      readonly mode: EnergyMode;
      readonly plannedW: number | null;
      readonly plannedUntilMs: number | null;
      /** True if what it heats has its highest temperature, so that a plan wants no more of it, nor of the sun. */
      readonly isWarm?: boolean;
    };

/** A device that is switched and not limited: it takes this power, or none. */
export interface SwitchedLoad {
  /** W. */
  readonly powerW: number;
  readonly minimumOnMs: number;
  readonly minimumOffMs: number;
  readonly startsPerDay: number;
}

export interface ChargerView {
  readonly id: string;
  readonly name: string;
  readonly ask: ChargeAsk;
  /** The lower, the earlier it gets power. */
  readonly priority: number;
  /** The phases that it hangs on, in its own order. */
  readonly phases: readonly Phase[];
  readonly state: PowerDeliveryState;
  readonly powerW: number | null;
  /** By the phases of the site. */
  readonly currentA: PerPhase<number | null>;
  /** The current that it offers now; `null` if not known. */
  readonly offeredA: number | null;
  readonly isEnabled: boolean | null;
  /** What can be commanded; `null`: the current cannot, only on and off (or nothing at all). */
  readonly range: { readonly minA: number; readonly maxA: number; readonly stepA: number } | null;
  readonly canSwitch: boolean;
  /** On how many phases it lets the car charge now, the first of `phases` or all; absent or `null`: it does not say. */
  readonly phasesNow?: 1 | 3 | null;
  /** True if the energy manager may switch it between one and three phases. */
  readonly canSwitchPhases?: boolean;
  /** The only number of phases that its car may have; absent or `null`: as the power needs it. */
  readonly onlyPhases?: 1 | 3 | null;
  /** Present for a heat pump that is asked to take more power, and for a plug; absent for a charger. */
  readonly switched?: SwitchedLoad;
  /** A heater: its range goes below the least current of a charger. */
  readonly isHeater?: boolean;
  /** Setpoint by which a heat pump without states takes more power, °C; `null`: it cannot be raised now. */
  readonly raisedSetpointC?: number | null;
  /** The share of the grid that surplus charging may take, 0 to 1. */
  readonly gridShare: number;
  /** When it starts and stops on surplus, where that is set. */
  readonly surplusRule?: SurplusRule;
  /** True if its car says that it is full. */
  readonly isFull?: boolean;
  readonly measuredAtMs: number | null;
  /** Time from a command to its effect, as learned. */
  readonly latencyMs: number;
}

/** A heat pump or cooling that the grid operator may dim (§ 14a EnWG). */
export interface HeatPumpView {
  readonly id: string;
  readonly name: string;
  /** Measured; `null`: not known. */
  readonly powerW: number | null;
  /** What is taken to be drawn: measured, or the power of its connection while that is not known. */
  readonly drawnW: number;
  /** Power of its connection. */
  readonly ratedW: number;
  /** It takes more than by itself, as a load among the chargers. */
  readonly isRaised: boolean;
  /** It shows that it is blocked, by the gateway or by others. */
  readonly isBlocked: boolean;
  /** It can be blocked now. */
  readonly canBlock: boolean;
  readonly measuredAtMs: number | null;
}

export interface BatteryView {
  readonly id: string;
  readonly name: string;
  /** Positive into the battery. */
  readonly powerW: number | null;
  readonly soc: number | null;
  /** Kept by the battery, or for the owner where that is more, %; `null`: not known. */
  readonly reserve: number | null;
  readonly mode: OperationMode | null;
  /** Modes that can be commanded; empty: none. */
  readonly modes: readonly OperationMode[];
  readonly maxChargeW: number | null;
  readonly maxDischargeW: number | null;
  readonly measuredAtMs: number | null;
  /** The mode that the plan's shadow price asks for now; `null`: no plan. */
  readonly plannedMode: OperationMode | null;
  /** The power that can be commanded for a forced mode, W: charging up to `maxW`, discharging down to `minW`. Absent: none. */
  readonly power?: { readonly minW: number; readonly maxW: number };
  /** The power that the plan has for it in this quarter hour, W, positive into the battery; absent or `null`: not known. */
  readonly plannedW?: number | null;
  /** True while another feature or a person is in charge: only limits apply. */
  readonly isOthers: boolean;
  /** What they ask for; absent or `null`: not known. */
  readonly askedMode?: OperationMode | null;
  /**
   * True if the battery has its own inverter. Otherwise what it charges counts as surplus only as far as the inverters
   * have room on their AC side.
   */
  readonly isAcCoupled?: boolean;
}

export interface InverterView {
  readonly id: string;
  readonly name: string;
  /** Positive is production. */
  readonly powerW: number | null;
  /** % of the rated power; `null`: not known. */
  readonly limitPct: number | null;
  /** The limit that it has without the energy manager, %; absent or `null`: none. */
  readonly ownPct?: number | null;
  readonly ratedW: number | null;
  /** `false`: `ratedW` is only the highest power so far, and it may be rated for more. */
  readonly isRatedKnown?: boolean;
  readonly canLimit: boolean;
  /** The lowest limit that it takes, %; absent: 0. */
  readonly leastPct?: number;
  readonly measuredAtMs: number | null;
}

/** A limit in force now, whatever set it. */
export interface ActiveLimit {
  readonly id: string;
  readonly source: string;
  readonly direction: "import" | "export";
  /** `connection`: the whole house. `controllable`: the net import of chargers, heat pumps and batteries together (§ 14a EnWG). */
  readonly scope: "connection" | "controllable";
  readonly watts: number;
  readonly untilMs: number | null;
}

export interface EnergySnapshot {
  /** Monotonic ms of the decision. */
  readonly nowMs: number;
  readonly site: SiteConnection;
  readonly grid: MeterView;
  /** Readings of the circuits' own meters, by circuit id. */
  readonly circuits: ReadonlyMap<string, MeterView>;
  readonly chargers: readonly ChargerView[];
  readonly batteries: readonly BatteryView[];
  readonly inverters: readonly InverterView[];
  /** What heat pumps draw by themselves, W: it counts in limits of the controllable devices (§ 14a EnWG). Absent: 0. */
  readonly heatPumpsW?: number;
  /** What heat pumps draw by themselves, and what meters inside the house measure, W by asset id: it counts in circuits. */
  readonly loadsW?: ReadonlyMap<string, number>;
  /** Those that the grid operator may dim; absent: none. */
  readonly heatPumps?: readonly HeatPumpView[];
  readonly limits: readonly ActiveLimit[];
  /** Monotonic ms until which feeding in costs money and is to stop; `null` or absent: it is not. */
  readonly feedInStopsUntilMs?: number | null;
  readonly batteryUse: BatteryUse;
  /** Monotonic ms at which the running quarter hour of the wall clock began; absent: not known. */
  readonly quarterStartMs?: number;
  /** Time between two readings of the grid meter; 5 s if absent. */
  readonly meterIntervalMs?: number;
}
