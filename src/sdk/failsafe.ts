/** Controls without a failsafe: commands that stay in force if the gateway fails. */
import { z } from "zod";
import type { ControlPoint, PointValue } from "../points/points.ts";
import type { Control } from "./driver.ts";

/** Returns the schema of an adapter's option `confirmNoFailsafe`; `whose` has no timer that ends a command. */
export function confirmedNoFailsafe(whose: "device" | "vendor") {
  return z
    .boolean()
    .default(false)
    .meta({
      description: `True allows forced charging, discharging and idling of a battery although the ${whose} has no timer that ends it: if the gateway fails for good, somebody has to end it.`,
    });
}

/** Modes in which the battery decides itself; TIME_OF_USE is the device's own programme. */
const NOT_FORCED = new Set<PointValue>(["SELF_RELIANCE", "TIME_OF_USE"]);

/**
 * Returns true if a value would do harm when it stays in force without the gateway: a battery that is forced to charge,
 * discharge or idle. All other commands limit themselves: the limit of a charger or an inverter only costs energy, and the
 * owner of a heat pump chose its setpoint.
 */
export function isForced(point: ControlPoint, value: PointValue): boolean {
  return point === "battery.mode" && !NOT_FORCED.has(value);
}

/**
 * Returns the controls without the values that force a battery and that only the gateway could end, and the points of the
 * controls that lost values (`withheld`). `acceptsNoFailsafe` is true if the owner accepts such commands.
 */
export function withholdWithoutFailsafe<Kind extends Control>(
  controls: readonly Kind[],
  acceptsNoFailsafe: boolean,
): { readonly controls: readonly Kind[]; readonly withheld: readonly ControlPoint[] } {
  const isWithoutFailsafe = ({ point, holdMs, values }: Control): boolean =>
    !acceptsNoFailsafe && holdMs === null && values?.some((value) => isForced(point, value)) === true;
  return {
    controls: controls.map((control) =>
      isWithoutFailsafe(control)
        ? { ...control, values: control.values?.filter((value) => !isForced(control.point, value)) ?? [] }
        : control,
    ),
    withheld: controls.filter(isWithoutFailsafe).map(({ point }) => point),
  };
}
