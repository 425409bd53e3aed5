import { DeviceError, type PointName } from "hemgate/sdk";
import type { Intake } from "./bridge.ts";

/** What a general-purpose meter or relay measures or switches. */
export const ROLES = ["meter", "inverter", "battery", "charger", "hvac"] as const;
export type Role = (typeof ROLES)[number];

/** Quantities as meters have them: power is positive when it flows from the grid's side through the meter. */
export type Quantity =
  | "power"
  | `power.${Phase}`
  | `voltage.${Phase}`
  | `current.${Phase}`
  | "frequency"
  /** Passed through in the positive direction since installation. */
  | "energyForward"
  | "energyReverse";
export type Phase = "l1" | "l2" | "l3";
export const PHASES: readonly Phase[] = ["l1", "l2", "l3"];

type QuantityPoints = Readonly<Partial<Record<Quantity, PointName>>>;

const METER: QuantityPoints = {
  power: "meter.power",
  "power.l1": "meter.power.l1",
  "power.l2": "meter.power.l2",
  "power.l3": "meter.power.l3",
  "voltage.l1": "meter.voltage.l1",
  "voltage.l2": "meter.voltage.l2",
  "voltage.l3": "meter.voltage.l3",
  "current.l1": "meter.current.l1",
  "current.l2": "meter.current.l2",
  "current.l3": "meter.current.l3",
  frequency: "meter.frequency",
  energyForward: "meter.energyImport",
  energyReverse: "meter.energyExport",
};

/** Where the quantities go. A plug before an inverter counts production as forward, as most plugs know one direction only. */
const POINTS: Readonly<Record<Role, QuantityPoints>> = {
  meter: METER,
  inverter: { power: "inverter.power", energyForward: "inverter.energy" },
  battery: {
    power: "battery.power",
    energyForward: "battery.energyCharged",
    energyReverse: "battery.energyDischarged",
  },
  charger: {
    power: "charger.power",
    "voltage.l1": "charger.voltage.l1",
    "voltage.l2": "charger.voltage.l2",
    "voltage.l3": "charger.voltage.l3",
    "current.l1": "charger.current.l1",
    "current.l2": "charger.current.l2",
    "current.l3": "charger.current.l3",
    energyForward: "charger.energy",
  },
  hvac: { power: "hvac.power" },
};

const MIRRORED: Readonly<Partial<Record<Quantity, Quantity>>> = {
  energyForward: "energyReverse",
  energyReverse: "energyForward",
};

/** The point of a quantity; null when the role has none for it. */
export function pointOf(role: Role, quantity: Quantity, isInverted: boolean): PointName | null {
  return POINTS[role][isInverted ? (MIRRORED[quantity] ?? quantity) : quantity] ?? null;
}

/** Puts what a meter measures where its role wants it, with the sign that the role wants. */
export class Measured {
  readonly role: Role;
  readonly #isInverted: boolean;

  constructor(role: Role, isInverted: boolean) {
    this.role = role;
    this.#isInverted = isInverted;
  }

  /** A number of JSON or a number; see `Intake.number`. */
  tell(intake: Intake, quantity: Quantity, raw: unknown, convert: (value: number) => number = same): void {
    const point = pointOf(this.role, quantity, this.#isInverted);
    if (point === null) return;
    const sign = this.#isInverted && quantity.startsWith("power") ? -1 : 1;
    intake.number(point, raw, (value) => unsignedZero(convert(value) * sign));
  }
}

/** The role, or a `DeviceError` that asks for it. */
export function roleOf(role: Role | null, allowed: readonly Role[], bridge: string): Role {
  if (role === null) {
    throw new DeviceError("rejected", `${bridge}: role is missing; say what it measures: ${allowed.join(", ")}`);
  }
  if (!allowed.includes(role)) {
    throw new DeviceError("rejected", `${bridge}: role ${role} is not one of ${allowed.join(", ")}`);
  }
  return role;
}

function same(value: number): number {
  return value;
}

function unsignedZero(value: number): number {
  return value === 0 ? 0 : value;
}
