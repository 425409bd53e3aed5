/** Contents for a twin: every register that carries a number, at random, at zero and at the ends of what it can hold. */

import { SeededRandom } from "hemgate/testing";
import type { RegisterTwin } from "../../../twins/registers/register-twin.ts";
import { isTwinNumber, sentinelWords, type TwinRegister, twinWords } from "../../../twins/registers/twin-register.ts";

/** What decides how others are read; at random it would only be noise. */
const FIXED: Readonly<Record<string, number>> = {
  // Kostal: 0 is the word order of its table.
  "device.byteOrder": 0,
  // KEBA: 1.2.1 and later count in 0.1 Wh.
  "device.firmware": 10_300,
  // Huawei: a LUNA2000, and no second storage.
  "battery.model": 2,
  "battery.2.model": 0,
  // Deye: low voltage, a lithium battery, and a generator at its port.
  "device.model": 5,
  "battery.operationMode": 1,
  "generator.portMode": 0,
  // CHARX and KEBA: they have a meter.
  "plate.meter.1": 5,
  "plate.meter.2": 5,
  "device.product": 312_111,
};
/** Beyond this a float no longer tells all whole numbers apart. */
const MOST_BITS = 48;

export type Fill = "zero" | "least" | "most" | number;

/** Fills a twin; a number is a seed. */
export function fillTwin(twin: RegisterTwin, fill: Fill): void {
  const random = new SeededRandom(typeof fill === "number" ? fill : 1);
  for (const register of twin.registers) {
    if (!isTwinNumber(register)) continue;
    const fixed = FIXED[register.id];
    if (fixed !== undefined) twin.set(register.id, fixed);
    else if (register.id === "battery.power.abs") twin.set(register.id, random.below(10_000));
    else if (register.id === "battery.direction") twin.set(register.id, random.below(2));
    else fillRegister(twin, register, fill, random);
  }
}

function fillRegister(twin: RegisterTwin, register: TwinRegister, fill: Fill, random: SeededRandom): void {
  const { id, type, unit } = register;
  if (type.startsWith("float")) {
    const value = fill === "zero" ? 0 : fill === "least" ? -1e6 : fill === "most" ? 1e6 : random.between(-1e5, 1e5);
    twin.set(id, unit === "%" ? Math.abs(value) % 100 : Math.fround(value));
    return;
  }
  if (type === "bool") twin.set(id, typeof fill === "number" ? random.below(2) : Number(fill === "most"));
  else if (unit === "%" && typeof fill === "number") twin.set(id, Math.floor(random.between(0, 100)));
  else twin.setRaw(id, rawFor(register, fill, random));
}

function rawFor(register: TwinRegister, fill: Fill, random: SeededRandom): bigint {
  const bits = 16 * twinWords(register);
  const isSigned = register.type.startsWith("int");
  if (fill === "zero") return 0n;
  const kept = Math.min(bits, MOST_BITS);
  const most = (1n << BigInt(isSigned ? kept - 1 : kept)) - 1n;
  if (fill === "most") return most;
  if (fill === "least") return isSigned ? -most - 1n : 0n;
  const magnitude = BigInt(Math.floor(random.between(0, Number(most))));
  const raw = isSigned && random.below(2) === 1 ? -magnitude : magnitude;
  const isNothing = sentinelWords(register) !== null && BigInt.asUintN(bits, raw) === BigInt(register.nan ?? -1);
  return isNothing ? 1n : raw;
}
