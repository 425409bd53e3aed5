import type { Finding, Fix } from "../../domain/checks/finding.ts";

/** The corrections of a device's readings that its owner confirmed. */
export interface CorrectionRecord {
  readonly deviceId: string;
  /** In the order in which they are applied. */
  readonly fixes: readonly Fix[];
}

/** A finding: readings that contradict physics, and the owner's decision. */
export interface FindingRecord {
  readonly id: string;
  readonly userId: string;
  readonly finding: Finding;
  readonly firstSeenAtMs: number;
  readonly state: "OPEN" | "CONFIRMED" | "DISMISSED";
}
