/** The power that § 14a EnWG (BNetzA BK6-22-300) leaves to controllable devices behind one energy manager. Pure. */

/** What each device may always draw, W. */
const BASE_W = 4_200;
/** A heat pump or cooling above this power, W, keeps a share of its power instead. */
const LARGE_HEAT_W = 11_000;
const LARGE_HEAT_SHARE = 0.4;
/** The factor for simultaneous use (GZF) by the number of devices, from 2 on; 0.45 from 9 on. */
const SIMULTANEITY = [0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5];
const LEAST_SIMULTANEITY = 0.45;

export type ControllableKind = "charger" | "heat-pump" | "cooling" | "battery";

/** A controllable device with the power of its connection. */
export interface Controllable {
  readonly kind: ControllableKind;
  readonly watts: number;
}

/** The devices as the rule counts them: all heat pumps are one, all cooling is one, and only more than 4.2 kW counts. */
export function countedDevices(devices: readonly Controllable[]): readonly Controllable[] {
  const sum = (kind: ControllableKind): Controllable => ({
    kind,
    watts: devices.filter((device) => device.kind === kind).reduce((total, { watts }) => total + watts, 0),
  });
  const single = devices.filter(({ kind }) => kind === "charger" || kind === "battery");
  return [...single, sum("heat-pump"), sum("cooling")].filter(({ watts }) => watts > BASE_W);
}

/** Returns the factor for simultaneous use of a number of devices. */
function simultaneity(count: number): number {
  return count <= 1 ? 1 : (SIMULTANEITY[count - 2] ?? LEAST_SIMULTANEITY);
}

/** P_min through an energy manager, W: what the counted devices together may always draw. 0 without such devices. */
export function minimumPowerW(devices: readonly Controllable[]): number {
  const counted = countedDevices(devices);
  if (counted.length === 0) return 0;
  const large = counted.filter(
    ({ kind, watts }) => (kind === "heat-pump" || kind === "cooling") && watts > LARGE_HEAT_W,
  );
  const first = Math.max(BASE_W, ...large.map(({ watts }) => LARGE_HEAT_SHARE * watts));
  return Math.round(first + (counted.length - 1) * simultaneity(counted.length) * BASE_W);
}
