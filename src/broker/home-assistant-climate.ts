import type { Hvac } from "../domain/assets/hvac.ts";
import { type Component, type Components, measure, power } from "./home-assistant-parts.ts";

/** Our modes and those of Home Assistant: its `auto` leaves the choice of the temperature to the unit, ours does not. */
const MODES = { OFF: "off", AUTO: "heat_cool", COOL: "cool", HEAT: "heat" } as const;

/** A thermostat, when it can be held; else what it shows. */
export function climate(hvac: Hvac, topic: string): Components {
  const { setPermanentHold, capableModes } = hvac.capabilities;
  const canHold = setPermanentHold.isCapable && capableModes !== null && capableModes.length > 0;
  return {
    power: power("Power", "value_json.consumptionRate"),
    temperature: measure("Temperature", "value_json.temperatureState.currentTemperature", "temperature", "°C"),
    ...(canHold ? { climate: thermostat(hvac, topic, capableModes) } : {}),
  };
}

function thermostat({ capabilities }: Hvac, topic: string, modes: readonly (keyof typeof MODES)[]): Component {
  const { heatSetpointRange, coolSetpointRange } = capabilities;
  const low = [heatSetpointRange?.min, coolSetpointRange?.min].find((each) => typeof each === "number");
  const high = [coolSetpointRange?.max, heatSetpointRange?.max].find((each) => typeof each === "number");
  const hasRange = modes.includes("AUTO");
  return {
    p: "climate",
    name: null,
    temperature_unit: "C",
    ...(low === undefined ? {} : { min_temp: low }),
    ...(high === undefined ? {} : { max_temp: high }),
    modes: modes.map((mode) => MODES[mode]),
    mode_state_topic: topic,
    mode_state_template: `{{ ${table(Object.entries(MODES))}.get(value_json.thermostatState.mode, 'None') }}`,
    mode_command_topic: `${topic}/mode/set`,
    mode_command_template: `{{ ${table(Object.entries(MODES).map(([own, theirs]) => [theirs, own]))}[value] }}`,
    current_temperature_topic: topic,
    current_temperature_template: "{{ value_json.temperatureState.currentTemperature }}",
    temperature_state_topic: topic,
    temperature_state_template:
      "{{ value_json.thermostatState.coolSetpoint if value_json.thermostatState.mode == 'COOL' else value_json.thermostatState.heatSetpoint }}",
    temperature_command_topic: `${topic}/setpoint/set`,
    ...(hasRange ? setpointRange(topic) : {}),
  };
}

function setpointRange(topic: string): Readonly<Record<string, string>> {
  return {
    temperature_low_state_topic: topic,
    temperature_low_state_template: "{{ value_json.thermostatState.heatSetpoint }}",
    temperature_low_command_topic: `${topic}/heatSetpoint/set`,
    temperature_high_state_topic: topic,
    temperature_high_state_template: "{{ value_json.thermostatState.coolSetpoint }}",
    temperature_high_command_topic: `${topic}/coolSetpoint/set`,
  };
}

function table(pairs: readonly (readonly string[])[]): string {
  return `{${pairs.map(([from, to]) => `'${from}': '${to}'`).join(", ")}}`;
}
