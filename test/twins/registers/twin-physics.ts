/** What a device measures once it does what it was told, where its registers show that. */
import type { Plug, TwinEffect, TwinRegisters } from "./twin-behaviour.ts";
import type { TwinRegister } from "./twin-register.ts";

/** What the battery gives to the house while nobody tells it anything, W. */
const OWN_CONTROL_W = -350;
/** What PV charges while discharging is forbidden, and the house takes while charging is, W. */
const ONE_WAY_W = 400;
const PHASES = ["l1", "l2", "l3"] as const;
const PHASE_V = 230;

interface Measuring extends TwinRegisters {
  readonly registers: readonly TwinRegister[];
}

/** Moves the measurements; answers what a charger's state is now. */
export function showEffect(twin: Measuring, effect: TwinEffect, isPluggedIn: boolean): { readonly charger?: Plug } {
  if (effect.battery !== undefined) showBattery(twin, batteryW(effect.battery));
  if (effect.charger === undefined) return {};
  const { isAllowed, limitA } = effect.charger;
  const ampere = isPluggedIn && isAllowed ? (limitA ?? 0) : 0;
  for (const phase of PHASES) {
    put(twin, `charger.current.${phase}`, ampere);
    put(twin, `charger.voltage.${phase}`, PHASE_V);
    put(twin, `charger.power.${phase}`, ampere * PHASE_V);
  }
  put(twin, "charger.power", 3 * ampere * PHASE_V);
  return { charger: !isPluggedIn ? "unplugged" : isAllowed ? "charging" : "stopped" };
}

/** W, positive into the battery. */
function batteryW({ does, askedW = 0 }: NonNullable<TwinEffect["battery"]>): number {
  switch (does) {
    case "charge":
      return askedW;
    case "discharge":
      return -askedW;
    case "idle":
      return 0;
    case "no-discharge":
      return ONE_WAY_W;
    case "no-charge":
      return -ONE_WAY_W;
    case "own-control":
      return OWN_CONTROL_W;
    default:
      return does satisfies never;
  }
}

function showBattery(twin: Measuring, powerW: number): void {
  const sign = twin.registers.find(({ id }) => id === "battery.power")?.positive === "discharge" ? -1 : 1;
  put(twin, "battery.power", sign * powerW);
  put(twin, "battery.chargePower", Math.max(0, powerW));
  put(twin, "battery.dischargePower", Math.max(0, -powerW));
  put(twin, "battery.power.abs", Math.abs(powerW));
  if (twin.has("battery.direction")) twin.set("battery.direction", powerW > 0 ? 0 : 1);
}

/** Where the device measures it at all. */
function put(twin: Measuring, id: string, value: number): void {
  const register = twin.registers.find((each) => each.id === id);
  if (register !== undefined) twin.set(id, inUnit(register, value));
}

function inUnit({ unit }: TwinRegister, value: number): number {
  return unit === "kW" || unit === "kWh" ? value / 1_000 : value;
}
