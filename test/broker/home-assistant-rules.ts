/**
 * What Home Assistant takes in a device message, from its documentation of the MQTT integration and of its sensor
 * entities (developers.home-assistant.io/docs/core/entity/sensor): units and state classes by device class.
 */
import { z } from "zod";

const SENSOR_RULES: Readonly<Record<string, { units: readonly string[]; stateClasses: readonly string[] }>> = {
  battery: { units: ["%"], stateClasses: ["measurement"] },
  current: { units: ["A", "mA"], stateClasses: ["measurement"] },
  distance: { units: ["km", "m", "mi"], stateClasses: ["measurement", "total", "total_increasing"] },
  energy: { units: ["Wh", "kWh", "MWh"], stateClasses: ["total", "total_increasing"] },
  energy_storage: { units: ["Wh", "kWh", "MWh"], stateClasses: ["measurement"] },
  power: { units: ["W", "kW", "MW"], stateClasses: ["measurement"] },
  // A moment has no unit and no state class.
  timestamp: { units: [], stateClasses: [] },
  temperature: { units: ["°C", "°F", "K"], stateClasses: ["measurement"] },
};

const Text = z.string().min(1);
const Topic = z.string().regex(/^[^+#\s]+$/);
const Template = z.string().regex(/^\{\{ .+ \}\}$/);
/** A component may have its state elsewhere than its device. */
const BASE = {
  name: Text.nullable(),
  unique_id: z.string().regex(/^[A-Za-z0-9_-]+$/),
  state_topic: Topic.optional(),
};

const Sensor = z
  .strictObject({
    ...BASE,
    p: z.literal("sensor"),
    device_class: Text.optional(),
    unit_of_measurement: Text.optional(),
    state_class: z.enum(["measurement", "total", "total_increasing"]).optional(),
    options: z.array(Text).min(1).optional(),
    value_template: Template,
  })
  .superRefine((sensor, context) => {
    const fault = sensorFault(sensor);
    if (fault !== null) context.addIssue({ code: "custom", message: fault, input: sensor });
  });

function sensorFault(sensor: {
  readonly device_class?: string | undefined;
  readonly unit_of_measurement?: string | undefined;
  readonly state_class?: string | undefined;
  readonly options?: readonly string[] | undefined;
}): string | null {
  const { device_class: kind, unit_of_measurement: unit, state_class: state, options } = sensor;
  if (kind === "enum") {
    return unit === undefined && state === undefined && options !== undefined ? null : "an enum has options only";
  }
  if (options !== undefined) return "only an enum has options";
  if (kind === undefined) return null;
  const rule = SENSOR_RULES[kind];
  if (rule === undefined) return `there is no device class ${kind}`;
  if (kind === "timestamp") return unit === undefined && state === undefined ? null : "a timestamp has no unit";
  if (unit === undefined || !rule.units.includes(unit)) return `${kind} is not in ${unit}`;
  return state === undefined || rule.stateClasses.includes(state) ? null : `${kind} is no ${state}`;
}

const BinarySensor = z.strictObject({
  ...BASE,
  p: z.literal("binary_sensor"),
  device_class: z.enum(["plug", "battery_charging", "power", "running", "connectivity", "problem"]),
  value_template: Template,
});

/** A state that is no option is refused, so that the one before stays; `None` in any case of letters is unknown. */
const Select = z
  .strictObject({
    ...BASE,
    p: z.literal("select"),
    options: z.array(Text.refine((option) => option.toLowerCase() !== "none")).min(1),
    command_topic: Topic,
    command_template: Template.optional(),
    value_template: Template,
  })
  .refine(({ options, value_template: template }) => {
    return template.endsWith(` in ['${options.join("', '")}'] else 'None' }}`);
  });

const Switch = z.strictObject({
  ...BASE,
  p: z.literal("switch"),
  command_topic: Topic,
  payload_on: Text,
  payload_off: Text,
  state_on: z.literal("ON"),
  state_off: z.literal("OFF"),
  value_template: Template,
});

const NumberEntity = z
  .strictObject({
    ...BASE,
    p: z.literal("number"),
    device_class: z.enum(["current", "energy", "power"]).optional(),
    unit_of_measurement: Text.optional(),
    min: z.number(),
    max: z.number(),
    step: z.number().min(0.001),
    mode: z.enum(["auto", "box", "slider"]),
    command_topic: Topic,
    value_template: Template,
  })
  .refine(({ min, max }) => min < max)
  // A state out of the range is refused, so that the one before stays.
  .refine(({ min, max, value_template: template }) => {
    return template.includes(` is number and ${min} <= (`) && template.endsWith(`) <= ${max} else 'None' }}`);
  })
  .refine(({ device_class: kind, unit_of_measurement: unit }) => {
    return kind === undefined || SENSOR_RULES[kind]?.units.includes(unit ?? "") === true;
  });

const TextEntity = z.strictObject({
  ...BASE,
  p: z.literal("text"),
  max: z.int().min(1).max(255),
  command_topic: Topic,
  value_template: Template,
});

const Climate = z.strictObject({
  ...BASE,
  p: z.literal("climate"),
  temperature_unit: z.enum(["C", "F"]),
  min_temp: z.number().optional(),
  max_temp: z.number().optional(),
  modes: z.array(z.enum(["auto", "off", "cool", "heat", "dry", "fan_only", "heat_cool"])).min(1),
  mode_state_topic: Topic,
  mode_state_template: Template,
  mode_command_topic: Topic,
  mode_command_template: Template,
  current_temperature_topic: Topic,
  current_temperature_template: Template,
  temperature_state_topic: Topic,
  temperature_state_template: Template,
  temperature_command_topic: Topic,
  temperature_low_state_topic: Topic.optional(),
  temperature_low_state_template: Template.optional(),
  temperature_low_command_topic: Topic.optional(),
  temperature_high_state_topic: Topic.optional(),
  temperature_high_state_template: Template.optional(),
  temperature_high_command_topic: Topic.optional(),
});

/** A device message: device, origin and components, with what the components share. */
export const DeviceMessage = z
  .strictObject({
    dev: z.strictObject({
      identifiers: z.array(Text).min(1),
      name: Text,
      manufacturer: Text.optional(),
      model: Text.optional(),
      serial_number: Text.optional(),
    }),
    o: z.strictObject({ name: Text, sw_version: Text.optional(), support_url: z.url().optional() }),
    cmps: z.record(
      z.string().regex(/^[A-Za-z0-9_-]+$/),
      z.discriminatedUnion("p", [Sensor, BinarySensor, Select, Switch, NumberEntity, TextEntity, Climate]),
    ),
    state_topic: Topic,
    qos: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    availability: z.array(z.strictObject({ topic: Topic, value_template: Template.optional() })).min(1),
    availability_mode: z.enum(["all", "any", "latest"]).optional(),
  })
  .refine(({ cmps }) => Object.keys(cmps).length > 0)
  .refine(
    ({ cmps }) => new Set(Object.values(cmps).map(({ unique_id }) => unique_id)).size === Object.keys(cmps).length,
  );
