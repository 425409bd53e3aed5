import { describe, expect, test } from "vitest";
import { MAX_AUDIT_ENTRIES } from "../../../src/domain/people/audit.ts";
import type { Attempt } from "../../../src/engine/contracts/people.ts";
import { AuditLog } from "../../../src/engine/people/audit-log.ts";
import { PeopleService } from "../../../src/engine/people/people-service.ts";
import { SeededRandom, TestLog, VirtualClock } from "../../../src/testing/index.ts";
import { FakeStore } from "../../api/support/fake-store.ts";

const DAY_MS = 24 * 3_600_000;
const ALL = { accountId: null, isManager: true };
const FROM = { address: "192.168.1.7", userAgent: "Mozilla/5.0\u0000 (X11)" };
const ATTEMPT: Attempt = { isAhead: true, before: () => {}, failed: () => {}, succeeded: () => {} };

function open(parts: { store?: FakeStore; clock?: VirtualClock } = {}) {
  const { store = new FakeStore(), clock = new VirtualClock() } = parts;
  const log = new TestLog();
  const people = new PeopleService({ store, clock, random: new SeededRandom(1), log });
  people.connect();
  return { store, clock, log, people };
}

async function claimed(parts: Parameters<typeof open>[0] = {}) {
  const opened = open(parts);
  const code = opened.people.setupCode() ?? "";
  const claim = { code, name: "Anna", password: "correct horse" };
  return { ...opened, signedIn: await opened.people.claim(claim, FROM, ATTEMPT) };
}

describe("an account", () => {
  test("is on disk without its password, and its session without its cookie", async () => {
    const { store, signedIn } = await claimed();
    const stored = JSON.stringify([store.all("account"), store.all("session")]);
    expect(stored).not.toContain("correct horse");
    expect(stored).not.toContain(signedIn.token);
    expect(store.all("session")).toMatchObject([{ userAgent: "Mozilla/5.0 (X11)" }]);
  });

  test("that the disk does not take leaves the setup code as it is", async () => {
    const { store, people } = open();
    const claim = { code: people.setupCode() ?? "", name: "Anna", password: "correct horse" };
    store.isWritable = false;
    await expect(people.claim(claim, FROM, ATTEMPT)).rejects.toThrow("the disk is full");
    expect([people.isClaimed(), people.setupCode()]).toEqual([false, claim.code]);
    store.isWritable = true;
    expect((await people.claim(claim, FROM, ATTEMPT)).session.account.name).toBe("Anna");
  });

  test("of an installer counts its 30 days from when the clock is set", async () => {
    const { people, clock } = await claimed({ clock: new VirtualClock({ startMs: 0, quality: "unset" }) });
    await people.create({ name: "Ivo", role: "installer", password: "12345678" });
    const signIn = () => people.signIn("Ivo", "12345678", FROM, ATTEMPT);
    const token = (await signIn())?.token ?? "";
    clock.setWallMs(Date.parse("2026-06-21T12:00:00Z"));
    clock.setQuality("synced");
    expect(people.sessionOf(token)?.account.name).toBe("Ivo");
    expect(people.list(ALL)[1]?.expiresAt).toBe("2026-07-21T12:00:00.000Z");
    clock.setWallMs(clock.nowMs() + 30 * DAY_MS);
    expect(people.sessionOf(token)).toBe(null);
    await expect(signIn()).rejects.toMatchObject({ slug: "forbidden" });
  });

  test("that cannot be opened now keeps the gateway claimed", () => {
    const store = new FakeStore();
    Object.assign(store, { locked: [{ table: "account", key: "x", keyName: "y" }] });
    const { people, log } = open({ store });
    expect([people.isClaimed(), people.setupCode(), log.texts("info")]).toEqual([true, null, []]);
  });
});

describe("a session", () => {
  test("that ended is over even if the disk takes no changes", async () => {
    const { store, people, signedIn } = await claimed();
    const ends: string[] = [];
    using _watch = people.observeEnds((id) => ends.push(id));
    store.isWritable = false;
    await expect(people.endSession(signedIn.session.id, ALL)).rejects.toThrow("the disk is full");
    expect([people.sessionOf(signedIn.token), ends]).toEqual([null, [signedIn.session.id]]);
  });

  test("is written once an hour at most while it is used", async () => {
    const { store, clock, people, signedIn } = await claimed();
    let written = 0;
    const along = store.commitAlong.bind(store);
    store.commitAlong = (writes) => {
      written += writes.length;
      along(writes);
    };
    for (let minute = 0; minute < 180; minute += 1) {
      await clock.advance(60_000);
      people.sessionOf(signedIn.token);
    }
    expect(written).toBe(3);
  });
});

describe("the audit log", () => {
  const deed = { who: { kind: "client", id: "a", name: "App" }, method: "PUT", status: 200, outcome: "done" } as const;

  test("keeps a bounded number of entries, over restarts too, and counts what repeats within an hour", async () => {
    const store = new FakeStore();
    const clock = new VirtualClock();
    const parts = { store, clock, random: new SeededRandom(1) };
    const log = new AuditLog(parts);
    for (let at = 0; at < MAX_AUDIT_ENTRIES + 10; at += 1) {
      await clock.advance(1);
      log.note({ ...deed, path: `/${at}` });
    }
    expect(store.all("audit")).toHaveLength(MAX_AUDIT_ENTRIES);
    const again = new AuditLog(parts);
    expect(again.list()).toEqual(log.list());
    expect(again.list()[0]?.path).toBe(`/${MAX_AUDIT_ENTRIES + 9}`);
    await clock.advance(3_599_000);
    again.note({ ...deed, path: `/${MAX_AUDIT_ENTRIES + 9}` });
    expect(again.list()[0]).toMatchObject({ count: 2 });
    await clock.advance(2_000);
    again.note({ ...deed, path: `/${MAX_AUDIT_ENTRIES + 9}` });
    expect(again.list().slice(0, 2)).toMatchObject([{ count: 1 }, { count: 2 }]);
  });
});
