/** The channels of notifications and their deliveries in the API. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import { HourMinute } from "../hour-minute.ts";
import { NOTIFICATION_KINDS } from "./condition.ts";
import { NOTIFICATION_LANGUAGES } from "./message.ts";

export const DELIVERY_CODES = [
  "sent",
  "no-such-host",
  "unreachable",
  "untrusted",
  "timeout",
  "unauthorized",
  "not-found",
  "rate-limited",
  "rejected",
  "address-refused",
  "broken",
] as const;

/**
 * What became of a message. `untrusted`: the certificate is not valid. `unauthorized`: the token, user or password is not
 * accepted. `not-found`: the server knows no such topic or path. `rejected`: the server does not take this message.
 * `address-refused`: messages are not sent to this address. `broken`: the connection ended, or something else answers there.
 */
export type DeliveryCode = (typeof DELIVERY_CODES)[number];

/** The result of one attempt. */
export interface DeliveryOutcome {
  readonly code: DeliveryCode;
  /** What happened and what to check, in English; no secret, topic or e-mail address. */
  readonly description: string;
}

export const NotificationDelivery = z
  .object({
    at: Instant.meta({ description: "Time of the attempt." }),
    isTest: z.boolean().meta({ description: "`true` for a test message." }),
    code: z.enum(DELIVERY_CODES).meta({
      description:
        "`sent`, or why not. `untrusted`: the certificate is not valid. `unauthorized`: token, user or password. `not-found`: no such topic or path. `broken`: the connection ended, or something else answers there.",
    }),
    description: z.string().meta({ description: "What happened and what to check, in English." }),
  })
  .meta({ id: "NotificationDelivery" });
export type NotificationDelivery = z.infer<typeof NotificationDelivery>;

const Origin = z.enum(["file", "api"]).meta({
  description: "`file`: the configuration file has it, and it is changed only there. `api`: set here.",
});

export const NotificationChannel = z
  .object({
    id: z.string().meta({ description: "Its name." }),
    origin: Origin,
    type: z.enum(["ntfy", "email", "webhook"]),
    host: z.string().meta({ description: "The server that takes the messages." }),
    server: z.string().nullable().meta({ description: "Address of the ntfy server; `null` for other types." }),
    hasToken: z.boolean().meta({ description: "`true` if an access token for the ntfy server is stored." }),
    to: z.array(z.string()).nullable().meta({ description: "Who gets the e-mails; `null` for other types." }),
    language: z.enum(NOTIFICATION_LANGUAGES).meta({ description: "Language of the messages." }),
    kinds: z.array(z.enum(NOTIFICATION_KINDS)).meta({ description: "What it reports." }),
    quietHours: z
      .object({ from: HourMinute, until: HourMinute })
      .nullable()
      .meta({ description: "Times of day of the site in which nothing is sent; `null`: none." }),
    isQuiet: z.boolean().meta({ description: "`true` during its quiet hours." }),
    digestAt: HourMinute.nullable().meta({
      description: "Time of day of its one message a day; `null`: everything is sent when it happens.",
    }),
    failures: z.int().meta({ description: "Failed attempts in a row; 0: the last message arrived, or none was sent." }),
    retryAt: NullableInstant.meta({ description: "Next attempt after a failure; `null` if the last one arrived." }),
    sentLastDay: z.int().meta({ description: "Messages of the last 24 hours, without tests; 8 at most." }),
    open: z.int().meta({ description: "Things that were reported and are not over." }),
    deliveries: z.array(NotificationDelivery).meta({
      description: "The last 10 attempts since the start of the gateway, newest first.",
    }),
  })
  .meta({ id: "NotificationChannel", description: "A way to notify somebody." });
export type NotificationChannel = z.infer<typeof NotificationChannel>;

export const MailServerView = z
  .object({
    origin: Origin.nullable().meta({ description: "As of a channel; `null` if there is no mail server." }),
    server: z
      .object({
        host: z.string(),
        port: z.int().nullable().meta({ description: "`null`: 465 with `tls`, else 587." }),
        security: z.enum(["tls", "starttls", "none"]),
        username: z.string().nullable(),
        hasPassword: z.boolean(),
        from: z.string().meta({ description: "Address that the messages come from." }),
      })
      .nullable()
      .meta({ description: "`null`: no e-mail can be sent." }),
  })
  .meta({ id: "MailServer", description: "The SMTP server that takes the e-mails, without its password." });
export type MailServerView = z.infer<typeof MailServerView>;
