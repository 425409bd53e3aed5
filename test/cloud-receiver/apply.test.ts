import { expect, test } from "vitest";
import { applyBatch } from "../../examples/cloud-receiver/src/apply.ts";
import { gapRequests } from "../../examples/cloud-receiver/src/audit.ts";
import { eventPage } from "../../examples/cloud-receiver/src/events.ts";
import { meet } from "../../examples/cloud-receiver/src/meet.ts";
import { PageQuery } from "../../examples/cloud-receiver/src/pages.ts";
import type { Batch, Boot } from "../../src/sync/protocol/index.ts";
import { AT_MS, batch, boot, EPOCH, hello, NEXT_EPOCH, quarter, record, records } from "./messages.ts";
import { latestBootId, type TestDatabase, testDatabase } from "./test-database.ts";
import { until } from "./until.ts";

const GATEWAY = "house-1";

async function welcomed(database: TestDatabase, epoch = EPOCH, boots: readonly Boot[] = [boot(1)]): Promise<void> {
  await database.transact((client) => meet(client, GATEWAY, hello(GATEWAY, boots, epoch), { window: 8, nowMs: AT_MS }));
}

/** Takes a batch of the start that was welcomed last. */
async function apply(database: TestDatabase, told: Batch): ReturnType<typeof applyBatch> {
  const bootId = await latestBootId(database, GATEWAY);
  return await database.transact((client) => applyBatch(client, GATEWAY, { ...told, bootId }));
}

async function numbers(database: TestDatabase): Promise<readonly number[]> {
  const rows = await database.rows<{ seq: number }>("SELECT seq FROM record ORDER BY turn, seq");
  return rows.map(({ seq }) => seq);
}

test("a batch that comes twice, or overlaps the one before, is kept once and acknowledged again", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  expect(await apply(database, batch(1, 3, records(1, 3)))).toEqual({ through: 3, missing: [] });
  expect(await apply(database, batch(1, 3, records(1, 3)))).toEqual({ through: 3, missing: [] });
  expect(await apply(database, batch(2, 5, records(2, 5)))).toEqual({ through: 5, missing: [] });
  expect(await apply(database, batch(1, 2, records(1, 2)))).toEqual({ through: 5, missing: [] });
  expect(await numbers(database)).toEqual([1, 2, 3, 4, 5]);
});

test("of a batch that comes too early nothing is kept, and what is missing is named", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  await apply(database, batch(1, 2, records(1, 2)));
  const early = batch(5, 6, records(5, 6));
  expect(await apply(database, early)).toEqual({ through: 2, missing: [{ from: 3, through: 4 }] });
  expect(await numbers(database)).toEqual([1, 2]);
});

test("an epoch that no hello named is left alone, and so is an unknown gateway", async () => {
  await using database = await testDatabase();
  expect(await apply(database, batch(1, 1, records(1, 1)))).toBeNull();
  await welcomed(database);
  expect(await apply(database, batch(1, 1, records(1, 1), { epoch: NEXT_EPOCH }))).toBeNull();
  expect(await numbers(database)).toEqual([]);
});

test("a batch of a start that is not the one welcomed last is left alone, such as a twin's in a restored database", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const twins = batch(1, 2, records(1, 2), { bootId: "boot-of-a-twin" });
  expect(await database.transact((client) => applyBatch(client, GATEWAY, twins))).toBeNull();
  expect(await numbers(database)).toEqual([]);
  expect(await apply(database, batch(1, 2, records(1, 2)))).toEqual({ through: 2, missing: [] });
});

test("an epoch that another one replaced is left alone", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  await apply(database, batch(1, 1, records(1, 1)));
  await welcomed(database, NEXT_EPOCH);
  expect(await apply(database, batch(2, 2, records(2, 2)))).toBeNull();
});

test("a number that is neither told nor in a gap, twice there, or outside refuses the whole batch", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const gap = { from: 2, through: 2, reason: "damaged" } as const;
  await expect(apply(database, batch(1, 3, [record(1), record(3)]))).rejects.toThrow("out of place");
  await expect(apply(database, batch(1, 3, records(1, 2)))).rejects.toThrow("3 to 3 are not told of");
  await expect(apply(database, batch(1, 2, records(1, 2), { gaps: [gap] }))).rejects.toThrow("out of place");
  await expect(apply(database, batch(1, 2, records(1, 3)))).rejects.toThrow("out of place");
  await expect(apply(database, batch(1, 1, [record(1)], { stream: "state" }))).rejects.toThrow("a state of nothing");
  const timeless = batch(1, 1, [record(1)], { stream: "telemetry" });
  await expect(apply(database, timeless)).rejects.toThrow("telemetry of no time");
  expect(await numbers(database)).toEqual([]);
});

test("a gap is kept once with its reason and its time, and moves the position on", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const gaps = [{ from: 2, through: 4, reason: "damaged", fromMs: AT_MS, throughMs: AT_MS + 5 }] as const;
  const told = batch(1, 5, [record(1), record(5)], { gaps });
  expect(await apply(database, told)).toEqual({ through: 5, missing: [] });
  expect(await apply(database, told)).toEqual({ through: 5, missing: [] });
  expect(await database.rows("SELECT from_seq, through_seq, reason, from_ms, through_ms FROM gap")).toEqual([
    { from_seq: 2, through_seq: 4, reason: "damaged", from_ms: AT_MS, through_ms: AT_MS + 5 },
  ]);
});

test("the newest state of each entity stands, whatever number it skipped; one that is gone is a tombstone", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const state = (seq: number, entity: string, event = "user:meter:updated") => record(seq, { entity, event });
  await apply(database, batch(1, 9, [state(3, "meter/a"), state(9, "meter/b")], { stream: "state" }));
  await apply(database, batch(10, 12, [state(12, "meter/a", "user:meter:deleted")], { stream: "state" }));
  await apply(database, batch(1, 9, [state(3, "meter/a"), state(9, "meter/b")], { stream: "state" }));
  expect(await database.rows("SELECT entity, seq, is_deleted FROM entity ORDER BY entity")).toEqual([
    { entity: "meter/a", seq: 12, is_deleted: true },
    { entity: "meter/b", seq: 9, is_deleted: false },
  ]);
});

test("a state of a new epoch takes the place of a higher number of the one before", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  await apply(database, batch(1, 900, [record(900, { entity: "meter/a" })], { stream: "state" }));
  await welcomed(database, NEXT_EPOCH);
  const anew = batch(1, 1, [record(1, { entity: "meter/a" })], { stream: "state", epoch: NEXT_EPOCH });
  await apply(database, anew);
  expect(await database.rows("SELECT epoch, seq FROM entity")).toEqual([{ epoch: NEXT_EPOCH, seq: 1 }]);
});

test("a record that arrived under an earlier number is not kept again, and another one at that number is", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  await apply(database, batch(1, 2, records(1, 2)));
  await welcomed(database, NEXT_EPOCH);
  const was = (seq: number) => ({ was: [{ epoch: EPOCH, seq }] });
  const told = [record(1, { ...record(2), seq: 1, ...was(2) }), record(2, { payload: "other", ...was(1) })];
  const again = batch(1, 3, [...told, record(3, was(3))], { epoch: NEXT_EPOCH });
  await apply(database, again);
  expect(await apply(database, again)).toEqual({ through: 3, missing: [] });
  const kept = await database.rows("SELECT epoch, seq FROM record ORDER BY turn, seq");
  expect(kept).toEqual([
    { epoch: EPOCH, seq: 1 },
    { epoch: EPOCH, seq: 2 },
    { epoch: NEXT_EPOCH, seq: 2 },
    { epoch: NEXT_EPOCH, seq: 3 },
  ]);
  expect(await database.transact((client) => gapRequests(client, GATEWAY))).toEqual([]);
});

test("a record is found through two renumberings", async () => {
  await using database = await testDatabase();
  const third = "00000000000000a3";
  await welcomed(database);
  await apply(database, batch(1, 1, records(1, 1)));
  await welcomed(database, NEXT_EPOCH);
  const once = record(1, { was: [{ epoch: EPOCH, seq: 1 }] });
  await apply(database, batch(1, 1, [once], { epoch: NEXT_EPOCH }));
  await welcomed(database, third);
  await apply(database, batch(1, 1, [record(1, { was: [{ epoch: NEXT_EPOCH, seq: 1 }] })], { epoch: third }));
  expect(await database.rows("SELECT epoch FROM record")).toEqual([{ epoch: EPOCH }]);
});

test("a record that two restored cards tell of, neither of which knows of the other, is kept once", async () => {
  await using database = await testDatabase();
  const third = "00000000000000a3";
  const unsent = record(1, { monotonicMs: 7_000, payload: { one: 1, other: [2] }, was: [{ epoch: EPOCH, seq: 7 }] });
  await welcomed(database);
  await apply(database, batch(1, 1, records(1, 1)));
  await welcomed(database, NEXT_EPOCH);
  await apply(database, batch(1, 1, [unsent], { epoch: NEXT_EPOCH }));
  await welcomed(database, third);
  const other = { ...unsent, seq: 2, payload: { other: [2], one: 1 } };
  const again = batch(1, 3, [record(1), other, { ...other, seq: 3 }], { epoch: third });
  await apply(database, again);
  expect(await apply(database, again)).toEqual({ through: 3, missing: [] });
  expect(await database.rows("SELECT epoch, seq FROM record ORDER BY turn, seq")).toEqual([
    { epoch: EPOCH, seq: 1 },
    { epoch: NEXT_EPOCH, seq: 1 },
    { epoch: third, seq: 1 },
  ]);
  expect(await database.transact((client) => gapRequests(client, GATEWAY))).toEqual([]);
});

test("a record that comes twice under new numbers in one batch is kept once", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const was = [{ epoch: NEXT_EPOCH, seq: 4 }];
  const told = [record(1, { was }), record(2, { ...record(1), seq: 2, was })];
  expect(await apply(database, batch(1, 2, told))).toEqual({ through: 2, missing: [] });
  expect(await numbers(database)).toEqual([1]);
});

test("a quarter of an hour without telemetry has no record, and nobody asks for it", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const told = batch(1, 4, [quarter(2, "full"), quarter(3, "full")], { stream: "telemetry" });
  expect(await apply(database, told)).toEqual({ through: 4, missing: [] });
  expect(await apply(database, batch(5, 6, [], { stream: "telemetry" }))).toEqual({ through: 6, missing: [] });
  expect(await database.rows("SELECT seq FROM telemetry ORDER BY from_ms")).toEqual([{ seq: 2 }, { seq: 3 }]);
  const dropped = { from: 1, through: 6, reason: "dropped" } as const;
  await apply(database, batch(1, 6, [], { stream: "telemetry", gaps: [dropped] }));
  expect(await database.rows("SELECT FROM gap")).toEqual([]);
  expect(await database.transact((client) => gapRequests(client, GATEWAY))).toEqual([]);
});

test("telemetry of a quarter that is known replaces it, and what comes again does not", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const told = batch(1, 2, [quarter(1, "full"), quarter(2, "full")], { stream: "telemetry" });
  await apply(database, told);
  await welcomed(database, NEXT_EPOCH);
  const thinned = { ...quarter(2, "quarter-hour"), seq: 1 };
  const again = { ...quarter(3, "full"), seq: 2 };
  const anew = [thinned, again, { ...quarter(3, "quarter-hour"), seq: 3 }];
  await apply(database, batch(1, 3, anew, { stream: "telemetry", epoch: NEXT_EPOCH }));
  await apply(
    database,
    batch(1, 3, anew.with(0, { ...quarter(2, "full"), seq: 1 }), { stream: "telemetry", epoch: NEXT_EPOCH }),
  );
  const sql = "SELECT epoch, seq, record->'payload'->>'resolution' AS resolution FROM telemetry ORDER BY from_ms";
  expect(await database.rows(sql)).toEqual([
    { epoch: EPOCH, seq: 1, resolution: "full" },
    { epoch: NEXT_EPOCH, seq: 1, resolution: "quarter-hour" },
    { epoch: NEXT_EPOCH, seq: 3, resolution: "quarter-hour" },
  ]);
});

test("payloads that PostgreSQL has no text for, and keys that are not known, are kept as they came", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const payload = { text: "a\u0000b", half: "\ud800", large: 1.7976931348623157e308, deep: { list: [null, true] } };
  const told = { ...record(1, { payload, event: "odd\u0000event" }), later: { key: "\u0000" } };
  await apply(database, batch(1, 1, [told]));
  expect(await database.rows("SELECT event, payload, more FROM record")).toEqual([
    { event: "odd\uFFFDevent", payload, more: { later: { key: "\u0000" } } },
  ]);
});

test("numbers that a gateway lost are marked in their epoch, but for those that are here", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  await apply(database, batch(1, 3, records(1, 3)));
  await welcomed(database, NEXT_EPOCH);
  const gaps = [
    { epoch: EPOCH, stream: "event", from: 2, through: 7 },
    { epoch: LOST_EPOCH, stream: "event", from: 1, through: 2 },
  ];
  await apply(
    database,
    batch(1, 1, [record(1, { event: "system:outbox:gap", payload: { gaps } })], { epoch: NEXT_EPOCH }),
  );
  expect(await database.rows("SELECT epoch, from_seq, through_seq, reason FROM gap ORDER BY epoch")).toEqual([
    { epoch: EPOCH, from_seq: 4, through_seq: 7, reason: "lost" },
    { epoch: LOST_EPOCH, from_seq: 1, through_seq: 2, reason: "lost" },
  ]);
});

/** A place for each event and each hole, newest first, read a page of two at a time in both directions. */
async function shown(database: TestDatabase): Promise<readonly unknown[]> {
  const read = async (query: object) => {
    const page = await database.transact((client) => eventPage(client, GATEWAY, PageQuery.parse(query)));
    if (page === null) throw new Error("the cursor is none");
    return page;
  };
  const pages = [await read({ pageSize: 2 })];
  for (let after = pages[0]?.pagination.after; after != null; after = pages.at(-1)?.pagination.after) {
    pages.push(await read({ pageSize: 2, after }));
  }
  for (const [index, { pagination }] of pages.entries()) {
    if (pagination.before === null) continue;
    expect((await read({ pageSize: 2, before: pagination.before })).data).toEqual(pages[index - 1]?.data);
  }
  return pages.flatMap(({ data }) => data.map((each) => Reflect.get(each, "hole") ?? Reflect.get(each, "place")));
}

const LOST_EPOCH = "00000000000000ff";
const OLDER_EPOCH = "00000000000000fe";

/** An event of the second epoch that tells what was lost before; event 5 of one that is not known goes on as event 1. */
function lossesOf(
  ...gaps: readonly { readonly epoch: string; readonly from: number; readonly through: number }[]
): Batch {
  const payload = { gaps: gaps.map((gap) => ({ ...gap, stream: "event" })) };
  const told = [
    record(1, { payload: "moved", was: [{ epoch: LOST_EPOCH, seq: 5 }] }),
    record(2, { event: "system:outbox:gap", payload }),
  ];
  return batch(1, 2, told, { epoch: NEXT_EPOCH });
}

test("numbers lost of epochs that no hello named are shown before the epoch that tells of them, once", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  await apply(database, batch(1, 2, records(1, 2)));
  await welcomed(database, NEXT_EPOCH);
  const first = { epoch: OLDER_EPOCH, from: 3, through: 4 };
  const losses = [first, { epoch: LOST_EPOCH, from: 1, through: 7 }];
  await apply(database, lossesOf(...losses));
  const again = record(3, {
    event: "system:outbox:gap",
    payload: { gaps: losses.map((gap) => ({ ...gap, stream: "event" })) },
  });
  await apply(database, batch(3, 3, [again], { epoch: NEXT_EPOCH }));
  const unknown = { reason: "lost", fromAt: null, throughAt: null };
  expect(await shown(database)).toEqual([
    { epoch: NEXT_EPOCH, seq: 3 },
    { epoch: NEXT_EPOCH, seq: 2 },
    { epoch: NEXT_EPOCH, seq: 1 },
    { epoch: LOST_EPOCH, from: 6, through: 7, ...unknown },
    { epoch: LOST_EPOCH, from: 1, through: 4, ...unknown },
    { ...first, ...unknown },
    { epoch: EPOCH, seq: 2 },
    { epoch: EPOCH, seq: 1 },
  ]);
});

test("a hello that names the epoch of a loss gives it its place, and what then comes of it stands in its stead", async () => {
  await using database = await testDatabase();
  await welcomed(database, NEXT_EPOCH);
  await apply(database, lossesOf({ epoch: LOST_EPOCH, from: 3, through: 9 }));
  await welcomed(database, LOST_EPOCH, [boot(2)]);
  const unknown = { reason: "lost", fromAt: null, throughAt: null };
  const before = [
    { epoch: NEXT_EPOCH, seq: 2 },
    { epoch: NEXT_EPOCH, seq: 1 },
  ];
  expect(await shown(database)).toEqual([
    { epoch: LOST_EPOCH, from: 6, through: 9, ...unknown },
    { epoch: LOST_EPOCH, from: 3, through: 4, ...unknown },
    ...before,
  ]);
  const gaps = [{ from: 7, through: 7, reason: "damaged" }] as const;
  const told = [1, 2, 3, 4, 5, 6].map((seq) => record(seq, { boot: 2 }));
  await apply(database, batch(1, 7, told, { epoch: LOST_EPOCH, gaps }));
  expect(await shown(database)).toEqual([
    { epoch: LOST_EPOCH, from: 8, through: 9, ...unknown },
    { epoch: LOST_EPOCH, from: 7, through: 7, ...unknown, reason: "damaged" },
    ...[6, 5, 4, 3, 2, 1].map((seq) => ({ epoch: LOST_EPOCH, seq })),
    ...before,
  ]);
});

test("an audit asks for rows that are gone here, and is content with them or with a gap", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  await apply(database, batch(1, 9, records(1, 9)));
  const ask = () => database.transact((client) => gapRequests(client, GATEWAY));
  expect(await ask()).toEqual([]);
  await database.rows("DELETE FROM record WHERE seq IN (3, 4, 7, 9)");
  const ranges = [
    { from: 3, through: 4 },
    { from: 7, through: 7 },
    { from: 9, through: 9 },
  ];
  expect(await ask()).toEqual([{ v: 1, kind: "gap-request", stream: "event", epoch: EPOCH, ranges }]);
  const gone = { from: 1, through: 8, reason: "acknowledged" } as const;
  await apply(database, batch(1, 8, [], { gaps: [gone] }));
  expect(await ask()).toMatchObject([{ ranges: [{ from: 9, through: 9 }] }]);
  await apply(database, batch(9, 9, records(9, 9)));
  expect(await ask()).toEqual([]);
  expect(await database.rows("SELECT from_seq, through_seq FROM gap ORDER BY 1")).toEqual([
    { from_seq: 3, through_seq: 4 },
    { from_seq: 7, through_seq: 7 },
  ]);
});

test("batches of one gateway that many connections have at once are kept once and in order", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const told = Array.from({ length: 20 }, (_, index) =>
    batch(index * 5 + 1, index * 5 + 5, records(index * 5 + 1, index * 5 + 5)),
  );
  let open = [...told, ...told];
  while (open.length > 0) {
    const answers = await Promise.all(open.map(async (each) => ({ each, answer: await apply(database, each) })));
    open = answers.filter(({ answer }) => (answer?.missing.length ?? 1) > 0).map(({ each }) => each);
  }
  expect(await numbers(database)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
});

test("a batch that comes while a hello replaces its epoch waits for that, and is left alone", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  let applying: ReturnType<typeof applyBatch> = Promise.resolve(null);
  await database.transact(async (client) => {
    const replacing = hello(GATEWAY, [boot(1)], NEXT_EPOCH);
    await meet(client, GATEWAY, replacing, { window: 8, nowMs: AT_MS });
    applying = apply(database, batch(1, 1, records(1, 1)));
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await until(async () => (await database.rows(waiting)).length > 0);
  });
  expect(await applying).toBeNull();
  expect(await numbers(database)).toEqual([]);
});

test("what another copy of the card tells later, where a record says that it was, is here once", async () => {
  await using database = await testDatabase();
  await welcomed(database, NEXT_EPOCH, [boot(2, "one")]);
  const was = (seq: number) => ({ was: [{ epoch: EPOCH, seq }] });
  const told = [record(1, { ...record(7), seq: 1, ...was(7) }), record(2, { payload: "parted", ...was(8) })];
  await apply(database, batch(1, 2, told, { epoch: NEXT_EPOCH }));
  await welcomed(database, EPOCH, [boot(2, "other")]);
  expect(await apply(database, batch(1, 8, records(1, 8)))).toEqual({ through: 8, missing: [] });
  expect(await numbers(database)).toEqual([1, 2, 1, 2, 3, 4, 5, 6, 8]);
});

test("a record at a place that another one of its batch names is the same one, and one that differs is not", async () => {
  await using database = await testDatabase();
  await welcomed(database);
  const was = [2, 3].map((seq) => ({ epoch: EPOCH, seq }));
  const told = [record(1, { was }), record(2, { ...record(1), seq: 2 }), record(3)];
  expect(await apply(database, batch(1, 3, told))).toEqual({ through: 3, missing: [] });
  expect(await numbers(database)).toEqual([1, 3]);
});
