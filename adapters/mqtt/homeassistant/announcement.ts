import type { BridgeMessage } from "../bridge.ts";
import { entriesOf, type Json, jsonOf } from "../payload.ts";
import { baseOf, longForm } from "./abbreviations.ts";
import type { Availability, AvailabilityTopic, Entity, EntityChange, EntityDevice } from "./entity.ts";
import { compileTemplate, PLAIN, type Template, TemplateError } from "./template.ts";

/** More entities than any device has. */
const MAX_COMPONENTS = 500;
/** A `command_template` that changes nothing. */
const PLAIN_COMMAND = /^\s*\{\{-?\s*value\s*-?\}\}\s*$/;

/** Who says so, in the announcements of gateways like this one. */
const GATEWAY = "hemgate";

type Fields = Readonly<Record<string, Json>>;

interface Place {
  readonly component: string;
  readonly objectId: string;
}

/** Where an announcement is under the prefix; null for a topic that is none. */
function placeOf(topic: string, prefix: string): Place | null {
  if (!topic.startsWith(`${prefix}/`)) return null;
  const levels = topic.slice(prefix.length + 1).split("/");
  const [component, ...rest] = levels;
  if (component === undefined || rest.at(-1) !== "config" || rest.length < 2 || rest.length > 3) return null;
  return { component, objectId: rest.at(-2) ?? "" };
}

/**
 * What a message under `<prefix>/<component>/[<node>/]<object>/config` announces, or, with `device` for the component, each
 * of the device's entities. An empty message takes away all that it announced before: the key of that is its topic.
 * Throws a `PayloadError` when it is no JSON object.
 */
export function announcedIn({ topic, text }: BridgeMessage, prefix: string): readonly EntityChange[] {
  const place = placeOf(topic, prefix);
  if (place === null) return [];
  if (text === "") return [{ key: topic, entity: null }];
  const raw = jsonOf(text);
  const fields = longForm(raw);
  // What a gateway announces of its devices is none of theirs: it would read itself.
  if (plainText(longForm(fields["origin"] ?? {})["name"]) === GATEWAY) return [];
  if (place.component !== "device") return [{ key: topic, entity: entityOf(place, fields, baseOf(raw)) }];
  return entriesOf(fields["components"])
    .slice(0, MAX_COMPONENTS)
    .map(([name, component]): EntityChange => {
      const own = longForm(component, baseOf(raw));
      const key = `${topic}#${name}`;
      // A component with nothing but its platform is one that was removed.
      if (Object.keys(own).every((field) => field === "platform")) return { key, entity: null };
      const platform = plainText(own["platform"]) ?? "";
      // What the device message says holds for all components that do not say otherwise.
      const { components: _components, ...shared } = fields;
      const place = { component: platform, objectId: name };
      return { key, entity: entityOf(place, { ...shared, ...own }, baseOf(component) ?? baseOf(raw)) };
    });
}

function entityOf({ component, objectId }: Place, fields: Fields, base: string | null): Entity {
  const id = plainText(fields["unique_id"]) ?? plainText(fields["object_id"]) ?? objectId;
  const on = plainText(fields["payload_on"]) ?? "ON";
  const off = plainText(fields["payload_off"]) ?? "OFF";
  const [min, max] = [fields["min"], fields["max"]];
  const expires = fields["expire_after"];
  const commandTemplate = plainText(fields["command_template"]);
  const isPlain = commandTemplate === null || PLAIN_COMMAND.test(commandTemplate);
  return {
    id,
    objectId: plainText(fields["object_id"]) ?? objectId,
    name: plainText(fields["name"]),
    component,
    deviceClass: plainText(fields["device_class"]),
    unit: plainText(fields["unit_of_measurement"]),
    stateTopic: topicOf(fields["state_topic"]),
    template: templateOf(fields["value_template"]),
    commandTopic: isPlain ? topicOf(fields["command_topic"]) : null,
    range: typeof min === "number" && typeof max === "number" && min <= max ? { min, max } : null,
    on: { command: on, state: plainText(fields["state_on"]) ?? on },
    off: { command: off, state: plainText(fields["state_off"]) ?? off },
    availability: availabilityOf(fields, base),
    expiresMs: typeof expires === "number" && expires > 0 ? expires * 1_000 : null,
    device: deviceOf(fields["device"]),
  };
}

function availabilityOf(fields: Fields, base: string | null): Availability {
  const mode = fields["availability_mode"];
  const listed = Array.isArray(fields["availability"]) ? fields["availability"] : [];
  const single = topicOf(fields["availability_topic"]);
  const all = [
    ...(single === null ? [] : [{ ...fields, topic: single, value_template: fields["availability_template"] ?? null }]),
    ...listed.map((each) => longForm(each, base)),
  ];
  return {
    mode: mode === "all" || mode === "any" ? mode : "latest",
    topics: all.flatMap((each: Fields): readonly AvailabilityTopic[] => {
      const topic = topicOf(each["topic"]);
      const template = templateOf(each["value_template"]);
      if (topic === null || template instanceof TemplateError) return [];
      return [
        {
          topic,
          available: plainText(each["payload_available"]) ?? "online",
          notAvailable: plainText(each["payload_not_available"]) ?? "offline",
          template,
        },
      ];
    }),
  };
}

function deviceOf(raw: Json | undefined): EntityDevice {
  const fields = longForm(raw ?? {});
  const identifiers = fields["identifiers"];
  const listed = Array.isArray(identifiers) ? identifiers : [identifiers ?? null];
  return {
    identifiers: listed.flatMap((each) => plainText(each) ?? []),
    name: plainText(fields["name"]),
    manufacturer: plainText(fields["manufacturer"]),
    model: plainText(fields["model"]),
    version: plainText(fields["sw_version"]),
    serial: plainText(fields["serial_number"]),
  };
}

function templateOf(raw: Json | undefined): Template | TemplateError {
  const source = plainText(raw);
  if (source === null) return PLAIN;
  try {
    return compileTemplate(source);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

/** A topic that can be subscribed to as it stands: no wildcard gets in by an announcement. */
function topicOf(raw: Json | undefined): string | null {
  const topic = plainText(raw);
  const isTopic = topic !== null && topic.length <= 300 && !/[+#\0]/.test(topic) && topic.isWellFormed();
  return isTopic && !topic.startsWith("$") ? topic : null;
}

/** Numbers and truths stand for their text: `"payload_on": true`. */
function plainText(raw: Json | undefined): string | null {
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw);
  return typeof raw === "string" && raw !== "" ? raw : null;
}
