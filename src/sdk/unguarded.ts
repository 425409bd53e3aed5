import type { ControlPoint, PointValue } from "../points/points.ts";
import type { Control } from "./driver.ts";

/** States that leave the battery to itself; TIME_OF_USE is the device's own programme. */
const ITS_OWN = new Set<PointValue>(["SELF_RELIANCE", "TIME_OF_USE"]);

/**
 * Whether a state goes on by itself, to the house's harm, when the gateway is gone: a battery that is charged, emptied or
 * kept still by force. What else is written limits itself: a charger's or inverter's limit costs energy at most, and a
 * heat pump was told so by its owner.
 */
export function isForced(point: ControlPoint, value: PointValue): boolean {
  return point === "battery.mode" && !ITS_OWN.has(value);
}

/**
 * The controls without what would force a battery that nothing but the gateway ends: if that dies for good, the battery
 * stays forced. `acceptsNoFailsafe` is the owner's word that somebody will. Beside them the points of what is withheld.
 */
export function withholdWithoutFailsafe<Kind extends Control>(
  controls: readonly Kind[],
  acceptsNoFailsafe: boolean,
): { readonly controls: readonly Kind[]; readonly withheld: readonly ControlPoint[] } {
  const isUnguarded = ({ point, holdMs, values }: Control): boolean =>
    !acceptsNoFailsafe && holdMs === null && values?.some((value) => isForced(point, value)) === true;
  return {
    controls: controls.map((control) =>
      isUnguarded(control)
        ? { ...control, values: control.values?.filter((value) => !isForced(control.point, value)) ?? [] }
        : control,
    ),
    withheld: controls.filter(isUnguarded).map(({ point }) => point),
  };
}
