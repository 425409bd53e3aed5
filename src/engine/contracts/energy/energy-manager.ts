import type { ActiveLimit } from "../../../domain/energy/cycle/energy-snapshot.ts";
import type {
  BatteryUseSettings,
  BatteryUseUpdate,
  EnergyPolicy,
  EnergyPolicyUpdate,
} from "../../../domain/energy/energy-policy.ts";
import type { EnergyDeviceState, EnergyState } from "../../../domain/energy/energy-state.ts";
import type { PerPhase, SiteConnection } from "../../../domain/energy/site/site-connection.ts";
import type { SurplusRule } from "../../../domain/energy/surplus-rule.ts";
import type { OperationMode } from "../../../points/points.ts";

/** The energy manager: holds limits, and shares the house's power among its devices by their modes. */
export interface EnergyManager {
  /** Returns the flows, the devices and the alarms as they are now; texts in English if the language has none. */
  state(language?: string): EnergyState;
  /** Returns one device. Throws `not-found`. */
  device(id: string, language?: string): EnergyDeviceState;
  /**
   * Sets the mode and the other settings of a charger or vehicle; what is left out stays. The energy manager becomes its
   * automation owner. Throws `not-found`, `forbidden`, `bad-request` for settings that cannot be, `service-unavailable`.
   */
  setPolicy(id: string, update: EnergyPolicyUpdate): Promise<EnergyDeviceState>;
  /** Returns true if an HVAC unit can have a mode: a heat pump that is SG Ready or has a setpoint, or a heater whose power can be set. */
  canHeat(hvacId: string): boolean;
  /** Ends the control by modes; limits still apply. Throws `not-found`, `service-unavailable`. */
  clearPolicy(id: string): Promise<void>;
  batteryUse(): BatteryUseSettings;
  setBatteryUse(update: BatteryUseUpdate): Promise<BatteryUseSettings>;
  /** Returns the settings of a charger or vehicle; `null` if it has no mode. */
  policy(id: string): EnergyPolicy | null;
  /** Returns when a charger starts and stops on surplus, in whichever mode. */
  surplusRule(chargerId: string): SurplusRule;
  /** Throws `service-unavailable` if the disk refuses. */
  setSurplusRule(chargerId: string, rule: SurplusRule): Promise<void>;
  /** A at the grid by phase, positive on import; `null` is not known. */
  phaseCurrents(): PerPhase<number | null>;
  figures(): EnergyFigures;
}

/** Counts since the start of the engine. */
export interface EnergyFigures {
  /** Control cycles that decided. */
  readonly cycles: number;
  readonly failures: number;
  /** Times that charging was switched on or off. */
  readonly switchings: number;
  /** How long all cycles took together, ms. */
  readonly totalMs: number;
  /** How long the last cycle took, ms; `null` before the first. */
  readonly lastMs: number | null;
}

/** What the plan wants of a charger or vehicle now. */
export interface PlannedCharge {
  /** W; 0 for "not now". */
  readonly powerW: number;
  /** Monotonic ms of the next change; `null` if none is known. */
  readonly untilMs: number | null;
}

/** What the energy manager decides from beside the devices. All of it is read from memory. */
export interface EnergySources {
  connection(): SiteConnection;
  /** The limits in force. */
  limits(): readonly ActiveLimit[];
  /** `null` without a plan. */
  plannedCharge(assetId: string): PlannedCharge | null;
  /** The mode that the value of a stored kWh asks for now; `null` without a plan. */
  plannedMode(batteryId: string): OperationMode | null;
  /** The power that the plan has for a battery in this quarter hour, W, positive into it; `null` without a plan. */
  plannedPower(batteryId: string): number | null;
  /** Monotonic ms by which the plan has a battery full that was not for ten days; `null`: it need not be, or is not planned so. */
  fullChargeByMs(batteryId: string): number | null;
  /** Monotonic ms until which feeding in costs money and inverters are limited for it; `null` while they are not. */
  feedInStopsUntilMs(): number | null;
  /** True while an open finding says that the device's meter is wired the wrong way round. */
  isReversed(deviceId: string): boolean;
}
