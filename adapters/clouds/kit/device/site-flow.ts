import type { BatteryStatus } from "hemgate/sdk";

/** The power of a home at one moment, as a vendor's portal shows it. `null`: not reported, or its direction is unknown. */
export interface SiteFlow {
  /** W; positive is production. */
  readonly pvW: number | null;
  /** W; positive is import. */
  readonly gridW: number | null;
  /** W. */
  readonly loadW: number | null;
  /** W; positive into the battery. */
  readonly batteryW: number | null;
  /** `null` if there is no battery. */
  readonly batteryStatus: BatteryStatus | null;
  /** State of charge, %. */
  readonly soc: number | null;
}

/** The status of a battery by its power in W, positive into the battery; `null` if the power is `null`. */
export function batteryStatusOf(batteryW: number | null): BatteryStatus | null {
  if (batteryW === null) return null;
  if (batteryW === 0) return "IDLE";
  return batteryW > 0 ? "CHARGING" : "DISCHARGING";
}
