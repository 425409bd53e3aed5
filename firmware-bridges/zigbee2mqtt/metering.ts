import type { PointName } from "hemgate/sdk";
import { type Phase, pointOf, type Quantity, type Role } from "../kit/role.ts";
import { conversionTo, type ToPoint } from "../kit/units.ts";
import type { Expose } from "./exposes.ts";

const LETTERS: Readonly<Record<string, Phase>> = { a: "l1", b: "l2", c: "l3" };
/** Properties of meters by what they measure; a phase's stand beside them with its letter. */
const BASES: Readonly<Record<string, Quantity>> = {
  power: "power",
  energy: "energyForward",
  produced_energy: "energyReverse",
  ac_frequency: "frequency",
  voltage: "voltage.l1",
  current: "current.l1",
};

export interface MeterField {
  readonly property: string;
  readonly quantity: Quantity;
  readonly point: PointName;
  readonly convert: ToPoint;
  readonly isGettable: boolean;
}

export interface MeterOptions {
  readonly role: Role;
  readonly isInverted: boolean;
  /** Counted from 0: properties of the second gang end in `_l2`. */
  readonly channel: number | null;
}

/** What of a device's exposes measures something that the role has a point for, and is in a unit that is one of it. */
export function meterFields(exposes: readonly Expose[], options: MeterOptions): readonly MeterField[] {
  const names = new Set(exposes.map(({ property }) => property));
  const suffix = options.channel === null ? "" : `_l${options.channel + 1}`;
  return exposes.flatMap((expose): readonly MeterField[] => {
    if (expose.group !== null || !expose.isPublished) return [];
    const quantity = quantityOf(expose.property, suffix, names);
    if (quantity === null) return [];
    const point = pointOf(options.role, quantity, options.isInverted);
    if (point === null) return [];
    const convert = expose.unit === null ? null : conversionTo(expose.unit, point);
    const { property, isGettable } = expose;
    return convert === null ? [] : [{ property, quantity, point, convert, isGettable }];
  });
}

function quantityOf(property: string, suffix: string, names: ReadonlySet<string>): Quantity | null {
  const own = suffix !== "" && property.endsWith(suffix) ? property.slice(0, -suffix.length) : property;
  // What the whole device has once, such as the voltage, counts for each gang.
  if (suffix !== "" && own === property && names.has(`${property}${suffix}`)) return null;
  const [, base = "", letter] = /^(power|voltage|current)_phase_([abc])$/.exec(own) ?? [];
  const phase = LETTERS[letter ?? ""];
  if (phase !== undefined) return `${base}.${phase}` as Quantity;
  const quantity = BASES[own] ?? null;
  // Beside phases b and c, and without one called a, the plain name is the first phase's.
  const isFirstPhase = names.has("power_phase_b") && !names.has("power_phase_a");
  return quantity === "power" && isFirstPhase ? "power.l1" : quantity;
}
