/** How a message leaves the house, by each kind of channel. */
import { MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";
import type { DeliveryCode, DeliveryOutcome } from "../../domain/notifications/delivery.ts";
import type { Message, NotificationItem } from "../../domain/notifications/message.ts";
import type {
  ChannelSettings,
  EmailSettings,
  MailServerSettings,
  NtfySettings,
  WebhookChannelSettings,
} from "../../domain/notifications/settings.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import { MailError, type MailErrorKind, type Mailer, type MailServer } from "../../platform/ports/mail-port.ts";
import type { Clock, HttpAnswer } from "../../platform/ports/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import { codeOfStatus, deliveryCode, HTTP_CODES } from "../delivery-code.ts";
import { eventText } from "../webhooks/event-text.ts";
import { postDelivery } from "../webhooks/post.ts";
import type { TargetClients } from "../webhooks/target-policy.ts";

/** The event of a webhook. */
const EVENT = "local:notification";
const ANSWER_WITHIN_MS = 20 * SECOND_MS;
/** A mail server may think about a message, such as while it looks for spam. */
const MAIL_WITHIN_MS = MINUTE_MS;
const MAX_ANSWER_BYTES = 1_024;
/** Priorities of ntfy: 3 is the usual one, 4 makes more noise. */
const PRIORITY = { usual: 3, urgent: 4 } as const;
const DEFAULT_PORTS = { tls: 465, starttls: 587, none: 587 } as const;

/** A message on its way. */
export interface OutgoingMessage extends Message {
  /** The same when it is sent again. */
  readonly id: string;
  readonly isUrgent: boolean;
  /** What it is about; empty for a test. */
  readonly items: readonly NotificationItem[];
}

export interface SenderParts {
  readonly clients: TargetClients;
  /** `undefined`: no e-mail can be sent. */
  readonly mailer: Mailer | undefined;
  readonly mailServer: MailServerSettings | undefined;
  readonly clock: Pick<Clock, "timer" | "nowMs">;
  /** The configured prefix of header names, such as `Service`. */
  readonly namePrefix: string;
  /** Version of the payload of webhooks. */
  readonly version: string;
}

/** Sends a message. Rejects only with the signal's reason. */
export async function sendMessage(
  parts: SenderParts,
  channel: ChannelSettings,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  switch (channel.type) {
    case "ntfy":
      return await sendNtfy(parts, channel, message, signal);
    case "email":
      return await sendEmail(parts, channel, message, signal);
    case "webhook":
      return await sendWebhook(parts, channel, message, signal);
    default:
      return channel satisfies never;
  }
}

/** Returns the host that takes a channel's messages. */
export function hostOfChannel(channel: ChannelSettings, mailServer: MailServerSettings | undefined): string {
  switch (channel.type) {
    case "ntfy":
      return new URL(channel.server).host;
    case "email":
      return mailServer?.host ?? "";
    case "webhook":
      return new URL(channel.url).host;
    default:
      return channel satisfies never;
  }
}

/** As JSON to the server's root: titles in headers have no letters beyond ASCII. */
async function sendNtfy(
  { clients, clock }: SenderParts,
  { server, topic, token }: NtfySettings,
  { title, text, isUrgent }: OutgoingMessage,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const url = new URL(server);
  const body = new TextEncoder().encode(
    JSON.stringify({ topic, title, message: text, priority: isUrgent ? PRIORITY.urgent : PRIORITY.usual }),
  );
  const headers = {
    "content-type": "application/json",
    "user-agent": "hemgate",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  try {
    const answer = await within(clock, ANSWER_WITHIN_MS, signal, (limit) =>
      clients.clientFor(url).request({ method: "POST", url, headers, body, maxBodyBytes: MAX_ANSWER_BYTES }, limit),
    );
    return ntfyOutcome(url.host, answer, token !== undefined);
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(url.host, error);
  }
}

function ntfyOutcome(host: string, { status }: HttpAnswer, hasToken: boolean): DeliveryOutcome {
  const code = codeOfStatus(status);
  switch (code) {
    case "sent":
      return { code, description: `${host} took the message.` };
    case "unauthorized": {
      const what = hasToken ? "check the token, and whether it may write to the topic" : "this topic needs a token";
      return { code, description: `${host} does not let the gateway write to the topic (HTTP ${status}): ${what}.` };
    }
    case "not-found":
      return { code, description: `${host} answers, but not as ntfy (HTTP ${status}): check the server's address.` };
    case "rate-limited":
      return { code, description: `${host} takes no more messages for now (HTTP ${status}); it is tried again later.` };
    default:
      return {
        code,
        description: `${host} did not take the message (HTTP ${status}): check the server and the topic.`,
      };
  }
}

async function sendEmail(
  { mailer, mailServer, clock }: SenderParts,
  { to }: EmailSettings,
  { id, title, text }: OutgoingMessage,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  if (mailer === undefined || mailServer === undefined) {
    return { code: "rejected", description: "This gateway cannot send e-mail: it has no mail server." };
  }
  const { host, from } = mailServer;
  try {
    await within(clock, MAIL_WITHIN_MS, signal, (limit) =>
      mailer.send(serverOf(mailServer), { id, from, to, subject: title, text }, limit),
    );
    return { code: "sent", description: `${host} took the e-mail.` };
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(host, error);
  }
}

function serverOf({ host, port, security, username, password }: MailServerSettings): MailServer {
  const account = username === undefined || password === undefined ? null : { username, password };
  return { host, port: port ?? DEFAULT_PORTS[security], security, account };
}

async function sendWebhook(
  parts: SenderParts,
  { url, secret, language }: WebhookChannelSettings,
  { id, title, text, isUrgent, items }: OutgoingMessage,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const about = items.map(({ facts: { kind }, isOver }) => ({ kind, isOver }));
  const notification = { id, title, text, language, isUrgent, about };
  const envelope = { createdAtMs: parts.clock.nowMs(), version: parts.version, event: EVENT };
  const json = `[${eventText(envelope, { notification })}]`;
  const record = { url, secret, authentication: null };
  const { answer, description, failure } = await postDelivery(parts, record, { id, json }, signal);
  return { code: deliveryCode(answer, failure), description };
}

const MAIL_CODES: Readonly<Record<MailErrorKind, DeliveryCode>> = {
  unresolved: "no-such-host",
  unreachable: "unreachable",
  untrusted: "untrusted",
  unauthorized: "unauthorized",
  rejected: "rejected",
  broken: "broken",
};

function failureOf(host: string, error: unknown): DeliveryOutcome {
  if (error instanceof TimeoutError) {
    return { code: "timeout", description: `${host} did not answer within ${error.limitMs / SECOND_MS} s.` };
  }
  if (error instanceof HttpError) return { code: HTTP_CODES[error.kind], description: `${sentence(error.message)}` };
  if (error instanceof MailError) return { code: MAIL_CODES[error.kind], description: sentence(error.message) };
  throw error;
}

function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
