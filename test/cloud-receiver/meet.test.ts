import { expect, test } from "vitest";
import { applyBatch } from "../../examples/cloud-receiver/src/apply.ts";
import { meet } from "../../examples/cloud-receiver/src/meet.ts";
import type { Boot, Welcome } from "../../src/sync/protocol/index.ts";
import { AT_MS, batch, boot, EPOCH, hello, NEXT_EPOCH, records } from "./messages.ts";
import { latestBootId, type TestDatabase, testDatabase } from "./test-database.ts";

const GATEWAY = "house-1";

function say(database: TestDatabase, boots: readonly Boot[], epoch = EPOCH): Promise<Welcome> {
  return database.transact((client) =>
    meet(client, GATEWAY, hello(GATEWAY, boots, epoch), { window: 8, nowMs: AT_MS }),
  );
}

async function take(database: TestDatabase, from: number, through: number, epoch = EPOCH): Promise<void> {
  const bootId = await latestBootId(database, GATEWAY);
  await database.transact((client) =>
    applyBatch(client, GATEWAY, batch(from, through, records(from, through), { epoch, bootId })),
  );
}

const at = (applied: number, epoch = EPOCH) => ({ event: { epoch, applied } });

test("a new gateway is welcomed at nothing, with the meeting of its hello", async () => {
  await using database = await testDatabase();
  const { meeting } = hello(GATEWAY, [boot(1)]);
  const welcome = await say(database, [boot(1)]);
  expect(welcome).toMatchObject({
    gateway: GATEWAY,
    meeting,
    isFork: false,
    knownBoot: null,
    streams: at(0),
    window: 8,
  });
});

test("a start after the one that was welcomed last goes on where it stands", async () => {
  await using database = await testDatabase();
  await say(database, [boot(1)]);
  await take(database, 1, 3);
  expect(await say(database, [boot(1), boot(2)])).toMatchObject({ isFork: false, knownBoot: boot(1), streams: at(3) });
  expect(await say(database, [boot(2)])).toMatchObject({ isFork: false, knownBoot: boot(2), streams: at(3) });
});

test("a restored card is a fork, told what was applied when its newest start was the last, and leaves no trace", async () => {
  await using database = await testDatabase();
  await say(database, [boot(1)]);
  await take(database, 1, 3);
  await say(database, [boot(1), boot(2)]);
  await take(database, 4, 9);
  const restored = [boot(1), boot(2, "boot-2-restored")];
  expect(await say(database, restored)).toMatchObject({ isFork: true, knownBoot: boot(1), streams: at(3) });
  expect(await say(database, [boot(2), boot(3)])).toMatchObject({ isFork: false, streams: at(9) });
  expect(await database.rows("SELECT boot_id, is_clone FROM fork")).toEqual([
    { boot_id: "boot-2-restored", is_clone: false },
  ]);
});

test("a start that came back in another epoch is told of the one before what was applied when its twin came, as is its card", async () => {
  await using database = await testDatabase();
  const [own, twin, restored] = [boot(1), boot(2, "boot-2-twin"), boot(2, "boot-2-restored")];
  await say(database, [own]);
  await take(database, 1, 3);
  await say(database, [own, twin]);
  await take(database, 4, 9);
  expect(await say(database, [own])).toMatchObject({ isFork: true, knownBoot: own, streams: at(3) });
  expect(await say(database, [own], NEXT_EPOCH)).toMatchObject({ isFork: false });
  expect(await say(database, [own, restored])).toMatchObject({ isFork: true, knownBoot: own, streams: at(3) });
  await say(database, [boot(3)], "00000000000000cc");
  expect(await say(database, [own, restored])).toMatchObject({ isFork: true, knownBoot: own, streams: at(3) });
});

test("a start that a restored database never met is told that nothing of it is there", async () => {
  await using database = await testDatabase();
  await say(database, [boot(2, "boot-of-a-twin")]);
  await take(database, 1, 5);
  expect(await say(database, [boot(1)])).toMatchObject({ isFork: true, knownBoot: null, streams: at(0) });
});

test("a fork that begins another epoch is welcomed, and the epoch before is a fork from then on", async () => {
  await using database = await testDatabase();
  await say(database, [boot(1)]);
  await take(database, 1, 3);
  const restored = [boot(1, "other"), boot(2, "restored")];
  expect(await say(database, restored)).toMatchObject({ isFork: true, knownBoot: null, streams: at(0) });
  expect(await say(database, restored, NEXT_EPOCH)).toMatchObject({ isFork: false, streams: at(0, NEXT_EPOCH) });
  await take(database, 1, 1, NEXT_EPOCH);
  expect(await say(database, [boot(2, "restored")])).toMatchObject({ isFork: true, streams: at(0) });
  expect(await say(database, [boot(2, "restored")], NEXT_EPOCH)).toMatchObject({
    isFork: false,
    streams: at(1, NEXT_EPOCH),
  });
});

test("two boxes with one card that speak in turn are seen as clones", async () => {
  await using database = await testDatabase();
  await say(database, [boot(1)]);
  const one = [boot(1), boot(2, "one")];
  const other = [boot(1), boot(2, "other")];
  expect(await say(database, one)).toMatchObject({ isFork: false });
  expect(await say(database, other)).toMatchObject({ isFork: true });
  expect(await say(database, other, NEXT_EPOCH)).toMatchObject({ isFork: false });
  const third = "00000000000000a3";
  expect(await say(database, one)).toMatchObject({ isFork: true, knownBoot: boot(2, "one") });
  expect(await say(database, one, third)).toMatchObject({ isFork: false });
  expect(await say(database, other, NEXT_EPOCH)).toMatchObject({ isFork: true, knownBoot: boot(2, "other") });
  expect(await database.rows("SELECT boot_id, is_clone FROM fork ORDER BY fork_id")).toEqual([
    { boot_id: "other", is_clone: false },
    { boot_id: "one", is_clone: true },
    { boot_id: "one", is_clone: true },
    { boot_id: "other", is_clone: true },
  ]);
});

test("a hello that comes after that of a later start is answered as a fork, and is none of two boxes", async () => {
  await using database = await testDatabase();
  await say(database, [boot(1)]);
  await say(database, [boot(1), boot(2), boot(3)]);
  for (const next of [[boot(3)], [boot(3), boot(4)]]) {
    for (const late of [[boot(1)], [boot(1), boot(2)]]) {
      expect(await say(database, late)).toMatchObject({ isFork: true, knownBoot: boot(1) });
    }
    expect(await say(database, next)).toMatchObject({ isFork: false });
  }
  expect(await database.rows("SELECT * FROM fork")).toEqual([]);
});

test("a box that runs on after a copy of its card was started elsewhere is seen as a clone when it begins an epoch", async () => {
  await using database = await testDatabase();
  await say(database, [boot(1)]);
  await say(database, [boot(1), boot(2)]);
  expect(await say(database, [boot(1)])).toMatchObject({ isFork: true });
  expect(await say(database, [boot(1)], NEXT_EPOCH)).toMatchObject({ isFork: false });
  expect(await database.rows("SELECT boot_id, is_clone FROM fork")).toEqual([{ boot_id: "boot-1", is_clone: true }]);
});

test("hellos of one gateway that come at once make one epoch", async () => {
  await using database = await testDatabase();
  await Promise.all(Array.from({ length: 6 }, () => say(database, [boot(1)])));
  expect(await database.rows("SELECT stream, turn, is_current FROM stream_position ORDER BY stream")).toEqual([
    { stream: "event", turn: 1, is_current: true },
    { stream: "state", turn: 1, is_current: true },
    { stream: "telemetry", turn: 1, is_current: true },
  ]);
});

test("a stream that this service does not know is not in the welcome", async () => {
  await using database = await testDatabase();
  const strange = hello(GATEWAY, [boot(1)]);
  const streams = { ...strange.streams, dreams: { epoch: EPOCH, acked: 0, next: 1 } };
  const limits = { window: 8, nowMs: AT_MS };
  const welcome = await database.transact((client) => meet(client, GATEWAY, { ...strange, streams }, limits));
  expect(Object.keys(welcome.streams)).toEqual(["event", "state", "telemetry"]);
});
