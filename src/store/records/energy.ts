/** Records of the energy manager. */

import type { EnergyMode } from "../../domain/energy/energy-mode.ts";
import type { BatteryUseSettings, EnergyTarget } from "../../domain/energy/energy-policy.ts";
import type { FlexEventRecord as FlexEvent } from "../../domain/energy/flex/flex-event.ts";
import type { HeatStore } from "../../domain/energy/heat-store.ts";
import type { LimitState } from "../../domain/energy/limits/limit-machine.ts";
import type { Limitation } from "../../domain/energy/limits/limitation.ts";
import type { SiteSettings } from "../../domain/energy/site/site-settings.ts";
import type { SurplusRule } from "../../domain/energy/surplus-rule.ts";

/** What somebody set on a device since its vehicle was plugged in; it goes before the mode. */
export interface AskedRecord {
  /** `device`: somebody changed the value at the device or in its maker's app. */
  readonly by: "person" | "device";
  /** `null`: nobody said whether to charge. */
  readonly isOn: boolean | null;
  /** Highest current, A; `null`: nobody set one. */
  readonly maxA: number | null;
  /** The action that asked for it last; `null` for a change at the device. */
  readonly actionId: string | null;
}

/** The settings of a charger, vehicle or heat pump that the energy manager controls. */
export interface EnergyDeviceRecord {
  readonly assetId: string;
  readonly kind: "charger" | "vehicle" | "hvac";
  readonly userId: string;
  readonly mode: EnergyMode;
  readonly priority: number;
  readonly gridShare: number;
  readonly target: EnergyTarget | null;
  /** Power of a device that is only switched, kW; `null` or absent: not set. */
  readonly powerKw?: number | null;
  /** The only number of phases that a charger charges its car on; `null` or absent: as the power needs it. */
  readonly phases?: 1 | 3 | null;
  /** What a heat pump or heater warms; `null` or absent: the defaults. */
  readonly heat?: HeatStore | null;
  /** Wall-clock ms. */
  readonly modeChangedAtMs: number;
  readonly asked: AskedRecord | null;
}

/** The settings of the energy manager for the whole site; there is one, with the key `site`. */
export interface EnergySiteRecord {
  readonly batteryUse: BatteryUseSettings;
}

/** The settings of the grid connection that were set over the API. The key is `site`. */
export interface SiteRecord {
  readonly settings: SiteSettings;
  /** Wall-clock ms of the last change; `null` if there was none. */
  readonly changedAtMs: number | null;
  /** Notes about the connection that the owner dismissed. */
  readonly dismissed: readonly string[];
  /** The panels' peak power as the forecast had it last, kW: a share of the feed-in is still of these without a forecast. */
  readonly forecastKw?: number | null;
}

/** One direction of a source of limits. */
export interface LimitDirectionRecord {
  readonly direction: "import" | "export";
  readonly scope: "connection" | "controllable";
  readonly state: LimitState;
  readonly failsafeW: number;
  readonly failsafeMs: number;
  readonly limit: {
    readonly watts: number;
    /** Wall-clock ms; `null` without an end. */
    readonly untilMs: number | null;
  } | null;
}

/** A source of limits, such as a client of the API. The key is its id. */
export interface LimitSourceRecord {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** `null`: it needs no heartbeat. */
  readonly heartbeatLostMs: number | null;
  readonly directions: readonly LimitDirectionRecord[];
  /** Of relay contacts: the names of those that were closed. */
  readonly closedContacts?: readonly string[];
}

/** A limitation, kept for two years. The key is its id. */
export type LimitationRecord = Limitation;

/** When a charger starts and stops on surplus. The key is the charger's id. */
export interface SurplusRuleRecord extends SurplusRule {
  readonly assetId: string;
}

/** When a battery was last full, or its first reading. The key is the battery's id. */
export interface FullChargeRecord {
  readonly assetId: string;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** An event of the grid. The key is its id. */
export type FlexEventRecord = FlexEvent;
