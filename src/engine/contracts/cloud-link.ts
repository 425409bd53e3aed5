import type { CloudLinkView } from "../../domain/cloud/cloud-link-view.ts";

/** How much of one stream the cloud service has acknowledged. */
export interface CloudStreamProgress {
  readonly stream: string;
  /** The epoch that the stream's numbers belong to. */
  readonly epoch: string;
  /** The count of numbers that are not acknowledged. */
  readonly waiting: number;
  /** As in `CloudProgress`, for this stream. */
  readonly oldestAtMs: number | null;
  readonly ratePerS: number | null;
  readonly remainingMs: number | null;
}

/** Records that the cloud service refuses because they break the protocol; they are not sent again. */
export interface CloudRefusal {
  /** Refused records and unreadable messages since the session began. */
  readonly count: number;
  /** The stream of the last refusal; `null` if it was not about a record. */
  readonly stream: string | null;
  readonly from: number;
  readonly through: number;
  readonly reason: string;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** The state of the session with the cloud service. */
export interface CloudProgress {
  /** True after the handshake. */
  readonly isConnected: boolean;
  /** The name of the transport; `null` while there is none. */
  readonly uplink: string | null;
  /** Why there is no connection; `null` while there is one. */
  readonly reason: string | null;
  /** True if the cloud service refuses the gateway's name or credentials. */
  readonly isRefused: boolean;
  /** True if another gateway uses the same identity. */
  readonly isCloned: boolean;
  /** True if the outbox is full: commands of the cloud service are refused. */
  readonly isFull: boolean;
  readonly streams: readonly CloudStreamProgress[];
  /** Wall-clock ms of the oldest record that is not acknowledged; `null` if there is none or it cannot be read. */
  readonly oldestAtMs: number | null;
  /** Numbers acknowledged per second in the last minutes; `null` before the first. */
  readonly ratePerS: number | null;
  /** The time until everything is acknowledged at that rate, ms; `null` if unknown. */
  readonly remainingMs: number | null;
  /** The number of repeated sends without an acknowledgement. */
  readonly replays: number;
  /** The last refusal; `null` if there was none in this session. */
  readonly refusal: CloudRefusal | null;
}

/** The metrics of the cloud link. */
export interface CloudFigures {
  readonly isEnrolled: boolean;
  readonly isConnected: boolean;
  readonly isRefused: boolean;
  /** When the certificate expires, wall-clock ms; `null` if never, or without an identity. */
  readonly expiresAtMs: number | null;
  /** Wall-clock ms of the last message from the cloud service; `null` if there was none in this run. */
  readonly lastContactMs: number | null;
  /** `null` if no session runs. */
  readonly counts: CloudCounts | null;
}

/** The counters of a session, which begins at the start of the gateway and at an enrolment. */
export interface CloudCounts {
  /** How often a stream was sent again from its last acknowledgement. */
  readonly replays: number;
  /** Numbers reported as lost to the cloud service, with the time that they cover, s, as far as known. */
  readonly gone: readonly {
    readonly stream: string;
    readonly reason: string;
    readonly numbers: number;
    readonly seconds: number;
  }[];
  /** Acknowledged batches, the sum of their round-trip times and the last of them; `null` before the first. */
  readonly acks: { readonly batches: number; readonly ms: number; readonly lastMs: number | null };
}

/** The metrics of one outbox stream. */
export interface CloudStreamFigures extends Pick<CloudStreamProgress, "stream" | "epoch" | "waiting" | "oldestAtMs"> {
  /** Size of keys and values on disk; `null` for a stream that is read from the history. */
  readonly bytes: number | null;
}

/** The link to the cloud service. */
export interface CloudLink {
  /** Returns the state of the link. Rejects with a `StorageError`. */
  view(): Promise<CloudLinkView>;
  figures(): CloudFigures;
  /** Returns the metrics of all streams; empty without an outbox. */
  streams(): Promise<readonly CloudStreamFigures[]>;
  /**
   * Enrols the gateway with a token and replaces its identity. Rejects with a problem (`bad-request`, `conflict`,
   * `service-unavailable`) and changes nothing then.
   */
  enroll(token: string, signal: AbortSignal): Promise<void>;
  /** Deletes the identity. Rejects with `not-found` if there is none. */
  cut(): Promise<void>;
}
