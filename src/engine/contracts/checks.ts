import type { Finding } from "../../domain/checks/finding.ts";

/** A finding with its state. */
export interface CheckEntry {
  readonly id: string;
  readonly finding: Finding;
  /** The asset that it is about; `null` if the asset no longer exists. */
  readonly assetId: string | null;
  readonly state: "OPEN" | "CONFIRMED" | "DISMISSED";
  /** Wall-clock ms. */
  readonly firstSeenAtMs: number;
  /** Wall-clock ms of the last check in this run that showed it; `firstSeenAtMs` if none did. */
  readonly lastSeenAtMs: number;
}

/** Findings about the installation of devices whose readings contradict physics. Reads are from memory. */
export interface InstallationChecks {
  /** Returns all findings, newest first. */
  list(): readonly CheckEntry[];
  get(id: string): CheckEntry | null;
  /** Applies the fix of an open finding permanently. Throws `not-found`, or `conflict` if it has no fix or is not open. */
  confirm(id: string): Promise<CheckEntry>;
  /** Dismisses a finding because the installation is intended; it is not reported again. Throws `not-found`. */
  dismiss(id: string): Promise<CheckEntry>;
  /** Removes all confirmed fixes of a device. Throws `not-found` if it has none. */
  reset(deviceId: string): Promise<void>;
}
