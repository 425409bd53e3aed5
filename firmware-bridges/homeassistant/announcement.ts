import type { BridgeMessage } from "../kit/bridge.ts";
import { entriesOf, type Json, jsonOf, PayloadError } from "../kit/payload.ts";
import { baseOf, longForm } from "./abbreviations.ts";
import type { Availability, AvailabilityTopic, Entity, EntityChange, EntityDevice } from "./entity.ts";
import { compileTemplate, PLAIN, type Template, TemplateError } from "./template.ts";

/** Characters of one announcement; that of a device with a hundred entities has 40,000. */
const MAX_CHARACTERS = 128 * 1024;
/** More entities than any device has. */
const MAX_COMPONENTS = 500;
/** Availability topics of one entity, and identifiers of one device. */
const MAX_TOPICS = 10;
const MAX_IDENTIFIERS = 20;
/** A `command_template` that changes nothing. */
const PLAIN_COMMAND = /^\s*\{\{-?\s*value\s*-?\}\}\s*$/;
/** Fields of a component that replace what its device message says of the availability. */
const AVAILABILITY = [
  "availability",
  "availability_mode",
  "availability_template",
  "availability_topic",
  "payload_available",
  "payload_not_available",
];

/** The origin in the announcements of gateways like this one. */
const GATEWAY = "hemgate";

type Fields = Readonly<Record<string, Json>>;
type MayUse = (topic: string) => boolean;

interface Place {
  readonly component: string;
  readonly objectId: string;
}

/** What a device message says once for all of its components. */
interface Shared {
  readonly fields: Fields;
  readonly base: string | null;
  readonly device: EntityDevice;
  readonly availability: Availability;
}

/** Where an announcement is under the prefix; null for any other topic. */
function placeOf(topic: string, prefix: string): Place | null {
  if (!topic.startsWith(`${prefix}/`)) return null;
  const levels = topic.slice(prefix.length + 1).split("/");
  const [component, ...rest] = levels;
  if (component === undefined || rest.at(-1) !== "config" || rest.length < 2 || rest.length > 3) return null;
  return { component, objectId: rest.at(-2) ?? "" };
}

/**
 * The entities that a message under `<prefix>/<component>/[<node>/]<object>/config` announces; with `device` for the
 * component, each of the device's. An empty message takes back all that was announced on its topic: the key of that
 * change is the topic. Throws a `PayloadError` for a message that is too long or no JSON object.
 */
export function announcedIn(message: BridgeMessage, prefix: string): readonly EntityChange[] {
  const { topic, text, mayUse = () => true } = message;
  const place = placeOf(topic, prefix);
  if (place === null) return [];
  if (text === "") return [{ key: topic, entity: null }];
  if (text.length > MAX_CHARACTERS) {
    throw new PayloadError(`an announcement of ${text.length} characters; ${MAX_CHARACTERS} are read`);
  }
  const raw = jsonOf(text);
  const { components, ...fields } = longForm(raw);
  // The gateway's own announcements are no devices: it would read itself.
  if (plainText(longForm(fields["origin"] ?? {})["name"]) === GATEWAY) return [];
  const base = baseOf(raw);
  const shared: Shared = {
    fields,
    base,
    device: deviceOf(fields["device"]),
    availability: availabilityOf(fields, base),
  };
  if (place.component !== "device") return [{ key: topic, entity: entityOf(place, {}, shared, mayUse) }];
  return entriesOf(components)
    .slice(0, MAX_COMPONENTS)
    .map(([name, component]): EntityChange => {
      const key = `${topic}#${name}`;
      // A component with nothing but its platform is one that was removed.
      if (entriesOf(component).every(([field]) => field === "platform" || field === "p")) return { key, entity: null };
      const own = longForm(component, base);
      const place = { component: plainText(own["platform"]) ?? "", objectId: name };
      return { key, entity: entityOf(place, own, { ...shared, base: baseOf(component) ?? base }, mayUse) };
    });
}

/** An entity; what its component does not say holds as the device message says it for all. */
function entityOf({ component, objectId }: Place, own: Fields, shared: Shared, mayUse: MayUse): Entity {
  const fields: Fields = { ...shared.fields, ...own };
  const id = plainText(fields["unique_id"]) ?? plainText(fields["object_id"]) ?? objectId;
  const on = plainText(fields["payload_on"]) ?? "ON";
  const off = plainText(fields["payload_off"]) ?? "OFF";
  const [min, max] = [fields["min"], fields["max"]];
  const expires = fields["expire_after"];
  const commandTemplate = plainText(fields["command_template"]);
  const isPlain = commandTemplate === null || PLAIN_COMMAND.test(commandTemplate);
  const refused: string[] = [];
  const usable = (field: "state_topic" | "command_topic"): string | null => {
    const topic = topicOf(fields[field]);
    if (topic === null || mayUse(topic)) return topic;
    refused.push(`${field} ${topic} is not its announcer's to publish or read`);
    return null;
  };
  return {
    id,
    objectId: plainText(fields["object_id"]) ?? objectId,
    name: plainText(fields["name"]),
    component,
    deviceClass: plainText(fields["device_class"]),
    unit: plainText(fields["unit_of_measurement"]),
    stateTopic: usable("state_topic"),
    template: templateOf(fields["value_template"]),
    commandTopic: isPlain ? usable("command_topic") : null,
    range: typeof min === "number" && typeof max === "number" && min <= max ? { min, max } : null,
    on: { command: on, state: plainText(fields["state_on"]) ?? on },
    off: { command: off, state: plainText(fields["state_off"]) ?? off },
    availability: AVAILABILITY.some((field) => Object.hasOwn(own, field))
      ? availabilityOf(fields, shared.base)
      : shared.availability,
    expiresMs: typeof expires === "number" && expires > 0 ? expires * 1_000 : null,
    device: Object.hasOwn(own, "device") ? deviceOf(own["device"]) : shared.device,
    refused,
  };
}

function availabilityOf(fields: Fields, base: string | null): Availability {
  const mode = fields["availability_mode"];
  const listed = Array.isArray(fields["availability"]) ? fields["availability"] : [];
  const single = topicOf(fields["availability_topic"]);
  const all = [
    ...(single === null ? [] : [{ ...fields, topic: single, value_template: fields["availability_template"] ?? null }]),
    ...listed.slice(0, MAX_TOPICS).map((each) => longForm(each, base)),
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
    identifiers: listed.slice(0, MAX_IDENTIFIERS).flatMap((each) => plainText(each) ?? []),
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

/** A topic that can be subscribed to as it stands: no wildcard gets in by an announcement, and no topic of the gateway. */
function topicOf(raw: Json | undefined): string | null {
  const topic = plainText(raw);
  const isTopic = topic !== null && topic.length <= 300 && !/[+#\0]/.test(topic) && topic.isWellFormed();
  return isTopic && !/^(?:\$|hemgate\/)/.test(topic) ? topic : null;
}

/** Numbers and truths stand for their text: `"payload_on": true`. */
function plainText(raw: Json | undefined): string | null {
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw);
  return typeof raw === "string" && raw !== "" ? raw : null;
}
