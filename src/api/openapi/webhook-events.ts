/** The section `webhooks` of the description: what is posted to webhooks, by the declared events. */
import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
import { HAPPENINGS, type PublicEvent } from "../../domain/webhooks/webhook.ts";
import { isObject, type JsonObject, listAt, mapValues, objectAt } from "../versions/json.ts";
import { SCHEMA_EXAMPLES } from "./examples.ts";

const SCHEMA_REF = "#/components/schemas/";
const CREATED = "2026-06-21T10:15:30.000Z";
const DEVICE = { id: "1f7b9d34-0c6e-4a5b-b8d2-7e91a4c0f363", deviceType: "charger" } as const;
const TEXT = { type: "string" } as const;
const TRUTH = { type: "boolean" } as const;

/** What an event carries beside its envelope. */
interface Payload {
  readonly summary: string;
  readonly fields: Readonly<Record<string, JsonObject>>;
  readonly example: JsonObject;
  /** False: it is about no user. */
  readonly isOfUser?: false;
}

/** The name is accepted, but another event replaces it. */
type NeverSent = "user:charge-action:updated";
type RecordEvent = `user:${AssetKind | "hem-system"}:${(typeof HAPPENINGS)[number]}`;

const ENERGY_DEVICE: JsonObject = {
  type: "object",
  properties: { id: { type: "string", format: "uuid" }, deviceType: TEXT },
  required: ["id", "deviceType"],
};
const LIMIT: JsonObject = {
  type: "object",
  properties: {
    code: { ...TEXT, description: "As in the reasons of `/local/energy`." },
    subject: { type: ["string", "null"], description: "The fuse, circuit, phase or source; `null` if none is named." },
  },
  required: ["code", "subject"],
};
const UPDATED_FIELDS: JsonObject = {
  type: "array",
  items: TEXT,
  description: "Paths of the fields that changed, such as `chargeState.chargeRate`.",
};

/** Each declared event but those of devices and systems; a new one does not compile until it is here. */
const OTHERS: Readonly<Record<Exclude<PublicEvent, RecordEvent | NeverSent>, Payload>> = {
  "user:inverter:statistics-updated": {
    summary: "Statistics of an inverter changed that were not final before",
    fields: {
      statistics: {
        allOf: [
          ref("InverterStatistics"),
          {
            type: "object",
            properties: {
              inverterId: { type: "string", format: "uuid" },
              year: { type: "integer" },
              month: { type: "integer" },
              day: { type: ["integer", "null"], description: "`null` for a whole month." },
            },
            required: ["inverterId", "year", "month", "day"],
          },
        ],
      },
    },
    example: {
      statistics: {
        ...objectOf("InverterStatistics"),
        inverterId: "c3e0f5a2-9d48-4f17-8b6c-52d0e7a91b04",
        year: 2026,
        month: 6,
        day: 21,
      },
    },
  },
  "user:vehicle:smart-charging-status-updated": {
    summary: "The smart charging of a vehicle moved on",
    fields: { smartChargingStatus: ref("VehicleSmartChargingStatus"), updatedFields: UPDATED_FIELDS },
    example: { smartChargingStatus: exampleOf("VehicleSmartChargingStatus"), updatedFields: ["state"] },
  },
  "user:vendor-action:updated": {
    summary: "An action was made or changed its state",
    fields: {
      vendorAction: oneOf("BatteryAction", "ChargeAction", "ChargeRateLimitAction", "MaxCurrentAction", "HvacAction"),
      updatedFields: UPDATED_FIELDS,
    },
    example: { vendorAction: exampleOf("ChargeAction"), updatedFields: ["state"] },
  },
  "user:schedule:execution-updated": {
    summary: "How far a schedule is with its target changed",
    fields: {
      status: oneOf("ChargeScheduleStatus", "TemperatureScheduleStatus"),
      schedule: oneOf("ChargeSchedule", "TemperatureSchedule"),
      updatedFields: UPDATED_FIELDS,
    },
    example: {
      status: exampleOf("ChargeScheduleStatus"),
      schedule: exampleOf("ChargeSchedule"),
      updatedFields: ["state"],
    },
  },
  "user:credentials:invalidated": {
    summary: "A vendor does not accept a user's sign-in any more",
    fields: { vendor: { ...TEXT, description: "Vendor code, as in /health." } },
    example: { vendor: "TESLA" },
  },
  "local:energy:site-updated": {
    summary: "The connection to the grid was changed",
    fields: {
      site: {
        type: "object",
        properties: { connection: ref("SiteConnection"), origins: { type: "object", additionalProperties: TEXT } },
        required: ["connection", "origins"],
      },
    },
    example: { site: { connection: { fuseA: 25, importKw: 11 }, origins: { fuseA: "file", importKw: "api" } } },
    isOfUser: false,
  },
  "local:energy:limits-updated": {
    summary: "Other limits of the grid operator apply, or none any more",
    fields: { limits: { type: "array", items: ref("ActiveLimit"), description: "What applies now; empty for none." } },
    example: { limits: [exampleOf("ActiveLimit")] },
    isOfUser: false,
  },
  "local:energy:limitation-updated": {
    summary: "A limitation by the grid operator began or ended",
    fields: { limitation: ref("Limitation") },
    example: { limitation: exampleOf("Limitation") },
    isOfUser: false,
  },
  "local:energy:mode-changed": {
    summary: "The energy mode of a device was set",
    fields: { energyDevice: ENERGY_DEVICE, mode: { type: ["string", "null"], description: "`null`: none any more." } },
    example: { energyDevice: DEVICE, mode: "SURPLUS" },
  },
  "local:energy:limit-active": {
    summary: "A limit of the house began to decide about a device",
    fields: { energyDevice: ENERGY_DEVICE, limit: LIMIT },
    example: { energyDevice: DEVICE, limit: { code: "circuit", subject: "garage" } },
  },
  "local:energy:limit-ended": {
    summary: "A limit of the house no longer decides about a device",
    fields: { energyDevice: ENERGY_DEVICE, limit: LIMIT },
    example: { energyDevice: DEVICE, limit: { code: "circuit", subject: "garage" } },
  },
  "local:energy:alarm": {
    summary: "An alarm of the energy manager began or ended",
    fields: { alarm: ref("EnergyAlarm"), isOn: { ...TRUTH, description: "`false` when the alarm ends." } },
    example: { alarm: { code: "meter-silent", subject: "meter", since: CREATED }, isOn: true },
  },
  "local:energy:plan-updated": {
    summary: "What the energy plan is about to do changed",
    fields: {
      plan: {
        type: "object",
        properties: {
          isPlanned: TRUTH,
          whyNot: { type: ["string", "null"], description: "Why there is no plan; `null` if there is one." },
          deviceIds: { type: "array", items: TEXT },
        },
        required: ["isPlanned", "whyNot", "deviceIds"],
      },
    },
    example: { plan: { isPlanned: true, whyNot: null, deviceIds: [DEVICE.id] } },
  },
  "user:flex-event:updated": {
    summary: "An event of the grid was made, began or ended",
    fields: { flexEvent: ref("FlexEvent") },
    example: { flexEvent: exampleOf("FlexEvent") },
  },
};

const RECORDS: Readonly<Record<AssetKind | "hem-system", { readonly key: string; readonly schema: string }>> = {
  battery: { key: "battery", schema: "Battery" },
  charger: { key: "charger", schema: "Charger" },
  hvac: { key: "hvac", schema: "Hvac" },
  inverter: { key: "inverter", schema: "Inverter" },
  meter: { key: "meter", schema: "Meter" },
  vehicle: { key: "vehicle", schema: "Vehicle" },
  "hem-system": { key: "hemSystem", schema: "HemSystem" },
};
const HAPPENED = {
  discovered: "was found; it has its identity, and an update with its values follows",
  updated: "changed",
  deleted: "is gone; this is what was last known",
} as const;

/** Of the gateway itself; the firehose's is only in versions that have the single webhook. */
function ownEvents(namePrefix: string): Readonly<Record<string, Payload>> {
  const heartbeat = { type: "integer", description: "Events that wait, with those that were dropped." };
  return {
    [`${namePrefix.toLowerCase()}:webhook:test`]: {
      summary: "A test that was asked for with `POST /webhooks/{webhookId}/test`",
      fields: {},
      example: {},
      isOfUser: false,
    },
    "system:heartbeat": {
      summary: "Every five minutes, whatever a webhook subscribed to",
      fields: { pendingEvents: heartbeat },
      example: { pendingEvents: 0 },
      isOfUser: false,
    },
  };
}

/** Returns the section, and the schemas of its events. */
export function webhookSection(namePrefix: string): { readonly webhooks: JsonObject; readonly schemas: JsonObject } {
  const records = ([...ASSET_KINDS, "hem-system"] as const).flatMap((kind) =>
    HAPPENINGS.map((happened) => [`user:${kind}:${happened}`, recordPayload(kind, happened)] as const),
  );
  const events = [...records, ...Object.entries(OTHERS), ...Object.entries(ownEvents(namePrefix))];
  return {
    webhooks: Object.fromEntries(events.map(([event, payload]) => [event, { post: operation(event, payload) }])),
    schemas: Object.fromEntries(events.map(([event, payload]) => [schemaName(event), schemaOf(event, payload)])),
  };
}

function recordPayload(kind: AssetKind | "hem-system", happened: (typeof HAPPENINGS)[number]): Payload {
  const { key, schema } = RECORDS[kind];
  const isUpdate = happened === "updated";
  return {
    summary: `A ${kind === "hem-system" ? "system" : kind} ${HAPPENED[happened]}`,
    fields: { [key]: ref(schema), ...(isUpdate && { updatedFields: UPDATED_FIELDS }) },
    example: { [key]: exampleOf(schema), ...(isUpdate && { updatedFields: ["lastSeen"] }) },
  };
}

function operation(event: string, { summary }: Payload): JsonObject {
  return {
    operationId: `on${schemaName(event)}`,
    summary,
    description:
      "A delivery is a list of 1 to 100 events, oldest first, which may be of several kinds. Any 2xx within 5 s acknowledges it; otherwise the same delivery comes again with the same id.",
    tags: ["webhooks"],
    security: [],
    parameters: [{ $ref: "#/components/parameters/delivery" }, { $ref: "#/components/parameters/signature" }],
    requestBody: {
      required: true,
      content: { "application/json": { schema: { type: "array", items: ref(schemaName(event)) } } },
    },
    responses: {
      "204": { description: "The events are stored." },
      "401": { description: "The signature is wrong; the delivery counts as failed." },
    },
  };
}

/** A copy of the schemas in which the examples of events name the version that they are in. */
export function datedEvents(schemas: JsonObject, version: string): JsonObject {
  return mapValues(schemas, (schema) => {
    const isEvent = Object.hasOwn(objectAt(objectAt(schema, "properties"), "event"), "const");
    if (!isEvent || !isObject(schema)) return schema;
    const examples = listAt(schema, "examples").map((example) =>
      isObject(example) ? { ...example, version } : example,
    );
    return { ...schema, examples };
  });
}

/** The headers of a delivery, as parameters of the description. */
export function webhookParameters(namePrefix: string): JsonObject {
  const header = (name: string, description: string): JsonObject => ({
    name: `x-${namePrefix.toLowerCase()}-${name}`,
    in: "header",
    required: true,
    description,
    schema: TEXT,
  });
  return {
    delivery: header("delivery", "Id of the delivery, the same when it is repeated."),
    signature: header(
      "signature-256",
      "`sha256=` and the lower-case hex of HMAC-SHA256 of the body's bytes, keyed with the webhook's secret.",
    ),
  };
}

function schemaOf(event: string, { fields, example, isOfUser }: Payload): JsonObject {
  const user = { type: "object", properties: { id: TEXT }, required: ["id"] };
  const isRequiredUser = isOfUser !== false && event !== "user:flex-event:updated";
  return {
    type: "object",
    properties: {
      createdAt: { type: "string", format: "date-time" },
      version: { ...TEXT, description: "Version of the API whose shape the records have." },
      event: { const: event },
      ...(isOfUser !== false && { user }),
      ...fields,
    },
    required: ["createdAt", "version", "event", ...(isRequiredUser ? ["user"] : []), ...Object.keys(fields)],
    examples: [
      {
        createdAt: CREATED,
        version: "2024-10-01",
        event,
        ...(isOfUser !== false && { user: { id: "home" } }),
        ...example,
      },
    ],
  };
}

/** `UserChargerUpdatedEvent` for `user:charger:updated`. */
function schemaName(event: string): string {
  const words = event.split(/[:-]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

function ref(name: string): JsonObject {
  return { $ref: SCHEMA_REF + name };
}

function oneOf(...names: readonly string[]): JsonObject {
  return { oneOf: names.map(ref) };
}

function exampleOf(name: string): unknown {
  return SCHEMA_EXAMPLES[name]?.[0];
}

function objectOf(name: string): JsonObject {
  return objectAt({ example: exampleOf(name) }, "example");
}
