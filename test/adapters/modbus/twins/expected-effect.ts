/** What a control's value has to do to a device, told in the words of a twin. */
import type { ControlPoint, PointValue } from "hemgate/sdk";
import type { RegisterTwin } from "../../../twins/registers/register-twin.ts";
import type { TwinEffect } from "../../../twins/registers/twin-behaviour.ts";

type Battery = NonNullable<TwinEffect["battery"]>["does"];

/** Where a device can do less than a mode asks for, its profile says so; then it must at least not do the opposite. */
const MODES: Readonly<Record<string, { readonly exactly: Battery; readonly atLeast: readonly Battery[] }>> = {
  SELF_RELIANCE: { exactly: "own-control", atLeast: [] },
  IMPORT_FOCUS: { exactly: "charge", atLeast: ["no-discharge"] },
  EXPORT_FOCUS: { exactly: "discharge", atLeast: ["no-charge"] },
  IDLE: { exactly: "idle", atLeast: ["no-discharge"] },
};
const HVAC: Readonly<Record<string, NonNullable<TwinEffect["hvac"]>>> = {
  AUTO: "own-programme",
  OFF: "blocked",
  HEAT: "more",
  COOL: "cool",
};
/** ABL takes a duty cycle in steps that are worth this much, A. */
const STEP_A = 0.06;

/** What is wrong with what the twin does after a write; null when nothing is. */
export function effectProblem(
  twin: Pick<RegisterTwin, "effect" | "has" | "number">,
  point: ControlPoint,
  value: PointValue,
  isApproximate: boolean,
): string | null {
  const { battery, charger, inverterPercent, hvac, heaterW } = twin.effect;
  const told = JSON.stringify(twin.effect);
  switch (point) {
    case "battery.mode": {
      const wanted = MODES[String(value)];
      if (battery === undefined || wanted === undefined) return `the twin knows no ${value}: ${told}`;
      const isForced = wanted.exactly === "charge" || wanted.exactly === "discharge";
      if (battery.does === wanted.exactly && isForced && (battery.askedW ?? 0) <= 0)
        return `asks for no power: ${told}`;
      if (battery.does === wanted.exactly) return null;
      return isApproximate && wanted.atLeast.includes(battery.does) ? null : `the twin does ${told}`;
    }
    case "battery.powerSetpoint": {
      const does = Number(value) > 0 ? "charge" : "discharge";
      const differenceW = Math.abs((battery?.askedW ?? 0) - Math.abs(Number(value)));
      return battery?.does === does && (isApproximate || differenceW < 1) ? null : `the twin does ${told}`;
    }
    case "charger.enabled":
      return charger?.isAllowed === value ? null : `the twin does ${told}`;
    case "charger.maxCurrent":
      return Math.abs((charger?.limitA ?? Number.NaN) - Number(value)) <= STEP_A ? null : `the twin does ${told}`;
    case "charger.phases":
      return charger?.phases === value ? null : `the twin does ${told}`;
    case "inverter.powerLimit":
      return Math.abs((inverterPercent ?? Number.NaN) - Number(value)) < 0.01 ? null : `the twin does ${told}`;
    case "hvac.maxPower":
      return heaterW === value ? null : `the twin does ${told}`;
    case "hvac.mode":
      return hvac === HVAC[String(value)] ? null : `the twin does ${told}`;
    case "hvac.holdType":
      // PERMANENT sends nothing: the mode that follows is what holds it.
      return value === "PERMANENT" || hvac === "own-programme" ? null : `the twin does ${told}`;
    case "hvac.heatSetpoint":
    case "hvac.coolSetpoint": {
      const fact = point.replace("hvac.", "hvac.control.");
      return twin.has(fact) && Math.abs(twin.number(fact) - Number(value)) < 0.051
        ? null
        : `${fact} holds another value`;
    }
    default:
      return `the twin does not know ${point}`;
  }
}

/** The least that a vehicle is offered, A: what a station may fall back to. */
const LEAST_A = 6;

/** Whether a device is where nobody commands it: as it was, or with a station, no more than the least. */
export function isAtDefault({ battery, charger, inverterPercent }: TwinEffect, before: TwinEffect): boolean {
  const isBatteryFree = battery === undefined || battery.does === "own-control";
  const isSame = JSON.stringify(charger) === JSON.stringify(before.charger);
  const isChargerSafe = charger === undefined || isSame || !charger.isAllowed || (charger.limitA ?? 0) <= LEAST_A;
  return isBatteryFree && isChargerSafe && inverterPercent === before.inverterPercent;
}
