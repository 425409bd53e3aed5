import type { PointName } from "hemgate/sdk";
import type { Intake } from "../kit/bridge.ts";
import { at, entriesOf, type Json } from "../kit/payload.ts";
import { type Measured, PHASES, pointOf, type Quantity } from "../kit/role.ts";
import { conversionTo } from "../kit/units.ts";

/** Where a field goes and its unit. */
interface Field {
  readonly unit: string;
  /** One number for all, or one a channel that add up. */
  readonly total?: Quantity;
  /** One number for the first phase, or one a phase. */
  readonly phase?: "power" | "voltage" | "current";
}

/** Fields of the `ENERGY` object of plugs and meters on the chip's own pins. */
const ENERGY: Readonly<Record<string, Field>> = {
  Power: { unit: "W", total: "power", phase: "power" },
  Voltage: { unit: "V", phase: "voltage" },
  Current: { unit: "A", phase: "current" },
  Frequency: { unit: "Hz", total: "frequency" },
  Total: { unit: "kWh", total: "energyForward" },
  ImportActive: { unit: "kWh", total: "energyForward" },
  ExportActive: { unit: "kWh", total: "energyReverse" },
};

/** What meter scripts call their values when nobody changed it; compared without regard to case. */
const SML: Readonly<Record<string, { readonly unit: string; readonly quantity: Quantity }>> = {
  total_in: { unit: "kWh", quantity: "energyForward" },
  total_out: { unit: "kWh", quantity: "energyReverse" },
  power_curr: { unit: "W", quantity: "power" },
  power_l1: { unit: "W", quantity: "power.l1" },
  power_l2: { unit: "W", quantity: "power.l2" },
  power_l3: { unit: "W", quantity: "power.l3" },
  voltage_l1: { unit: "V", quantity: "voltage.l1" },
  voltage_l2: { unit: "V", quantity: "voltage.l2" },
  voltage_l3: { unit: "V", quantity: "voltage.l3" },
  current_l1: { unit: "A", quantity: "current.l1" },
  current_l2: { unit: "A", quantity: "current.l2" },
  current_l3: { unit: "A", quantity: "current.l3" },
  frequency: { unit: "Hz", quantity: "frequency" },
  frequenz: { unit: "Hz", quantity: "frequency" },
};

export interface SensorOptions {
  readonly measured: Measured;
  readonly isInverted: boolean;
  /** Index in the arrays; null: the whole device. */
  readonly channel: number | null;
}

/** Takes the `ENERGY` object in; answers the power that it tells, null when none or no number. */
export function tellEnergy(energy: Json, options: SensorOptions, intake: Intake): number | null {
  for (const [key, field] of Object.entries(ENERGY)) {
    const raw = at(energy, key);
    // A meter that counts import and export by itself: what the chip counts as the total is something else.
    const isCounted = key === "Total" && at(energy, "ImportActive") !== undefined;
    if (raw !== undefined && !isCounted) tellField(raw, field, options, intake);
  }
  const power = sum(parts(at(energy, "Power") ?? null, options.channel));
  return typeof power === "number" ? power : null;
}

/** Takes the object of a meter script in. */
export function tellScript(script: Json, { measured, isInverted }: SensorOptions, intake: Intake): void {
  for (const [key, raw] of entriesOf(script)) {
    const known = SML[key.toLowerCase()];
    if (known === undefined) continue;
    const point = pointOf(measured.role, known.quantity, isInverted);
    const convert = point === null ? null : conversionTo(known.unit, point);
    if (convert !== null) measured.tell(intake, known.quantity, raw, convert);
  }
}

function tellField(raw: Json, field: Field, { measured, isInverted, channel }: SensorOptions, intake: Intake): void {
  const values = parts(raw, channel);
  const tell = (quantity: Quantity, value: Json): void => {
    const point: PointName | null = pointOf(measured.role, quantity, isInverted);
    const convert = point === null ? null : conversionTo(field.unit, point);
    if (convert !== null) measured.tell(intake, quantity, value, convert);
  };
  if (field.total !== undefined) tell(field.total, sum(values));
  // Two channels are two loads; one or three are phases. A power of one phase is the total already.
  if (field.phase === undefined || (field.phase === "power" && values.length === 1)) return;
  if (values.length === 1 || values.length === 3) {
    for (const [index, phase] of PHASES.entries()) {
      const value = values[index];
      if (value !== undefined) tell(`${field.phase}.${phase}`, value);
    }
  }
}

/** A number stands alone, in a list by channel, or in an object by phase. */
function parts(raw: Json, channel: number | null): readonly Json[] {
  const all = Array.isArray(raw) ? raw : isObject(raw) ? Object.values(raw) : [raw];
  if (channel === null) return all;
  // What is measured once, as the voltage, counts for each channel.
  const part = all.length === 1 ? all[0] : all[channel];
  return part === undefined ? [] : [part];
}

/** Null when a part is missing or no number. */
function sum(values: readonly Json[]): Json {
  let total = 0;
  for (const value of values) {
    if (typeof value !== "number") return value ?? null;
    total += value;
  }
  return values.length === 0 ? null : Number(total.toPrecision(12));
}

function isObject(raw: Json): raw is { readonly [key: string]: Json } {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw);
}
