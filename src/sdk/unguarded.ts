import type { Control } from "./driver.ts";
import type { ControlPoint } from "./points.ts";

/** States that leave the battery to itself. */
const ITS_OWN = new Set(["SELF_RELIANCE", "TIME_OF_USE"]);

/**
 * The controls without what would force a battery that nothing but the gateway ends: if that dies for good, the battery
 * stays forced. `mayOutlive` is the owner's word that somebody will. Beside them the points of what is withheld.
 */
export function withoutUnguarded<Kind extends Control>(
  controls: readonly Kind[],
  mayOutlive: boolean,
): { readonly controls: readonly Kind[]; readonly withheld: readonly ControlPoint[] } {
  const isUnguarded = ({ point, holdMs, values }: Control): boolean =>
    !mayOutlive &&
    point === "battery.mode" &&
    holdMs === null &&
    values?.some((value) => !ITS_OWN.has(String(value))) === true;
  return {
    controls: controls.map((control) =>
      isUnguarded(control)
        ? { ...control, values: control.values?.filter((value) => ITS_OWN.has(String(value))) ?? [] }
        : control,
    ),
    withheld: controls.filter(isUnguarded).map(({ point }) => point),
  };
}
