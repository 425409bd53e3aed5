/** Changes of channels and of the mail server over the API. What is secret is written only, so it may be left out to stay. Pure. */
import { problem } from "../problem.ts";
import type {
  ChannelSettings,
  EmailSettings,
  MailServerSettings,
  NtfySettings,
  WebhookChannelSettings,
} from "./settings.ts";

/** Channels of a house, those of the configuration file included. */
export const MAX_CHANNELS = 20;

type NtfyChange = Omit<NtfySettings, "id" | "topic" | "token"> & {
  readonly topic?: string | undefined;
  /** `null` removes it. */
  readonly token?: string | null | undefined;
};
type WebhookChange = Omit<WebhookChannelSettings, "id" | "url" | "secret"> & {
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
};

/** A channel as it is to be; a secret that is absent stays as it is. */
export type ChannelChange = NtfyChange | Omit<EmailSettings, "id"> | WebhookChange;

/** Returns the channel after the change. Throws `bad-request` if a secret is missing that nothing is stored of. */
export function changedChannel(
  id: string,
  change: ChannelChange,
  before: ChannelSettings | undefined,
): ChannelSettings {
  switch (change.type) {
    case "ntfy":
      return changedNtfy(id, change, before?.type === "ntfy" ? before : undefined);
    case "email":
      return { id, ...change };
    case "webhook":
      return changedWebhook(id, change, before?.type === "webhook" ? before : undefined);
    default:
      return change satisfies never;
  }
}

/** What is stored is only for the server that it was given for: another one must not get to know it. */
function changedNtfy(id: string, change: NtfyChange, before: NtfySettings | undefined): NtfySettings {
  const { topic, token, ...others } = change;
  const kept = before?.server === change.server ? before : undefined;
  const isMoved = before !== undefined && kept === undefined;
  const newTopic = topic ?? kept?.topic;
  if (newTopic === undefined) {
    throw invalidSettings(
      "topic",
      isMoved ? "the server is another one; give the topic for it" : "a new channel needs a topic",
    );
  }
  const newToken = token === undefined ? kept?.token : (token ?? undefined);
  return { id, ...others, topic: newTopic, ...(newToken !== undefined && { token: newToken }) };
}

function changedWebhook(
  id: string,
  change: WebhookChange,
  before: WebhookChannelSettings | undefined,
): WebhookChannelSettings {
  const { url = before?.url, secret = before?.secret, ...others } = change;
  if (url === undefined) throw invalidSettings("url", "a new channel needs a URL");
  if (secret === undefined) throw invalidSettings("secret", "a new channel needs a secret that signs the messages");
  return { id, ...others, url, secret };
}

/** Returns the mail server after the change; a password stays only for the same server and user. Throws `bad-request`. */
export function changedMailServer(change: MailServerSettings, before: MailServerSettings | null): MailServerSettings {
  const { password: given, ...server } = change;
  if (server.username === undefined) {
    if (given !== undefined) throw invalidSettings("username", "username and password belong together");
    return server;
  }
  const isSame =
    before?.host === server.host &&
    before.port === server.port &&
    before.security === server.security &&
    before.username === server.username;
  const password = given ?? (isSame ? before.password : undefined);
  if (password === undefined) {
    const why = before?.password === undefined ? "username and password belong together" : null;
    throw invalidSettings("password", why ?? "the server or the user is another one; give the password for it");
  }
  return { ...server, password };
}

/** The problem of one field of the body. */
export function invalidSettings(field: string, message: string) {
  const issues = [{ code: "invalid", in: "body" as const, path: [field], message }];
  return problem("bad-request", "These settings are not valid.", { issues });
}
