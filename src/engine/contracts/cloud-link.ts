import type { CloudLinkView } from "../../domain/cloud/cloud-link-view.ts";

/** How far a cloud service has been told of one stream. */
export interface CloudStreamProgress {
  readonly stream: string;
  /** Numbers are of one epoch. */
  readonly epoch: string;
  /** Numbers that are not acknowledged. */
  readonly waiting: number;
  /** As in `CloudProgress`, of this stream. */
  readonly oldestAtMs: number | null;
  readonly ratePerS: number | null;
  readonly remainingMs: number | null;
}

/** What the cloud service does not take, or would not: it breaks the contract, and is not sent again. */
export interface CloudRefusal {
  /** Records, and messages that could not be read, since the session began. */
  readonly count: number;
  /** Of the last one; null: it was no record. */
  readonly stream: string | null;
  readonly from: number;
  readonly through: number;
  readonly reason: string;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** How far a cloud service has been told, as its session says. */
export interface CloudProgress {
  /** True after both sides agreed where they stand. */
  readonly isConnected: boolean;
  /** Name of the transport; null while there is none. */
  readonly uplink: string | null;
  /** Why there is no connection; null while there is one. */
  readonly reason: string | null;
  /** The cloud service does not want the gateway under its name or with its credentials. */
  readonly isRefused: boolean;
  /** Another box speaks in this gateway's name. */
  readonly isCloned: boolean;
  /** More events wait than there is room for: commands of the cloud service are refused. */
  readonly isFull: boolean;
  readonly streams: readonly CloudStreamProgress[];
  /** Wall-clock ms of the oldest record that waits; null: none does, or the disk does not say. */
  readonly oldestAtMs: number | null;
  /** Numbers acknowledged a second in the last minutes; null before the first. */
  readonly ratePerS: number | null;
  /** How long all that waits takes at that rate, ms; null when nobody can tell. */
  readonly remainingMs: number | null;
  /** Times that something was sent again because it was not acknowledged. */
  readonly replays: number;
  /** Null: none in this session. */
  readonly refusal: CloudRefusal | null;
}

/** What is counted about the link, for whoever watches the gateway. */
export interface CloudFigures {
  readonly isEnrolled: boolean;
  readonly isConnected: boolean;
  readonly isRefused: boolean;
  /** Wall-clock ms; null: never, or there is no identity. */
  readonly expiresAtMs: number | null;
  /** Wall-clock ms of the last word of the cloud service; null: none in this run. */
  readonly heardAtMs: number | null;
  /** Null: no session runs. */
  readonly counts: CloudCounts | null;
}

/** What a session counts since it began: a start of the gateway begins one, and so does an enrolment. */
export interface CloudCounts {
  /** Times that a stream was sent again from where it was acknowledged. */
  readonly replays: number;
  /** Numbers that the cloud service was told will never come, and how much time they stand for where that is known. */
  readonly gone: readonly {
    readonly stream: string;
    readonly reason: string;
    readonly numbers: number;
    readonly seconds: number;
  }[];
  /** Batches that were acknowledged, how long that took together, and the last of them; null: none yet. */
  readonly acks: { readonly batches: number; readonly ms: number; readonly lastMs: number | null };
}

/** A stream of what is gathered for the cloud service. */
export interface CloudStreamFigures extends Pick<CloudStreamProgress, "stream" | "epoch" | "waiting" | "oldestAtMs"> {
  /** Keys and values on disk; null: it is read from the history. */
  readonly bytes: number | null;
}

/** The link to the cloud service, as its owner sees it. */
export interface CloudLink {
  /** Rejects with a `StorageError`. */
  view(): Promise<CloudLinkView>;
  figures(): CloudFigures;
  /** Empty while nothing is gathered. */
  streams(): Promise<readonly CloudStreamFigures[]>;
  /**
   * Enrols the gateway with a token, in place of an identity that it had. Rejects with a problem (`bad-request`,
   * `conflict`, `service-unavailable`); then all is as it was.
   */
  enroll(token: string, signal: AbortSignal): Promise<void>;
  /** Destroys the identity. Rejects with `not-found` when there is none. */
  cut(): Promise<void>;
}
