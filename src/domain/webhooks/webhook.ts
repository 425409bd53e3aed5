import { z } from "zod";
import { ASSET_KINDS } from "../assets/asset.ts";
import { CONTROLS_IN_URL, hasNoControls, Instant } from "../fields.ts";

/** Every version that a webhook's payloads can be in (rule I9). */
export const WEBHOOK_VERSIONS = [
  "2023-04-01",
  "2023-04-15",
  "2023-05-01",
  "2023-08-01",
  "2024-01-01",
  "2024-10-01",
] as const;

/** Stands for every event. */
export const ALL_EVENTS = "*";

/** What a webhook can ask for (rule S1.7), beside the service's own events. */
export const SUBSCRIBABLE: ReadonlySet<string> = new Set([
  ALL_EVENTS,
  ...[...ASSET_KINDS, "hem-system"].flatMap((kind) =>
    ["discovered", "updated", "deleted"].map((happened) => `user:${kind}:${happened}`),
  ),
  "user:inverter:statistics-updated",
  "user:vehicle:smart-charging-status-updated",
  "user:vendor-action:updated",
  "user:schedule:execution-updated",
  "user:credentials:invalidated",
  "user:charge-action:updated",
]);

/** Events of the service itself: their names begin with its own prefix. */
const SERVICE_EVENTS = ["webhook:test", "firehose:test"] as const;
export type ServiceEvent = (typeof SERVICE_EVENTS)[number];

/** The full name of a service's event, such as `service:webhook:test`. */
export function serviceEvent(namePrefix: string, event: ServiceEvent): string {
  return `${namePrefix.toLowerCase()}:${event}`;
}

/** Whether a name may stand in the `events` of a webhook. */
export function isSubscribable(name: string, namePrefix: string): boolean {
  return SUBSCRIBABLE.has(name) || SERVICE_EVENTS.some((event) => serviceEvent(namePrefix, event) === name);
}

const Url = z
  .string()
  .min(8)
  .max(200)
  .refine(hasNoControls, CONTROLS_IN_URL)
  .meta({ description: "Where events are posted to; https.", format: "uri" });
const Secret = z
  .string()
  .min(6)
  .max(256)
  .meta({ description: "Key of the signatures, made by the client; 128 bits of chance are advised. Never answered." });
const Events = z
  .array(z.string().min(1).max(100))
  .max(100)
  .meta({ description: "Names of the events to be told of; `*` for all. Heartbeats come in any case." });
const ApiVersion = z
  .enum(WEBHOOK_VERSIONS)
  .nullable()
  .meta({ description: "Version of the payloads; null: the version that the client is pinned to." });
const HeaderName = z
  .string()
  .regex(/^[a-z0-9_-]{1,128}$/, { error: "Expected 1 to 128 of a-z, 0-9, - and _" })
  .meta({ description: "Name of the header that each delivery carries." });

const Authentication = z.strictObject({
  headerName: HeaderName,
  headerValue: z
    .string()
    .regex(/^[\x20-\x7e]{1,256}$/, { error: "Expected 1 to 256 printable ASCII characters" })
    .meta({ description: "Value of the header. Never answered." }),
});

/** A webhook as it is answered (rule S1.1). */
export const Webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(z.string()).meta({ description: "Names of the events it is told of; `*` for all." }),
    lastSuccess: Instant.meta({ description: "The last delivery that was acknowledged; at first the creation." }),
    isActive: z.boolean().meta({ description: "False after deliveries failed for a day; events are not kept then." }),
    createdAt: Instant,
    apiVersion: ApiVersion,
    authentication: z.object({ headerName: HeaderName }).nullable(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookCreate = z
  .strictObject({
    url: Url,
    secret: Secret,
    events: Events.default([ALL_EVENTS]),
    apiVersion: ApiVersion.default(null),
    authentication: Authentication.nullable().default(null),
  })
  .meta({ id: "WebhookCreate" });
export type WebhookCreate = z.infer<typeof WebhookCreate>;

export const WebhookUpdate = z
  .strictObject({
    url: Url.optional(),
    secret: Secret.optional(),
    events: Events.optional(),
    apiVersion: ApiVersion.optional(),
    authentication: Authentication.nullable().optional().meta({ description: "Null takes the header away." }),
  })
  .meta({ id: "WebhookUpdate" });
export type WebhookUpdate = z.infer<typeof WebhookUpdate>;

/** How a test delivery went (rule S1.4). */
export const WebhookTest = z
  .object({
    status: z.enum(["SUCCESS", "FAILURE"]),
    description: z.string().meta({ description: "For people." }),
    response: z
      .object({
        code: z.int().meta({ description: "HTTP status." }),
        body: z.string().meta({ description: "Its beginning, as text." }),
        headers: z.array(z.string()).nullable().meta({ description: "`name: value` each." }),
      })
      .nullable()
      .meta({ description: "Null when no answer came." }),
  })
  .meta({ id: "WebhookTest" });
export type WebhookTest = z.infer<typeof WebhookTest>;

/** The single webhook of older versions (rule S1.8). */
export const FirehoseTarget = z.strictObject({ url: Url, secret: Secret }).meta({ id: "FirehoseTarget" });
export type FirehoseTarget = z.infer<typeof FirehoseTarget>;

export const FirehoseAddress = z.strictObject({ url: Url }).meta({ id: "FirehoseAddress" });
