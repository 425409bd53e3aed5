import type { BatteryStatus, RegisterPoint, RegisterType, RegisterValues } from "hemgate/sdk";
import { isRefusal } from "../bus/modbus-exception.ts";
import { decoder } from "../driver/decode.ts";
import type { ModbusUnit } from "../driver/register-point.ts";
import type { PollList } from "./poll-list.ts";
import { numberAt, type Quantity, sumOfKnown } from "./quantity.ts";
import { readRegisters } from "./read-registers.ts";

/**
 * The blocks of SolarEdge's batteries. They stand outside of the SunSpec chain and answer only where a battery is
 * configured. Numbers there have the least significant word first. Addresses: evcc, openWB and solaredge-modbus-multi
 * agree on power and state of charge; status and rated energy are solaredge-modbus-multi's alone, and are only read.
 */
const BLOCKS = [57_600, 57_856] as const;
const RATED_ENERGY = 66;
const POWER = 116;
const SOC = 132;
const STATUS = 134;
/** Beside NaN, a battery that does not tell reads the lowest float (trace in evcc#4989: 3.4e38 W). */
const LOWEST_FLOAT = -3.4028234663852886e38;
/** Up to the end of STATUS. */
const BLOCK_WORDS = 136;

const STATUS_OF_VALUE: Readonly<Record<number, BatteryStatus>> = {
  0: "IDLE",
  1: "IDLE",
  3: "CHARGING",
  4: "DISCHARGING",
  5: "FAULT",
  6: "IDLE",
  7: "IDLE",
  10: "IDLE",
};

/** Where this inverter has batteries: the bases of the blocks that answer and hold a rated energy. */
export async function findSolarEdgeBatteries(unit: ModbusUnit, signal: AbortSignal): Promise<readonly number[]> {
  const found: number[] = [];
  for (const base of BLOCKS) {
    const image = await readBlock(unit, base, signal);
    if (image === null) return found;
    const rated = decoder(field(base, RATED_ENERGY, "float32"))(image, RATED_ENERGY, 0);
    if (typeof rated === "number" && rated > 0) found.push(base);
  }
  return found;
}

/** Adds the points of all batteries together and answers their power, positive into them. */
export function addSolarEdgeBatteries(polls: PollList, bases: readonly number[]): Quantity {
  const keyed = (name: string, base: number): string => `raw.solaredge.${base}.${name}`;
  const add = (name: string, offset: number, type: RegisterType, poll: RegisterPoint["poll"]): string[] =>
    bases.map((base) => polls.add({ ...field(base, offset, type), key: keyed(name, base), poll }));

  const power = sumOfKnown(add("power", POWER, "float32", "fast"));
  const capacities = add("ratedEnergy", RATED_ENERGY, "float32", "slow");
  const capacity = sumOfKnown(capacities);
  const socs = add("soc", SOC, "float32", "normal");
  const states = add("status", STATUS, "uint32", "fast");
  polls.derive("battery.power", power.from, (registers) => power.value(registers));
  polls.derive("battery.capacity", capacity.from, (registers) => capacity.value(registers));
  polls.derive("battery.soc", socs, (registers) => meanSoc(registers, socs, capacities));
  polls.derive("battery.status", states, (registers) => jointStatus(states.map((key) => numberAt(registers, key))));
  return power;
}

/** The batteries' state of charge by what each can hold. */
function meanSoc(registers: RegisterValues, socs: readonly string[], capacities: readonly string[]): number | null {
  let energy = 0;
  let capacity = 0;
  for (const [index, key] of socs.entries()) {
    const soc = numberAt(registers, key);
    const rated = numberAt(registers, capacities[index] ?? "");
    if (soc === null || rated === null) return null;
    energy += soc * rated;
    capacity += rated;
  }
  return capacity > 0 ? energy / capacity : null;
}

/** A fault of one is a fault; else what one of them does; idle only when all are. */
function jointStatus(values: readonly (number | null)[]): BatteryStatus | null {
  const known = values.filter((value) => value !== null).map((value) => STATUS_OF_VALUE[value] ?? "UNKNOWN");
  return known.find((status) => status === "FAULT") ?? known.find((status) => status !== "IDLE") ?? known[0] ?? null;
}

function field(base: number, offset: number, type: RegisterType): Omit<RegisterPoint, "key" | "poll"> {
  const sentinels = [type === "float32" ? LOWEST_FLOAT : 0xffff_ffff];
  return { table: "holding", address: base + offset, type, wordOrder: "little", sentinels };
}

/** Null when there is no such block: a refusal is not a fault here. */
async function readBlock(unit: ModbusUnit, base: number, signal: AbortSignal): Promise<Uint16Array | null> {
  try {
    return await readRegisters(unit, base, BLOCK_WORDS, signal);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
