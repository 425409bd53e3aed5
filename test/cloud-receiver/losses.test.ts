import { expect, test } from "vitest";
import { gapRequests } from "../../examples/cloud-receiver/src/audit.ts";
import { eventPage } from "../../examples/cloud-receiver/src/events.ts";
import { PageQuery } from "../../examples/cloud-receiver/src/pages.ts";
import type { Batch } from "../../src/sync/protocol/index.ts";
import { apply, GATEWAY, welcomed } from "./house-database.ts";
import { batch, boot, EPOCH, NEXT_EPOCH, record, records } from "./messages.ts";
import { type TestDatabase, testDatabase } from "./test-database.ts";

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
