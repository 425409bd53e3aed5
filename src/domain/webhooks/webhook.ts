import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../assets/asset.ts";
import { CONTROLS_IN_URL, hasNoControls, Instant, NullableInstant } from "../fields.ts";
import { DELIVERY_CODES } from "../notifications/delivery.ts";

/** The versions of webhook payloads (rule I9). */
export const WEBHOOK_VERSIONS = [
  "2023-04-01",
  "2023-04-15",
  "2023-05-01",
  "2023-08-01",
  "2024-01-01",
  "2024-10-01",
] as const;

/**
 * Stands for every event of the catalogue that clients of the mirrored service know (rule S1.7). The gateway's own events
 * are not in it: such a client may fail at a name that it does not know.
 */
const ALL_EVENTS = "*";

/** Stands for all of the gateway's own events whose name begins with `local:`. */
const ALL_LOCAL_EVENTS = "local:*";

/** What happens to each kind of asset and to energy systems. */
export const HAPPENINGS = ["discovered", "updated", "deleted"] as const;

const OTHER_CATALOGUE_EVENTS = [
  "user:inverter:statistics-updated",
  "user:vehicle:smart-charging-status-updated",
  "user:vendor-action:updated",
  "user:schedule:execution-updated",
  "user:credentials:invalidated",
  "user:charge-action:updated",
] as const;

/** The gateway's own events, which a webhook gets only where it asks for them. */
const OWN_EVENT_NAMES = [
  "local:energy:site-updated",
  "local:energy:limits-updated",
  "local:energy:limitation-updated",
  "local:energy:mode-changed",
  "local:energy:limit-active",
  "local:energy:limit-ended",
  "local:energy:alarm",
  "local:energy:plan-updated",
  "user:flex-event:updated",
] as const;

/** An event that a webhook can subscribe to by its name. */
export type PublicEvent =
  | `user:${AssetKind | "hem-system"}:${(typeof HAPPENINGS)[number]}`
  | (typeof OTHER_CATALOGUE_EVENTS)[number]
  | (typeof OWN_EVENT_NAMES)[number];

/** The events that `*` stands for. */
const CATALOGUE: ReadonlySet<string> = new Set([
  ...[...ASSET_KINDS, "hem-system"].flatMap((kind) => HAPPENINGS.map((happened) => `user:${kind}:${happened}`)),
  ...OTHER_CATALOGUE_EVENTS,
]);

const OWN_EVENTS: ReadonlySet<string> = new Set(OWN_EVENT_NAMES);

/** What a webhook can subscribe to, without the events of the service itself. */
export const SUBSCRIBABLE: ReadonlySet<string> = new Set([ALL_EVENTS, ALL_LOCAL_EVENTS, ...CATALOGUE, ...OWN_EVENTS]);

/** Returns true if a webhook with these `events` gets the event. */
export function isSubscribed(events: readonly string[], event: string): boolean {
  if (CATALOGUE.has(event)) return events.includes(ALL_EVENTS) || events.includes(event);
  if (!OWN_EVENTS.has(event)) return false;
  return events.includes(event) || (event.startsWith("local:") && events.includes(ALL_LOCAL_EVENTS));
}

/** The events of the service itself, without the prefix of their names. */
const SERVICE_EVENTS = ["webhook:test", "firehose:test"] as const;
export type ServiceEvent = (typeof SERVICE_EVENTS)[number];

/** Returns the full name of an event of the service, such as `service:webhook:test`. */
export function serviceEvent(namePrefix: string, event: ServiceEvent): string {
  return `${namePrefix.toLowerCase()}:${event}`;
}

/** Returns true if a webhook can subscribe to an event of this name. */
export function isSubscribable(name: string, namePrefix: string): boolean {
  return SUBSCRIBABLE.has(name) || SERVICE_EVENTS.some((event) => serviceEvent(namePrefix, event) === name);
}

const Url = z
  .string()
  .min(8)
  .max(200)
  .refine(hasNoControls, CONTROLS_IN_URL)
  .meta({ description: "URL to which events are posted; https.", format: "uri" });
const Secret = z.string().min(6).max(256).meta({
  description:
    "Secret with which deliveries are signed. The client generates it, with 128 random bits or more; responses never contain it.",
});
const Events = z.array(z.string().min(1).max(100)).max(100).meta({
  description:
    "Names of the events to deliver; `*` for all but those that begin with `local:`, `local:*` for all of these. Heartbeats are always delivered.",
});
const ApiVersion = z
  .enum(WEBHOOK_VERSIONS)
  .nullable()
  .meta({ description: "Version of the payloads; `null` for the version that the client is pinned to." });
const HeaderName = z
  .string()
  .regex(/^[a-z0-9_-]{1,128}$/, { error: "Expected 1 to 128 of a-z, 0-9, - and _" })
  .meta({ description: "Name of the header that is added to each delivery." });

const Authentication = z.strictObject({
  headerName: HeaderName,
  headerValue: z
    .string()
    .regex(/^[\x20-\x7e]{1,256}$/, { error: "Expected 1 to 256 printable ASCII characters" })
    .meta({ description: "Value of the header; responses never contain it." }),
});

/** A webhook in a response (rule S1.1). */
export const Webhook = z
  .object({
    id: z.uuid().meta({ description: "Id of the webhook." }),
    url: z.string().meta({ description: "URL to which events are posted." }),
    events: z
      .array(z.string())
      .meta({ description: "Names of the events that are delivered, with `*` and `local:*` as when they were set." }),
    lastSuccess: Instant.meta({
      description: "Time of the last acknowledged delivery, or of the creation before the first one.",
    }),
    isActive: z.boolean().meta({
      description: "`false` after deliveries failed for a day; events are not kept for it then.",
    }),
    createdAt: Instant.meta({ description: "Time at which the webhook was created." }),
    apiVersion: ApiVersion,
    authentication: z
      .object({ headerName: HeaderName })
      .nullable()
      .meta({ description: "The header that is added to each delivery; `null` if there is none." }),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

/** The body that creates a webhook. */
export const WebhookCreate = z
  .strictObject({
    url: Url,
    secret: Secret,
    events: Events.default([ALL_EVENTS]),
    apiVersion: ApiVersion.default(null),
    authentication: Authentication.nullable().default(null).meta({
      description: "A header to add to each delivery; `null` for none.",
    }),
  })
  .meta({ id: "WebhookCreate" });
export type WebhookCreate = z.infer<typeof WebhookCreate>;

/** The body that changes a webhook; fields that are left out stay as they are. */
export const WebhookUpdate = z
  .strictObject({
    url: Url.optional(),
    secret: Secret.optional(),
    events: Events.optional(),
    apiVersion: ApiVersion.optional(),
    authentication: Authentication.nullable().optional().meta({
      description: "A header to add to each delivery; `null` removes it.",
    }),
  })
  .meta({ id: "WebhookUpdate" });
export type WebhookUpdate = z.infer<typeof WebhookUpdate>;

/** The result of a test delivery (rule S1.4). */
export const WebhookTest = z
  .object({
    status: z.enum(["SUCCESS", "FAILURE"]).meta({ description: "`SUCCESS` if the receiver acknowledged the event." }),
    description: z.string().meta({ description: "Result in English." }),
    response: z
      .object({
        code: z.int().meta({ description: "HTTP status." }),
        body: z.string().meta({ description: "Beginning of the body as text." }),
        headers: z.array(z.string()).nullable().meta({ description: "Headers, each as `name: value`." }),
      })
      .nullable()
      .meta({ description: "Response of the receiver; `null` if there was none." }),
  })
  .meta({ id: "WebhookTest" });
export type WebhookTest = z.infer<typeof WebhookTest>;

const Delivery = z
  .object({
    at: Instant.meta({ description: "Time of the attempt." }),
    isSuccess: z.boolean().meta({ description: "`true` if the receiver acknowledged it." }),
    status: z.int().nullable().meta({ description: "HTTP status; `null` if there was no response." }),
    code: z.enum(DELIVERY_CODES).meta({
      description:
        "`sent`, or why not. `untrusted`: the certificate is not valid. `rejected`: the receiver answered another status than 2xx. `broken`: the connection ended, or something else answers there.",
    }),
    description: z.string().meta({ description: "What happened, in English." }),
  })
  .meta({ id: "WebhookDelivery", description: "An attempt to deliver to a webhook." });

/** A webhook of any client with its latest deliveries. */
export const WebhookOverview = z
  .object({
    webhook: Webhook,
    owner: z.object({
      id: z.string().meta({ description: "Id of the client or account that created it." }),
      name: z.string().nullable().meta({ description: "Its name; `null` if it is gone." }),
      isOwn: z.boolean().meta({ description: "`true` if the caller created it, and can change it." }),
    }),
    failures: z.int().min(0).meta({ description: "Failed attempts in a row." }),
    retryAt: NullableInstant.meta({ description: "Time of the next attempt after a failure; `null` if none failed." }),
    deliveries: z
      .array(Delivery)
      .meta({ description: "The latest attempts since the start, newest first, at most 10." }),
  })
  .meta({ id: "WebhookOverview" });

/** The single webhook of older versions (rule S1.8). */
export const FirehoseTarget = z.strictObject({ url: Url, secret: Secret }).meta({ id: "FirehoseTarget" });
export type FirehoseTarget = z.infer<typeof FirehoseTarget>;

/** The URL of the single webhook, in a response. */
export const FirehoseAddress = z.strictObject({ url: Url }).meta({ id: "FirehoseAddress" });
