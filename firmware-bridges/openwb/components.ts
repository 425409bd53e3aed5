import type { PointName } from "hemgate/sdk";
import type { Intake } from "../kit/bridge.ts";
import { at, type Json } from "../kit/payload.ts";
import { PHASES } from "../kit/role.ts";

export const ROLES = ["charger", "meter", "battery", "inverter"] as const;
export type ComponentRole = (typeof ROLES)[number];

/** A topic, and where its number goes, or its three numbers of a list. Units are W, Wh, A, V, % and Hz throughout. */
export interface Field {
  readonly key: string;
  readonly point?: PointName;
  readonly phases?: "meter.power" | "meter.voltage" | "meter.current" | "charger.voltage" | "charger.current";
  /** It counts production as negative. */
  readonly isNegative?: true;
}

interface Component {
  readonly kind: "chargepoint" | "counter" | "bat" | "pv";
  readonly fields: readonly Field[];
}

export const COMPONENTS: Readonly<Record<ComponentRole, Component>> = {
  charger: {
    kind: "chargepoint",
    fields: [
      { key: "power", point: "charger.power" },
      { key: "imported", point: "charger.energy" },
      { key: "currents", phases: "charger.current" },
      { key: "voltages", phases: "charger.voltage" },
    ],
  },
  meter: {
    kind: "counter",
    fields: [
      { key: "power", point: "meter.power" },
      { key: "powers", phases: "meter.power" },
      { key: "currents", phases: "meter.current" },
      { key: "voltages", phases: "meter.voltage" },
      { key: "frequency", point: "meter.frequency" },
      { key: "imported", point: "meter.energyImport" },
      { key: "exported", point: "meter.energyExport" },
    ],
  },
  battery: {
    kind: "bat",
    fields: [
      { key: "power", point: "battery.power" },
      { key: "soc", point: "battery.soc" },
      { key: "imported", point: "battery.energyCharged" },
      { key: "exported", point: "battery.energyDischarged" },
    ],
  },
  inverter: {
    kind: "pv",
    fields: [
      { key: "power", point: "inverter.power", isNegative: true },
      { key: "exported", point: "inverter.energy" },
    ],
  },
};

/** The house as openWB adds it up. */
export const HOUSE: readonly Field[] = [
  { key: "counter/set/home_consumption", point: "hem.load" },
  { key: "bat/get/power", point: "battery.power" },
  { key: "bat/get/soc", point: "battery.soc" },
  { key: "bat/get/imported", point: "battery.energyCharged" },
  { key: "bat/get/exported", point: "battery.energyDischarged" },
  { key: "pv/get/power", point: "inverter.power", isNegative: true },
  { key: "pv/get/exported", point: "inverter.energy" },
];

export function componentPoints({ point, phases }: Field): readonly PointName[] {
  if (point !== undefined) return [point];
  return phases === undefined ? [] : PHASES.map((phase) => `${phases}.${phase}` as const);
}

/** Tells the points of a field; anything but a list makes them null. */
export function tellField(field: Field, json: Json, intake: Intake): void {
  const { point, phases, isNegative } = field;
  if (point !== undefined) intake.number(point, json, (value) => (isNegative === true ? 0 - value : value));
  if (phases === undefined) return;
  for (const [index, phase] of PHASES.entries()) intake.number(`${phases}.${phase}`, at(json, index) ?? null);
}
