import type { GatewayEvent } from "../../client/index.ts";
import { nearest } from "../../config/nearest.ts";
import { isSubscribable, isSubscribed, SUBSCRIBABLE } from "../../domain/webhooks/webhook.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { socketClient } from "../socket-client.ts";

/** Fields of every event, and what is printed in its own place. */
const NOT_RECORDS: ReadonlySet<string> = new Set(["event", "createdAt", "version", "user", "updatedFields"]);

export interface ListenOptions {
  readonly folder: string;
  readonly isJson: boolean;
  /** Names separated by commas, with `*` and `local:*` as webhooks have them; absent: all events. */
  readonly events?: string;
}

/** `hemgate webhooks listen`: prints the events that a webhook would get, as they happen, until Ctrl-C. */
export async function listen(
  { folder, isJson, events = "*,local:*,user:flex-event:updated" }: ListenOptions,
  context: Pick<CliContext, "out" | "err" | "stop">,
): Promise<ExitCode> {
  const names = events.split(",").map((name) => name.trim());
  for (const name of names) requireEvent(name);
  const client = await socketClient(folder, context.stop);
  for await (const message of client.events({ signal: context.stop })) {
    if (message.type === "live") context.err("listening; Ctrl-C ends it");
    if (message.type === "disconnected") {
      context.err(
        `the gateway does not answer${message.error === null ? "" : `: ${message.error.message}`}; trying again`,
      );
    }
    if (message.type !== "event" || !isSubscribed(names, message.event.event)) continue;
    context.out(isJson ? JSON.stringify(message.event) : eventLine(message.event));
  }
  return EXIT.ok;
}

function requireEvent(name: string): void {
  if (isSubscribable(name, "")) return;
  const close = nearest(name, [...SUBSCRIBABLE]);
  const advice = close === null ? "docs/webhooks.md lists them" : `did you mean ${close}?`;
  throw new CliError(EXIT.usage, `--events: there is no event "${name}"; ${advice}`);
}

/** Time, name, what it is about, and what changed. */
function eventLine(event: GatewayEvent): string {
  const about = Object.entries(event).flatMap(([key, value]) =>
    NOT_RECORDS.has(key) ? [] : [`${key}=${idOf(value) ?? JSON.stringify(value)}`],
  );
  const changed = event.updatedFields === undefined ? [] : [`changed: ${event.updatedFields.join(", ")}`];
  return [event.createdAt, event.event, ...about, ...changed].join(" ");
}

function idOf(value: unknown): string | null {
  const id = typeof value === "object" && value !== null ? Reflect.get(value, "id") : undefined;
  return typeof id === "string" ? id : null;
}
