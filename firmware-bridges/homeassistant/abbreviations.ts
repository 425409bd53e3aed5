import { at, entriesOf, type Json } from "../kit/payload.ts";

/** Short forms of the keys that are used here, as Home Assistant's MQTT documentation lists them. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  avty: "availability",
  avty_mode: "availability_mode",
  avty_t: "availability_topic",
  avty_tpl: "availability_template",
  cmd_t: "command_topic",
  cmd_tpl: "command_template",
  cmps: "components",
  dev: "device",
  dev_cla: "device_class",
  exp_aft: "expire_after",
  ids: "identifiers",
  mdl: "model",
  mf: "manufacturer",
  o: "origin",
  obj_id: "object_id",
  p: "platform",
  pl_avail: "payload_available",
  pl_not_avail: "payload_not_available",
  pl_off: "payload_off",
  pl_on: "payload_on",
  sn: "serial_number",
  stat_off: "state_off",
  stat_on: "state_on",
  stat_t: "state_topic",
  sw: "sw_version",
  t: "topic",
  uniq_id: "unique_id",
  unit_of_meas: "unit_of_measurement",
  val_tpl: "value_template",
};

/** The fields that are read, by their long names. An announcement has others, any number of them. */
const READ = new Set([...Object.values(ABBREVIATIONS), "max", "min", "name"]);

type Fields = Readonly<Record<string, Json>>;

/** The fields that are read, with their long names; topics with `~` at an end have the base in its place. */
export function longForm(fields: Json, base: string | null = null): Fields {
  const root = baseOf(fields) ?? base;
  return Object.fromEntries(
    entriesOf(fields).flatMap(([key, value]) => {
      const long = Object.hasOwn(ABBREVIATIONS, key) ? (ABBREVIATIONS[key] ?? key) : key;
      if (!READ.has(long)) return [];
      const isTopic = long === "topic" || long.endsWith("_topic");
      if (isTopic && typeof value === "string" && root !== null) return [[long, withBase(value, root)]];
      return [[long, value]];
    }),
  );
}

/** The base that `~` stands for; null when the fields name none. */
export function baseOf(fields: Json): string | null {
  const base = at(fields, "~");
  return typeof base === "string" ? base : null;
}

function withBase(topic: string, base: string): string {
  if (topic.startsWith("~")) return base + topic.slice(1);
  return topic.endsWith("~") ? topic.slice(0, -1) + base : topic;
}
