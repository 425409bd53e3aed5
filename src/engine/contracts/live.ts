import type { AssetKind } from "../../domain/assets/asset.ts";

export interface LiveRequest {
  /** Version of the records. */
  readonly version: string;
  /** Null: all kinds. */
  readonly kinds: readonly AssetKind[] | null;
  /** Null: all users. */
  readonly userId: string | null;
  /** Where an earlier stream of the reader ended, as its last `id` said; null for a first one. */
  readonly lastEventId: string | null;
}

/**
 * One reader's stream of server-sent events. Nothing is queued for it: what it has not taken yet is read again, in its
 * newest state, when it takes it. Disposing it ends it.
 */
export interface LiveStream extends Disposable {
  /** The text that follows; null when there is none now, or none any more. */
  next(): string | null;
  /** True when nothing follows any more. */
  readonly isOver: boolean;
  /** Calls the listener when there may be text again, and at the end. */
  watch(listener: () => void): void;
}

/** The state of the house as it changes. */
export interface Live {
  /** Null: as many readers as can be served are there already. */
  open(request: LiveRequest): LiveStream | null;
  /** Ends all streams at once. */
  endStreams(): void;
}
