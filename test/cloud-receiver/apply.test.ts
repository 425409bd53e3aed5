import { expect, test } from "vitest";
import { applyBatch } from "../../examples/cloud-receiver/src/apply.ts";
import { gapRequests } from "../../examples/cloud-receiver/src/audit.ts";
import { meet } from "../../examples/cloud-receiver/src/meet.ts";
import { apply, GATEWAY, numbers, welcomed } from "./house-database.ts";
import { AT_MS, batch, boot, EPOCH, hello, NEXT_EPOCH, quarter, record, records } from "./messages.ts";
import { testDatabase } from "./test-database.ts";
import { until } from "./until.ts";

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
