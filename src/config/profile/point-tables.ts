/** The points as tables: their names, and which states those take that are no numbers. */
import { POINT_UNITS, type PointName, type PointTypes, type PointValue } from "../../points/points.ts";

export const POINT_NAMES: readonly PointName[] = Object.keys(POINT_UNITS).filter(isPoint);

/** Whether a key is a point; others, like `raw.state`, are of use only inside a profile. */
export function isPoint(key: string): key is PointName {
  return Object.hasOwn(POINT_UNITS, key);
}

type StatePoint = {
  [Name in PointName]: PointTypes[Name] extends number ? never : Name;
}[PointName];

const PLUG = {
  UNKNOWN: true,
  UNPLUGGED: true,
  "PLUGGED_IN:INITIALIZING": true,
  "PLUGGED_IN:CHARGING": true,
  "PLUGGED_IN:STOPPED": true,
  "PLUGGED_IN:NO_POWER": true,
  "PLUGGED_IN:FAULT": true,
  "PLUGGED_IN:DISCHARGING": true,
} as const;
const SWITCH = { true: true, false: true } as const;

/** Complete by construction: a state that a type gets, or loses, has to be added, or taken, here. */
const STATES: { readonly [Name in StatePoint]: Readonly<Record<`${PointTypes[Name]}`, true>> } = {
  "battery.status": { CHARGING: true, DISCHARGING: true, IDLE: true, FAULT: true, UNKNOWN: true },
  "battery.mode": {
    IMPORT_FOCUS: true,
    EXPORT_FOCUS: true,
    TIME_OF_USE: true,
    SELF_RELIANCE: true,
    IDLE: true,
    UNKNOWN: true,
  },
  "charger.state": PLUG,
  "charger.enabled": SWITCH,
  "hvac.mode": { OFF: true, AUTO: true, COOL: true, HEAT: true, UNKNOWN: true },
  "hvac.holdType": { PERMANENT: true, SCHEDULED: true },
  "hvac.isActive": SWITCH,
  "contact.1": SWITCH,
  "contact.2": SWITCH,
  "contact.3": SWITCH,
  "contact.4": SWITCH,
  "vehicle.state": { ...PLUG, "PLUGGED_IN:COMPLETE": true },
  "vehicle.enabled": SWITCH,
};

/** The values of a point that is a state or a switch; null for a point that is a number. */
export function statesOf(point: PointName): readonly PointValue[] | null {
  const states = Object.entries(STATES).find(([name]) => name === point)?.[1];
  if (states === undefined) return null;
  const values = Object.keys(states) as readonly (PointValue & string)[];
  return states === SWITCH ? [true, false] : values;
}

/** What is wrong with a value of a point, in words; null when nothing is. */
export function valueProblem(point: PointName, value: PointValue | string): string | null {
  const states = statesOf(point);
  if (states === null) return typeof value === "number" ? null : `${point} is a number`;
  return states.some((each) => each === value) ? null : `${point} is one of ${states.join(", ")}`;
}
