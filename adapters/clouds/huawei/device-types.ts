/** Kinds of devices in FusionSolar that are read, by `devTypeId`. */
import type { Device } from "./schemas.ts";

const INVERTERS: readonly number[] = [1, 38];
const HOME_BATTERY = 39;
/** Batteries for businesses, the LUNA2000-215 among them. */
const LARGE_BATTERY = 41;
const GRID_METER = 17;
const POWER_SENSOR = 47;

const READ: readonly number[] = [...INVERTERS, HOME_BATTERY, LARGE_BATTERY, GRID_METER, POWER_SENSOR];

export interface Parts {
  readonly inverters: readonly Device[];
  readonly batteries: readonly Device[];
  /** Null: there is none, or nobody can tell which of several is at the grid. */
  readonly meter: Device | null;
}

export function isRead({ devTypeId }: Device): boolean {
  return READ.includes(devTypeId);
}

export function partsOf(devices: readonly Device[]): Parts {
  const ofType = (...types: readonly number[]) => devices.filter(({ devTypeId }) => types.includes(devTypeId));
  const gridMeters = ofType(GRID_METER);
  const [meter = null, ...others] = gridMeters.length > 0 ? gridMeters : ofType(POWER_SENSOR);
  return {
    inverters: ofType(...INVERTERS),
    batteries: ofType(HOME_BATTERY, LARGE_BATTERY),
    meter: others.length === 0 ? meter : null,
  };
}

/** W of one unit of a meter's power: power sensors tell W, grid meters kW. */
export function meterScale({ devTypeId }: Device): number {
  return devTypeId === GRID_METER ? 1_000 : 1;
}

/** What makes a battery's power positive into it: home batteries tell it so, the large ones the other way round. */
export function batterySign({ devTypeId }: Device): 1 | -1 {
  return devTypeId === LARGE_BATTERY ? -1 : 1;
}
