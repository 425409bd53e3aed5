/** A few short texts that are kept on the gateway's disk, over restarts. */
export interface KeyValueStore {
  /** Null when there is none of that name. It answers from memory. */
  get(name: string): string | null;
  /** Resolved: it is on disk, whole; a crash in between leaves the old text. Rejects when the disk refuses. */
  put(name: string, text: string): Promise<void>;
}
