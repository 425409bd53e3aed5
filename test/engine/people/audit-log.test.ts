import { SeededRandom } from "hemgate/testing";
import { expect, test } from "vitest";
import { type AuditedDeed, MAX_AUDIT_ENTRIES } from "../../../src/domain/people/audit.ts";
import { AuditLog } from "../../../src/engine/people/audit-log.ts";

function deed(kind: AuditedDeed["who"]["kind"], number: number): AuditedDeed {
  return { who: { kind, id: "1", name: null }, method: null, path: `${kind} ${number}`, status: null, outcome: "done" };
}

test("a program that writes all day leaves half of the audit log to everybody else", () => {
  let nowMs = 0;
  const random = new SeededRandom(1);
  const store = { all: () => [], commitAlong: () => undefined };
  const audit = new AuditLog({ store, clock: { nowMs: () => nowMs }, random });
  const note = (kind: AuditedDeed["who"]["kind"], count: number): void => {
    for (let number = 0; number < count; number++) {
      nowMs += 1;
      audit.note(deed(kind, number));
    }
  };
  note("account", 400);
  note("program", 5_000);
  const countOf = (kind: string): number => audit.list().filter(({ who }) => who.kind === kind).length;
  expect([countOf("account"), countOf("program")]).toEqual([400, 600]);
  note("client", 300);
  expect([countOf("account"), countOf("client"), countOf("program")]).toEqual([200, 300, 500]);
  expect(audit.list()).toHaveLength(MAX_AUDIT_ENTRIES);
  expect(audit.list().find(({ who }) => who.kind === "program")?.path).toBe("program 4999");
});
