/** The entities of Home Assistant that announcements are made of. Null in a state is rendered as `None`: unknown. */

/** An entity: its platform and the fields that it has there. */
export type Component = Readonly<Record<string, unknown>> & { readonly p: string; readonly name: string | null };
export type Components = Readonly<Record<string, Component>>;

/** A value that goes up and down. */
export function measure(name: string, path: string, deviceClass: string | null, unit: string): Component {
  return {
    p: "sensor",
    name,
    ...(deviceClass === null ? {} : { device_class: deviceClass }),
    unit_of_measurement: unit,
    state_class: "measurement",
    value_template: `{{ ${path} }}`,
  };
}

export function power(name: string, path: string): Component {
  return measure(name, path, "power", "kW");
}

/** Returns a sensor for energy that only grows, or starts again at 0. */
export function counter(name: string, path: string): Component {
  return { ...measure(name, path, "energy", "kWh"), state_class: "total_increasing" };
}

/** A word; with all words that there are, or null when they are many. */
export function state(name: string, path: string, options: readonly string[] | null): Component {
  const kind = options === null ? {} : { device_class: "enum", options };
  return { p: "sensor", name, ...kind, value_template: `{{ ${path} }}` };
}

/** A number without a unit, such as a price, whose currency the configuration names. */
export function amount(name: string, path: string): Component {
  return { p: "sensor", name, state_class: "measurement", value_template: `{{ ${path} }}` };
}

/** A moment. */
export function time(name: string, path: string): Component {
  return { p: "sensor", name, device_class: "timestamp", value_template: `{{ ${path} }}` };
}

export function flag(name: string, path: string, deviceClass: string): Component {
  return { p: "binary_sensor", name, device_class: deviceClass, value_template: onOff(path) };
}

/** A choice; unknown while the state is not among the options: Home Assistant would refuse it, and show the one before. */
export function choice(name: string, path: string, options: readonly string[], commandTopic: string): Component {
  const template = `{{ (${path}) if (${path}) in ['${options.join("', '")}'] else 'None' }}`;
  return { p: "select", name, options, command_topic: commandTopic, value_template: template };
}

export function switchOf(
  name: string,
  path: string,
  commandTopic: string,
  [on, off]: readonly [on: string, off: string],
): Component {
  return {
    p: "switch",
    name,
    command_topic: commandTopic,
    payload_on: on,
    payload_off: off,
    state_on: "ON",
    state_off: "OFF",
    value_template: onOff(path),
  };
}

/** The bounds of a number, its step, and its unit and device class where it has them. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly unit: string | null;
  readonly deviceClass: string | null;
}

/** A number; unknown while the state is out of the range: Home Assistant would refuse it, and show the one before. */
export function number(name: string, path: string, commandTopic: string, range: NumberRange): Component {
  const { min, max, step, unit, deviceClass } = range;
  return {
    p: "number",
    name,
    ...(deviceClass === null ? {} : { device_class: deviceClass }),
    ...(unit === null ? {} : { unit_of_measurement: unit }),
    min,
    max,
    step,
    mode: "box",
    command_topic: commandTopic,
    value_template: `{{ (${path}) if (${path}) is number and ${min} <= (${path}) <= ${max} else 'None' }}`,
  };
}

/** A short text; "" is shown where there is none, because "None" would be taken for the text. */
export function text(name: string, path: string, commandTopic: string, max: number): Component {
  return { p: "text", name, max, command_topic: commandTopic, value_template: `{{ (${path}) or '' }}` };
}

/** On while there is a problem. */
export function problemFlag(name: string, condition: string): Component {
  return {
    p: "binary_sensor",
    name,
    device_class: "problem",
    value_template: `{{ 'ON' if ${condition} else 'OFF' }}`,
  };
}

function onOff(path: string): string {
  return `{{ 'ON' if ${path} == true else 'OFF' if ${path} == false else 'None' }}`;
}
