import type { AssetKind } from "../../domain/assets/asset.ts";

/** A request for a live stream. */
export interface LiveRequest {
  /** Version of the records. */
  readonly version: string;
  /** `null` for all kinds. */
  readonly kinds: readonly AssetKind[] | null;
  /** `null` for all users. */
  readonly userId: string | null;
  /** The last `id` of the client's earlier stream; `null` for the first. */
  readonly lastEventId: string | null;
}

/**
 * A stream of server-sent events for one client. Nothing is queued: a slow client gets the newest state of each change.
 * Disposing ends the stream.
 */
export interface LiveStream extends Disposable {
  /** Returns the next text; `null` if there is none now, or if the stream is over. */
  next(): string | null;
  /** True if no more text will follow. */
  readonly isOver: boolean;
  /** Calls the listener when there may be more text, and at the end. */
  watch(listener: () => void): void;
}

/** Streams the state of the house. */
export interface Live {
  /** Opens a stream; returns `null` if the limit of clients is reached. */
  open(request: LiveRequest): LiveStream | null;
  /** Ends all streams. */
  endStreams(): void;
}
