import { z } from "zod";
import { urlOf } from "../domain/fields.ts";
import { HourMinute } from "../domain/hour-minute.ts";
import { NOTIFICATION_KINDS } from "../domain/notifications/condition.ts";
import { NOTIFICATION_LANGUAGES } from "../domain/notifications/message.ts";
import { MAX_CHANNELS } from "../domain/notifications/settings-change.ts";

/** Only plain addresses: a name beside it, a list or a line break could become a header. */
const MailAddress = z.email({ error: "expected an e-mail address such as anna@example.com" }).max(254);

/** Name of a channel. */
export const ChannelId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, {
    error: "expected 1 to 63 lower-case letters, digits and dashes, not a dash first",
  })
  .meta({ description: "Name of the channel: lower-case letters, digits and dashes. Keep it for good." });

const RULES = {
  language: z.enum(NOTIFICATION_LANGUAGES).default("en").meta({ description: "Language of the messages." }),
  kinds: z.array(z.enum(NOTIFICATION_KINDS)).min(1).optional().meta({
    description: "What it reports; everything when absent.",
  }),
  quietHours: z
    .strictObject({ from: HourMinute, until: HourMinute })
    .refine(({ from, until }) => from !== until, { error: "from and until are the same; leave quietHours out" })
    .optional()
    .meta({
      description:
        "Times of day in site.timezone, such as 22:00 to 07:00, in which nothing is sent; it is afterwards, if still true.",
    }),
  digestAt: HourMinute.optional().meta({
    description:
      "Time of day in site.timezone of one message a day about everything. Only grid-limit and target-missed are still sent at once.",
  }),
};

const SHARED = { id: ChannelId, ...RULES };

const Ntfy = z.strictObject({
  ...SHARED,
  type: z.literal("ntfy"),
  server: urlOf("http:", "https:")
    .default("https://ntfy.sh")
    .meta({ description: "Address of the ntfy server; http only in the house." }),
  topic: z
    .string()
    .regex(/^[-_A-Za-z0-9]{1,64}$/, { error: "expected 1 to 64 letters, digits, - or _" })
    .meta({ description: "Who knows it reads the messages: make it long and random." }),
  token: z
    .string()
    .min(1)
    .max(1_000)
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .meta({
      description: "Access token, if the server asks for one.",
    }),
});

const Email = z.strictObject({
  ...SHARED,
  type: z.literal("email"),
  to: z.array(MailAddress).min(1).max(10).meta({ description: "Who gets the messages." }),
});

const Webhook = z.strictObject({
  ...SHARED,
  type: z.literal("webhook"),
  url: urlOf("http:", "https:").meta({ description: "URL to which messages are posted; http only in the house." }),
  secret: z.string().min(6).max(256).meta({
    description: "Signs the messages as webhooks are signed. Generate it, with 128 random bits or more.",
  }),
});

const MailServer = z.strictObject({
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:-]+$/, { error: "expected a host name or address" })
    .max(255),
  port: z.int().min(1).max(65_535).optional().meta({ description: "Default: 465 with tls, else 587." }),
  security: z.enum(["tls", "starttls", "none"]).default("tls").meta({
    description: "none: in clear text, for a server in the house only.",
  }),
  username: z.string().min(1).max(255).optional(),
  password: z.string().min(1).max(1_000).optional(),
  from: MailAddress.meta({ description: "Address that the messages come from; most servers want the user's own." }),
});

const KEPT = "Absent: it stays as it is.";

/** A channel over the API: what is secret is written only, and may be left out to stay as it is. */
export const ChannelBody = z
  .discriminatedUnion("type", [
    Ntfy.omit({ id: true })
      .extend({
        topic: Ntfy.shape.topic.optional().meta({
          description: `Who knows it reads the messages: make it long and random. ${KEPT}`,
        }),
        token: Ntfy.shape.token.nullable().meta({
          description: `Access token, if the server asks for one; \`null\` removes it. ${KEPT}`,
        }),
      })
      .meta({ id: "NotificationChannelNtfy" }),
    Email.omit({ id: true }).meta({ id: "NotificationChannelEmail" }),
    Webhook.omit({ id: true })
      .extend({
        url: Webhook.shape.url.optional().meta({
          description: `URL to which messages are posted; http only in the house. ${KEPT}`,
        }),
        secret: Webhook.shape.secret.optional().meta({
          description: `Signs the messages as webhooks are signed. Generate it, with 128 random bits or more. ${KEPT}`,
        }),
      })
      .meta({ id: "NotificationChannelWebhook" }),
  ])
  .meta({ id: "NotificationChannelSettings" });

/** The server of e-mails over the API. */
export const MailServerBody = MailServer.extend({
  password: MailServer.shape.password.meta({
    description: `Goes with \`username\`. ${KEPT} It has to be given again when the server or the user is another one.`,
  }),
}).meta({ id: "MailServerSettings" });

/** The `notifications` section; its place in the configuration has the description. */
export const NotificationsConfig = z
  .strictObject({
    channels: z
      .array(z.discriminatedUnion("type", [Ntfy, Email, Webhook]))
      .max(MAX_CHANNELS)
      .default([])
      .meta({ description: "Who is notified, and how; nobody when empty." }),
    mailServer: MailServer.optional().meta({ description: "SMTP server that takes the e-mails." }),
    silentMinutes: z.int().min(5).max(1_440).default(30).meta({
      description: "How long a device has to be silent by day before people are notified.",
    }),
  })
  .superRefine(({ channels, mailServer }, context) => {
    for (const [index, { id, type }] of channels.entries()) {
      const before = channels.findIndex((channel) => channel.id === id);
      if (before < index) {
        const message = `channels[${before}] has this id already; each channel needs its own`;
        context.addIssue({ code: "custom", path: ["channels", index, "id"], message, input: id });
      }
      if (type !== "email" || mailServer !== undefined) continue;
      const message = "no server takes the e-mails: add notifications.mailServer";
      context.addIssue({ code: "custom", path: ["channels", index], message });
    }
    const { username, password } = mailServer ?? {};
    if ((username === undefined) !== (password === undefined)) {
      const message = "username and password belong together";
      context.addIssue({ code: "custom", path: ["mailServer"], message });
    }
  });
