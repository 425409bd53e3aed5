import { SeededRandom, VirtualClock } from "hemgate/testing";
import { expect, test } from "vitest";
import { type AuditedDeed, type AuditRecord, MAX_AUDIT_ENTRIES } from "../../../src/domain/people/audit.ts";
import { AuditLog } from "../../../src/engine/people/audit-log.ts";
import type { Write } from "../../../src/store/records.ts";

function deed(kind: AuditedDeed["who"]["kind"], number: number): AuditedDeed {
  return { who: { kind, id: "1", name: null }, method: null, path: `${kind} ${number}`, status: null, outcome: "done" };
}

test("a program that writes all day leaves half of the audit log to everybody else", () => {
  const clock = new VirtualClock({ startMs: 0 });
  const random = new SeededRandom(1);
  const store = { all: () => [], commitAlong: () => undefined };
  const audit = new AuditLog({ store, clock, random });
  const note = (kind: AuditedDeed["who"]["kind"], count: number): void => {
    for (let number = 0; number < count; number++) {
      clock.setWallMs(clock.nowMs() + 1);
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

test("what was done before the clock was set has its true date once it is, also on disk", async () => {
  const clock = new VirtualClock({ quality: "unset" });
  const nowMs = clock.nowMs();
  clock.setWallMs(0);
  const stored = new Map<string, AuditRecord>();
  const store = {
    all: () => [],
    commitAlong: (writes: readonly Write[]) => {
      for (const write of writes) if (write.table === "audit" && "put" in write) stored.set(write.key, write.put);
    },
  };
  const audit = new AuditLog({ store, clock, random: new SeededRandom(1) });
  audit.note(deed("account", 1));
  await clock.advance(60_000);
  audit.note(deed("account", 1));
  clock.setWallMs(nowMs + 60_000);
  clock.setQuality("synced");
  const expected = [{ atMs: nowMs, lastAtMs: nowMs + 60_000, count: 2 }];
  expect(audit.list()).toMatchObject(expected);
  expect([...stored.values()]).toMatchObject(expected);
});
