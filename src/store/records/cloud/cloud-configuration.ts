/** What the cloud service set of how it is told. */
export interface CloudSettingsRecord {
  /** Absent: `full`. */
  readonly telemetry?: "full" | "quarter-hour" | "off" | undefined;
  /** Per cent. Absent: the gateway's own choice. */
  readonly backlogPercent?: number | undefined;
}

/** What the cloud service set, whole. */
export interface CloudDocumentRecord {
  readonly revision: number;
  readonly settings: CloudSettingsRecord;
  /** Settings that this gateway does not know. */
  readonly unknownKeys: readonly string[];
  /** Sections that stand in place of those of the house's file. */
  readonly sections: Readonly<Record<string, unknown>>;
  /** SHA-256 of what the file itself said in these sections when the document came, hex. */
  readonly base: string;
}

/** What became of a document. */
export interface CloudOutcomeRecord {
  readonly revision: number;
  readonly outcome: "applied" | "refused" | "rolled-back";
  /** Why it was rolled back; null otherwise. */
  readonly reason: string | null;
  readonly errors: readonly { readonly path: string; readonly problem: string; readonly expected: string | null }[];
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** All that is known of configurations from afar, in one record, so that each step is on disk whole or not at all. */
export interface CloudConfigurationRecord {
  /** Whose revisions these are. */
  readonly sender: string;
  /** The last revision that something became of, or is being tried: none up to it is taken again. */
  readonly seen: number;
  /** Null: the house's file alone. */
  readonly kept: CloudDocumentRecord | null;
  /** One that is being tried; found at a start, it was not kept. `sinceMs`: wall-clock ms. */
  readonly trial: (CloudDocumentRecord & { readonly sinceMs: number }) | null;
  readonly last: CloudOutcomeRecord | null;
  /** Makes digests that tell nothing of passwords. base64. */
  readonly salt: string;
}
