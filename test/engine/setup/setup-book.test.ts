import { expect, test } from "vitest";
import { SetupBook } from "../../../src/engine/setup/setup-book.ts";
import { makeHome } from "../home.ts";

const POWER = { atMs: 1, watts: 900 };

test("a hand-over that is being stored stays when a device is removed in the same moment", async () => {
  const home = makeHome();
  const run = await home.start();
  const book = new SetupBook(run.store);
  const resolve = <Value>(promise: Promise<Value>) => home.world.clock.resolve(promise, 10_000);
  const seen = { inverter: { positive: POWER }, battery: { negative: POWER } };
  await resolve(book.change((before) => ({ ...before, seen })));
  const handOver = { by: { kind: "account", id: "a-1", name: "Ines" }, atMs: 3, note: null } as const;
  const stored = book.change((before) => ({ ...before, handOver }));
  await Promise.resolve();
  const removed = run.store.commit(book.without(new Set(["inverter"])), []);
  await resolve(Promise.all([stored, removed]));
  expect(book.record).toMatchObject({ handOver, seen: { battery: seen.battery } });
  expect(Object.keys(book.record.seen)).toEqual(["battery"]);
  await run.close();
});
