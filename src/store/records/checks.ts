import type { Finding, Fix } from "../../domain/checks/finding.ts";

/** What the owner confirmed about how a device is to be read. */
export interface CorrectionRecord {
  readonly deviceId: string;
  /** In the order in which they are applied. */
  readonly fixes: readonly Fix[];
}

/** Something that physics contradicts, with what became of it. */
export interface FindingRecord {
  readonly id: string;
  readonly userId: string;
  readonly finding: Finding;
  readonly firstSeenAtMs: number;
  readonly state: "OPEN" | "CONFIRMED" | "DISMISSED";
}
