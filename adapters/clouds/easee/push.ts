/**
 * Easee's stream of an account's chargers (nordicopen/pyeasee, evcc's charger/easee; dotnet/aspnetcore,
 * TransportProtocols.md): where it is has to be negotiated, and the cookies of the answer lead to the server that knows of
 * it.
 */
import { MINUTE_MS, z } from "hemgate/sdk";
import type { CloudSession } from "../kit/connector.ts";
import { parsed } from "../kit/device/parsed.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import type { CloudStream, StreamLine, StreamPlace, StreamVoice } from "../kit/stream/cloud-stream.ts";
import { HANDSHAKE, PING, type StreamMessage, StreamReader, subscription } from "./stream.ts";

export const STREAM_HOST = "streams.easee.com";
const HUB = `https://${STREAM_HOST}/hubs/chargers`;

/** What a charger hears of the stream. */
export type ChargerNews = Extract<StreamMessage, { readonly kind: "observation" | "command-response" }>;

/** A hub may send its clients elsewhere, with `url` in place of an id; nothing is asked there. */
const Negotiated = z
  .object({ connectionId: z.string().min(1).max(1_000), connectionToken: z.string().min(1).max(1_000).optional() })
  .transform(({ connectionId, connectionToken }) => connectionToken ?? connectionId);

export const push: CloudStream = {
  // A client that hears of changes need not ask; what it missed shows nowhere else, and is due within 7 minutes
  // (rule I6: delivery delay), as what is shown is no older than 10.
  paceMs: 6 * MINUTE_MS,
  // Hubs ping every 15 s, and both sides give up after 30 s.
  silentMs: 30_000,
  ping: { text: PING, everyMs: 15_000 },
  locate,
  speak: (line) => new HubVoice(line),
};

async function locate(session: CloudSession, signal: AbortSignal): Promise<StreamPlace> {
  const url = `${HUB}/negotiate`;
  const query = { negotiateVersion: "1" };
  const answer = await session.ask({ method: "POST", url, query, body: { json: {} } }, signal);
  const cookie = (answer.cookies ?? []).join("; ");
  const id = parsed(Negotiated, answer, `POST ${url}`);
  return { url: HUB, query: { id }, ...(cookie !== "" && { headers: { cookie } }) };
}

class HubVoice implements StreamVoice {
  readonly #line: StreamLine;
  readonly #reader = new StreamReader();
  #isTaken = false;

  constructor(line: StreamLine) {
    this.#line = line;
    line.send(HANDSHAKE);
  }

  hear(text: string): void {
    for (const message of this.#messages(text)) this.#take(message);
  }

  subscribe(key: string): void {
    this.#line.send(subscription(key));
  }

  #messages(text: string): readonly StreamMessage[] {
    try {
      return this.#reader.take(text);
    } catch (cause) {
      throw new CloudError("malformed", `${STREAM_HOST}: a message without an end`, { cause });
    }
  }

  #take(message: StreamMessage): void {
    if (message.kind === "close") throw new CloudError("unavailable", `${STREAM_HOST} closed the stream`);
    if (!this.#isTaken) this.#shake(message);
    else if (message.kind === "observation" || message.kind === "command-response") {
      this.#line.tell(message.chargerId, message);
    }
  }

  /** Nothing counts before the hub has taken the handshake. */
  #shake(message: StreamMessage): void {
    if (message.kind !== "handshake" || message.error !== null) {
      throw new CloudError("refused", `${STREAM_HOST} did not take the handshake`);
    }
    this.#isTaken = true;
    this.#line.ready();
  }
}
