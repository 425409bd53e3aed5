/** The entities of the energy manager for Home Assistant: the modes of chargers and vehicles, and the house. */
import { EnergyMode } from "../domain/energy/energy-mode.ts";
import { NO_MODE } from "./energy-commands.ts";
import {
  amount,
  type Component,
  type Components,
  choice,
  measure,
  number,
  power,
  problemFlag,
  state,
  switchOf,
  text,
  time,
} from "./home-assistant-parts.ts";
import { ENERGY_SITE } from "./reserved-topics.ts";

const PERCENT = { min: 0, max: 100, step: 1, unit: "%", deviceClass: null } as const;
const TARGET_SOC = { ...PERCENT, min: 1 } as const;
const PRIORITY = { min: 1, max: 100, step: 1, unit: null, deviceClass: null } as const;
const TARGET_KWH = { min: 0.5, max: 500, step: 0.5, unit: "kWh", deviceClass: "energy" } as const;
const LOAD_KW = { min: 0.1, max: 30, step: 0.1, unit: "kW", deviceClass: "power" } as const;
const IMPORT_KW = { min: 0.1, max: 10_000, step: 0.1, unit: "kW", deviceClass: "power" } as const;

/** Where the state of a device, or of the house, is. */
export function energyTopic(id: string): string {
  return `hemgate/energy/${id}`;
}

/** The option for no mode. Home Assistant takes a state `NONE` as unknown. */
const NO_MODE_OPTION = "NO_MODE";
/** The modes of a heat pump or heater. */
const HEAT_MODES = ["OFF", "SURPLUS", "PLANNED", "FAST"] as const;
/** Home Assistant keeps states up to this length. */
const MAX_STATE = 255;
const PRIORITY_PATH = "value_json.policy.priority if value_json.policy else none";
const REASON_PATH = "value_json.reason.text if value_json.reason else none";

function setTopic(id: string): (setting: string) => string {
  return (setting) => `${energyTopic(id)}/${setting}/set`;
}

function atTopic(parts: Components, topic: string): Components {
  return Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, { ...part, state_topic: topic }]));
}

/** The mode of a device, or none. */
function energyMode(modes: readonly string[], commandTopic: string): Component {
  return {
    ...choice("Energy mode", `value_json.mode or '${NO_MODE_OPTION}'`, [NO_MODE_OPTION, ...modes], commandTopic),
    command_template: `{{ '${NO_MODE}' if value == '${NO_MODE_OPTION}' else value }}`,
  };
}

/** What the plan does first with a device. */
function energyPlanParts(): Components {
  return {
    energyPlan: state("Plan", `value_json.plan.text[:${MAX_STATE}] if value_json.plan else none`, null),
    energyPlanFrom: time("Plan begins", "value_json.plan.from if value_json.plan else none"),
  };
}

/** What can be set for a load of a fixed or highest power, such as a plug, a heat pump or a heater. */
export function energyLoadPower(id: string): Components {
  const path = "value_json.policy.powerKw if value_json.policy else none";
  return atTopic({ energyPower: number("Energy power", path, setTopic(id)("powerKw"), LOAD_KW) }, energyTopic(id));
}

/** What can be set for a heat pump or heater at the energy manager. */
export function energyHeatParts(id: string): Components {
  const set = setTopic(id);
  const parts: Components = {
    energyMode: energyMode(HEAT_MODES, set("mode")),
    energyPriority: number("Energy priority", PRIORITY_PATH, set("priority"), PRIORITY),
    energyReason: state("Energy reason", REASON_PATH, null),
    ...energyPlanParts(),
  };
  return { ...atTopic(parts, energyTopic(id)), ...energyLoadPower(id) };
}

/** What can be set for a charger or vehicle at the energy manager, beside the device's own entities. */
export function energyDeviceParts(id: string, kind: "charger" | "vehicle"): Components {
  const topic = energyTopic(id);
  const set = setTopic(id);
  const target = "(value_json.policy.target if value_json.policy else none)";
  const ofTarget = (field: string): string => `${target}.${field} if ${target} else none`;
  const parts: Components = {
    energyMode: energyMode(EnergyMode.options, set("mode")),
    energyPriority: number("Energy priority", PRIORITY_PATH, set("priority"), PRIORITY),
    energyTargetSoc: number("Target level", ofTarget("soc"), set("targetSoc"), TARGET_SOC),
    ...(kind === "charger"
      ? { energyTargetKwh: number("Target energy", ofTarget("energyKwh"), set("targetEnergy"), TARGET_KWH) }
      : {}),
    energyTargetTime: text("Target time", ofTarget("time"), set("targetTime"), "HH:MM".length),
    energyReason: state("Energy reason", REASON_PATH, null),
    ...energyPlanParts(),
  };
  return atTopic(parts, topic);
}

/** What the energy manager shows of the house, and what can be set there. `hasBattery`: it can command one. */
export function energySiteParts(hasBattery: boolean): Components {
  const set = (setting: string): string => `${energyTopic(ENERGY_SITE)}/${setting}/set`;
  const use = "value_json.batteryUse";
  return {
    grid: power("Grid power", "value_json.gridKw"),
    house: power("House power", "value_json.houseKw"),
    production: power("Solar power", "value_json.productionKw"),
    battery: power("Battery power", "value_json.batteryKw"),
    chargers: power("Charging power", "value_json.chargersKw"),
    importLimit: power("Import limit now", "value_json.importLimitKw"),
    feedInLimit: power("Feed-in limit now", "value_json.feedInLimitKw"),
    controllableLimit: power("Limit of controllable devices now", "value_json.controllableLimitKw"),
    price: amount("Import price", "value_json.price.importPrice"),
    feedInPrice: amount("Feed-in price", "value_json.price.exportPrice"),
    plan: state("Plan", `value_json.plan.text[:${MAX_STATE}]`, null),
    planFrom: time("Plan begins", "value_json.plan.from"),
    fuse: measure("Main fuse", "value_json.connection.fuseA", "current", "A"),
    alarm: problemFlag("Alarm", "value_json.alarms | length > 0"),
    importKw: number("Contracted import", "value_json.connection.importKw", set("importKw"), IMPORT_KW),
    holdWhileFast: switchOf("Hold battery while fast charging", `${use}.holdWhileFast`, set("holdWhileFast"), [
      "true",
      "false",
    ]),
    priorityBelow: number("Battery first below", `${use}.priorityBelow`, set("priorityBelow"), PERCENT),
    supportAbove: number("Battery supports above", `${use}.supportAbove`, set("supportAbove"), PERCENT),
    ...(hasBattery
      ? {
          minSoc: number("Battery reserve", `${use}.minSoc`, set("minSoc"), PERCENT),
          maxSoc: number("Battery ceiling", `${use}.maxSoc`, set("maxSoc"), PERCENT),
        }
      : {}),
  };
}
