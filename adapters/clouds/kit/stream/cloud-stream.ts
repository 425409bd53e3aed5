/** What a connector's stream is made of: what a vendor pushes of an account's devices, as text over one WebSocket. */
import type { CloudRequest, CloudSession } from "../connector.ts";

/** Where a stream is, an `https:` address; the grant is added as to requests. A secret: it may hold a ticket. */
export type StreamPlace = Pick<CloudRequest, "url" | "query" | "headers" | "cost" | "subject">;

/** One connection, for the connector's side of it. */
export interface StreamLine {
  send(text: string): void;
  /** The vendor let us in: from now on devices can be asked for. */
  ready(): void;
  /** Something of a device, by the key that it is listed by. Devices without a listener are skipped. */
  tell(key: string, news: unknown): void;
}

/** The vendor's language on one connection. */
export interface StreamVoice {
  /** Takes what came. Throws a `CloudError` when the connection is of no use any more. */
  hear(text: string): void;
  /** Asks for what a device tells, beginning with all that is known of it. */
  subscribe(key: string): void;
}

export interface CloudStream {
  /** ms between two reads of a device that the stream tells of: what it misses shows then. */
  readonly paceMs: number;
  /** A stream that lives says something at least so often, ms. */
  readonly silentMs: number;
  /** What is said when nothing else was for so long, ms. */
  readonly ping: { readonly text: string; readonly everyMs: number };
  /** Asks the vendor where the account's stream is. Rejects with a `CloudError`. */
  locate(session: CloudSession, signal: AbortSignal): Promise<StreamPlace>;
  /** Begins to speak on a connection that has just been opened. */
  speak(line: StreamLine): StreamVoice;
}
