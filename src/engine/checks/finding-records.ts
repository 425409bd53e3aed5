/** The ids of stored findings, and the writes that change them. */
import { createHash } from "node:crypto";
import { type Finding, findingKey } from "../../domain/checks/finding.ts";
import type { FindingRecord } from "../../store/records/checks.ts";
import type { Write } from "../../store/records.ts";

/** Returns an id that is the same for the same finding, whatever its measured values. */
export function idOf(finding: Finding): string {
  return createHash("sha256").update(findingKey(finding)).digest("hex").slice(0, 24);
}

export function putFinding(record: FindingRecord): Write {
  return { table: "finding", key: record.id, put: record };
}

export function removeFinding({ id }: FindingRecord): Write {
  return { table: "finding", key: id, remove: true };
}
