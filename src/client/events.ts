/** The gateway's live stream, taken up again by itself where it broke. */
import { ClientError } from "./client-error.ts";
import type { Transport } from "./transport.ts";
import type { Schemas } from "./types.ts";

/** An event, as webhooks and the live stream have it. Which fields it has depends on its name: docs/webhooks.md. */
export interface GatewayEvent {
  /** Such as `user:charger:updated`. */
  readonly event: string;
  readonly createdAt: string;
  readonly version: string;
  readonly user?: { readonly id: string };
  readonly updatedFields?: readonly string[];
  readonly battery?: Schemas["Battery"];
  readonly charger?: Schemas["Charger"];
  readonly hvac?: Schemas["Hvac"];
  readonly inverter?: Schemas["Inverter"];
  readonly meter?: Schemas["Meter"];
  readonly vehicle?: Schemas["Vehicle"];
  readonly [field: string]: unknown;
}

export type LiveMessage =
  /** The states that follow are all there are; forget what is not among them. */
  | { readonly type: "snapshot"; readonly reason: string; readonly version: string; readonly assets: number }
  /** All states of the snapshot have come; what follows are changes. */
  | { readonly type: "live" }
  | { readonly type: "event"; readonly id: string | null; readonly event: GatewayEvent }
  /** The stream broke and is being opened again; `error` says why, `null`: the gateway ended it. */
  | { readonly type: "disconnected"; readonly error: ClientError | null };

export interface EventOptions {
  /** Kinds of devices, such as `["battery"]`; absent: all. */
  readonly kinds?: readonly string[];
  readonly userId?: string;
  /** `id` of the last event of an earlier stream, to go on there. */
  readonly lastEventId?: string | null;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal;
  /** Time without a sign of life after which the stream counts as broken, ms. Default: 45 s; the gateway says something each 15 s. */
  readonly silenceMs?: number;
}

/**
 * Follows the house. Goes on after each break, from the event after the last one; a `snapshot` says where that was not
 * possible. Throws the {@link ClientError} of a request that will be refused each time, such as 403.
 */
export async function* liveMessages(
  transport: Transport,
  options: EventOptions = {},
): AsyncGenerator<LiveMessage, void> {
  const { kinds, userId, signal, silenceMs = 45_000 } = options;
  const query = new URLSearchParams({ ...(kinds && { kind: kinds.join(",") }), ...(userId && { userId }) }).toString();
  const path = `/local/events${query === "" ? "" : `?${query}`}`;
  let lastEventId = options.lastEventId ?? null;
  const isOver = (): boolean => signal?.aborted === true;
  for (let attempt = 0; !isOver(); attempt++) {
    let error: ClientError | null = null;
    const silence = new AbortController();
    const either = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
    try {
      const headers = { accept: "text/event-stream", ...(lastEventId !== null && { "last-event-id": lastEventId }) };
      const { body } = await transport.send({ method: "GET", path, headers, isRepeatable: true, signal: either });
      if (body === null) return;
      for await (const block of blocksOf(body, silenceMs, silence)) {
        attempt = 0;
        lastEventId = block.id ?? lastEventId;
        const message = messageOf(block);
        if (message !== null) yield message;
      }
    } catch (cause) {
      if (isOver()) return;
      error = errorFrom(cause);
      if (isFinal(error)) throw error;
    }
    if (isOver()) return;
    yield { type: "disconnected", error };
    await transport.backOff(attempt, signal).catch(() => undefined);
  }
}

/** No later request is answered otherwise. */
function isFinal({ status }: ClientError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function errorFrom(cause: unknown): ClientError {
  if (cause instanceof ClientError) return cause;
  return new ClientError({ status: 0, code: "no-answer", message: "The stream of events broke.", cause });
}

interface Block {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

function messageOf({ id, event, data }: Block): LiveMessage | null {
  if (data === "") return null;
  if (event === "snapshot") {
    return { type: "snapshot", ...(JSON.parse(data) as { reason: string; version: string; assets: number }) };
  }
  if (event === "live") return { type: "live" };
  return event === "" ? { type: "event", id, event: JSON.parse(data) as GatewayEvent } : null;
}

/** Server-sent events, as the HTML standard has them. Comments keep the stream alive and are not among them. */
async function* blocksOf(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  silence: AbortController,
): AsyncGenerator<Block, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const broken = new Error(`nothing came for ${silenceMs} ms`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let text = "";
  try {
    for (;;) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(broken), silenceMs);
      const { value, done } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true }).replaceAll("\r", "");
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield blockOf(block);
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => undefined);
  }
}

function blockOf(block: string): Block {
  const fields = block.split("\n").map((line) => {
    const at = line.indexOf(":");
    if (at < 0) return [line, ""] as const;
    // One space after the colon belongs to neither.
    return [line.slice(0, at), line.slice(line[at + 1] === " " ? at + 2 : at + 1)] as const;
  });
  const of = (name: string): readonly string[] => fields.flatMap(([key, value]) => (key === name ? [value] : []));
  return { id: of("id").at(-1) ?? null, event: of("event").at(-1) ?? "", data: of("data").join("\n") };
}
