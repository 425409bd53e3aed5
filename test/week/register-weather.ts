/** Moves what a register twin measures, within what its registers can hold. */
import type { SeededRandom } from "hemgate/testing";
import type { RegisterTwin } from "../twins/registers/register-twin.ts";
import type { TwinRegister } from "../twins/registers/twin-register.ts";
import { isTwinNumber, twinWords } from "../twins/registers/twin-register.ts";
import { isSetting } from "./register-facts.ts";

/** What follows from what the device does; the twin itself puts it there. */
const DRIVEN =
  /^(battery\.(power|chargePower|dischargePower|power\.abs|direction)|charger\.(current|voltage|power)\b.*)$/;
/** What was set up at the device for the case that nobody tells it anything, and what it was made for. */
const FIXED = /^charger\.safeCurrent$|max|rated|nominal/i;
const FREE_BATTERY = new Set<string | undefined>([undefined, "own-control"]);

/** Moves everything that is a measurement. `hour`: of the sun's day; at night nothing is produced. */
export function moveRegisters(twin: RegisterTwin, random: SeededRandom, hour: number): void {
  const does = twin.effect.battery?.does;
  const isDay = hour > 4 && hour < 20;
  for (const register of twin.registers) {
    const { id } = register;
    if (!isTwinNumber(register) || isSetting(register) || FIXED.test(id)) continue;
    if (id.startsWith("charger.") && DRIVEN.test(id)) continue;
    if (DRIVEN.test(id) && (!FREE_BATTERY.has(does) || /abs|direction|chargePower|dischargePower/i.test(id))) continue;
    const isSun = id.startsWith("pv.") || id.startsWith("inverter.power");
    const value = isSun && !isDay && !id.includes("energy") ? 0 : measured(twin, register, random);
    if (value !== null) twin.set(id, fitting(register, value));
  }
  if (FREE_BATTERY.has(does)) moveBattery(twin, random);
}

/** Where a battery is told as two magnitudes, or as one with a direction: only one way at a time. */
function moveBattery(twin: RegisterTwin, random: SeededRandom): void {
  const powerW = Math.round(random.between(-3_000, 3_000));
  const put = (id: string, value: number): void => {
    const register = twin.registers.find((each) => each.id === id);
    if (register !== undefined) twin.set(id, fitting(register, register.unit === "kW" ? value / 1_000 : value));
  };
  put("battery.chargePower", Math.max(0, powerW));
  put("battery.dischargePower", Math.max(0, -powerW));
  put("battery.power.abs", Math.abs(powerW));
  put("battery.direction", powerW > 0 ? 0 : 1);
}

/** Null: a state, a clock, or something else that does not move by itself. */
function measured(twin: RegisterTwin, register: TwinRegister, random: SeededRandom): number | null {
  const { id, unit } = register;
  switch (unit) {
    case "W":
      return random.between(-3_000, 3_000);
    case "kW":
      return random.between(-3, 3);
    case "V":
      return id.includes("battery") || id.includes("dc") ? random.between(45, 55) : random.between(225, 235);
    case "A":
      return random.between(-14, 14);
    case "Hz":
      return random.between(49.95, 50.05);
    case "%":
      return Math.round(random.between(11, 97));
    case "°C":
      return random.between(18, 24);
    case "Wh":
      return twin.number(id) + Math.round(random.between(1, 60));
    case "kWh":
      return twin.number(id) + random.between(0.01, 0.3);
    default:
      return null;
  }
}

/** The nearest value that the register can hold. */
function fitting(register: TwinRegister, value: number): number {
  const { type, scale = 1 } = register;
  if (type.startsWith("float")) return Math.fround(value);
  const bits = Math.min(48, 16 * twinWords(register));
  const isSigned = type.startsWith("int");
  const most = 2 ** (isSigned ? bits - 1 : bits) - 2;
  const raw = Math.round(value / scale);
  return Math.max(isSigned ? -most : 0, Math.min(most, isSigned ? raw : Math.abs(raw))) * scale;
}
