/** The cloud service's settings of the sync. */
export interface CloudSettingsRecord {
  /** Absent: `full`. */
  readonly telemetry?: "full" | "quarter-hour" | "off" | undefined;
  /** Percent. Absent: the default. */
  readonly backlogPercent?: number | undefined;
}

/** A complete document of the cloud service. */
export interface CloudDocumentRecord {
  readonly revision: number;
  readonly settings: CloudSettingsRecord;
  /** Settings that this gateway does not support. */
  readonly unknownKeys: readonly string[];
  /** Sections that replace those of the gateway's own file. */
  readonly sections: Readonly<Record<string, unknown>>;
  /** SHA-256 of the file's own sections when the document arrived, hex. */
  readonly base: string;
}

/** The outcome of a document. */
export interface CloudOutcomeRecord {
  readonly revision: number;
  readonly outcome: "applied" | "refused" | "rolled-back";
  /** Why it was rolled back; null otherwise. */
  readonly reason: string | null;
  readonly errors: readonly { readonly path: string; readonly problem: string; readonly expected: string | null }[];
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** The state of the remote configuration, in one record, so that each step is stored completely or not at all. */
export interface CloudConfigurationRecord {
  /** The sender of the revisions. */
  readonly sender: string;
  /** The last revision that was processed or is on trial: it and older ones are ignored. */
  readonly seen: number;
  /** The document in use; `null` if only the gateway's own file is. */
  readonly kept: CloudDocumentRecord | null;
  /**
   * The document on trial; if a start finds one that it does not try, the trial was interrupted. `sinceMs`: wall-clock
   * ms.
   */
  readonly trial: (CloudDocumentRecord & { readonly sinceMs: number }) | null;
  readonly last: CloudOutcomeRecord | null;
  /** Salt of the digests, so that they reveal no passwords. base64. */
  readonly salt: string;
}
