import type { Control, ControlPoint, DeviceIdentity, HvacMode, PointName, PointValue } from "hemgate/sdk";
import type { Intake } from "../kit/bridge.ts";
import { at, type Json } from "../kit/payload.ts";
import { conversionTo } from "../kit/units.ts";
import type { Expose } from "./exposes.ts";

const MODES: Readonly<Record<string, HvacMode>> = { off: "OFF", auto: "AUTO", cool: "COOL", heat: "HEAT" };
/** What a unit does now: whether that takes energy for heat or cold. */
const RUNNING: Readonly<Record<string, boolean>> = { idle: false, heat: true, cool: true, fan_only: false };

/** Properties by point, the likelier first. */
const PROPERTIES: readonly (readonly [property: string, point: PointName])[] = [
  ["local_temperature", "hvac.temperature"],
  ["occupied_heating_setpoint", "hvac.heatSetpoint"],
  ["current_heating_setpoint", "hvac.heatSetpoint"],
  ["occupied_cooling_setpoint", "hvac.coolSetpoint"],
  ["current_cooling_setpoint", "hvac.coolSetpoint"],
  ["system_mode", "hvac.mode"],
  ["running_state", "hvac.isActive"],
];

const STATES = new Set<PointName>(["hvac.mode", "hvac.isActive"]);

/** The climate part of a thermostat or valve: what it tells and takes. */
export class Climate {
  readonly #exposes = new Map<PointName, Expose>();

  constructor(exposes: readonly Expose[]) {
    for (const [property, point] of PROPERTIES) {
      const expose = exposes.find((each) => each.group === "climate" && each.property === property);
      if (expose?.isPublished !== true || this.#exposes.has(point)) continue;
      if (STATES.has(point) || conversionTo(expose.unit ?? "°C", point) !== null) this.#exposes.set(point, expose);
    }
  }

  get points(): readonly PointName[] {
    return [...this.#exposes.keys()];
  }

  get gettable(): readonly string[] {
    return [...this.#exposes.values()].filter(({ isGettable }) => isGettable).map(({ property }) => property);
  }

  get category(): NonNullable<DeviceIdentity["category"]> | null {
    const heats = this.#exposes.has("hvac.heatSetpoint");
    if (this.#exposes.has("hvac.coolSetpoint")) return heats ? "HEAT_PUMP" : "COOLING";
    return heats ? "HEATING" : null;
  }

  tell(state: Json, intake: Intake): void {
    for (const [point, { property, unit }] of this.#exposes) {
      const raw = at(state, property);
      if (raw === undefined) continue;
      if (point === "hvac.mode") intake.value(point, typeof raw === "string" ? (MODES[raw] ?? "UNKNOWN") : null);
      else if (point === "hvac.isActive") intake.value(point, typeof raw === "string" ? (RUNNING[raw] ?? null) : null);
      else intake.number(point, raw, conversionTo(unit ?? "°C", point) ?? undefined);
    }
  }

  controls(): readonly Control[] {
    return [...this.#exposes].flatMap(([point, { isSettable, values, unit, min, max }]): readonly Control[] => {
      const keeps = { holdMs: null, safeDefault: "as-found" } as const;
      if (!isSettable) return [];
      if (point === "hvac.mode") {
        const modes = values.flatMap((value) => MODES[value] ?? []);
        return modes.length === 0 ? [] : [{ point, values: modes, ...keeps }];
      }
      const isSetpoint = point === "hvac.heatSetpoint" || point === "hvac.coolSetpoint";
      // A range in another unit would have to be turned back for each command; nobody sets Zigbee2MQTT so.
      if (!isSetpoint || min === null || max === null || (unit ?? "°C") !== "°C") return [];
      return [{ point, range: { min, max }, ...keeps }];
    });
  }

  /** The property and its value for a setpoint; null when there is none. */
  write(point: ControlPoint, value: PointValue): { readonly property: string; readonly value: Json } | null {
    const property = this.#exposes.get(point)?.property;
    if (property === undefined) return null;
    if (point !== "hvac.mode") return { property, value };
    const word = Object.entries(MODES).find(([, mode]) => mode === value)?.[0];
    return word === undefined ? null : { property, value: word };
  }
}
