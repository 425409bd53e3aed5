import type { Finding } from "../../domain/checks/finding.ts";

/** A finding with where it stands. */
export interface CheckEntry {
  readonly id: string;
  readonly finding: Finding;
  /** The asset that it is about; null when there is none of it any more. */
  readonly assetId: string | null;
  readonly state: "OPEN" | "CONFIRMED" | "DISMISSED";
  /** Wall-clock ms. */
  readonly firstSeenAtMs: number;
  /** Wall-clock ms of the last look that saw it, of this run; that of the first when none did. */
  readonly lastSeenAtMs: number;
}

/** What physics contradicts about how the devices of a house are installed and read. Reads are from memory. */
export interface InstallationChecks {
  /** Newest first. */
  list(): readonly CheckEntry[];
  get(id: string): CheckEntry | null;
  /** Applies the fix of an open finding, for good. Throws `not-found`, or `conflict` when it has none or is not open. */
  confirm(id: string): Promise<CheckEntry>;
  /** It is meant so: the finding is not told again. Throws `not-found`. */
  dismiss(id: string): Promise<CheckEntry>;
  /** Reads the device as it tells again, without any confirmed fix. Throws `not-found` when it has none. */
  reset(deviceId: string): Promise<void>;
}
