import { expect, test } from "vitest";
import type { JournalEntry } from "../../src/store/records.ts";
import { type BacklogSource, WaitingEvents } from "../../src/sync/webhooks/backlog.ts";

const START = { epoch: 1, seq: 0 };
const NO_LIMITS = { events: 10_000, bytes: 1_000_000 };

/** A journal that counts what is read of it, and a filter that takes every tenth event at first. */
function journal(count: number) {
  let entries: JournalEntry[] = [];
  let included: (entry: JournalEntry) => boolean = ({ seq }) => seq % 10 === 0;
  let read = 0;
  let filter = "tenth";
  const add = (more: number): void => {
    const last = entries.at(-1)?.seq ?? 0;
    for (let seq = last + 1; seq <= last + more; seq += 1) {
      entries.push({ epoch: 1, seq, atMs: 0, event: "x", payload: { seq } });
    }
  };
  add(count);
  const source: BacklogSource = {
    store: {
      journalAfter: async (place, limit) => {
        const found = entries.filter(({ seq }) => place === null || seq > place.seq).slice(0, limit);
        read += found.length;
        return found;
      },
    },
    isIncluded: (entry) => included(entry),
    filter: () => filter,
  };
  return {
    source,
    add,
    prune: (before: number) => {
      entries = entries.filter(({ seq }) => seq >= before);
    },
    takeAll: () => {
      included = () => true;
      filter = "all";
    },
    readSoFar: () => {
      const so = read;
      read = 0;
      return so;
    },
  };
}

test("is read once, and then only what came since", async () => {
  const { source, add, readSoFar } = journal(1_000);
  const waiting = new WaitingEvents(source);
  expect(await waiting.measure(START)).toMatchObject({ events: 100 });
  expect(readSoFar()).toBe(1_001);
  add(25);
  expect(await waiting.measure(START)).toMatchObject({ events: 102 });
  expect(readSoFar()).toBe(26);
});

test("counts what a new one counts after the position moved, the journal was pruned and the filter changed", async () => {
  const { source, add, prune, takeAll } = journal(1_000);
  const waiting = new WaitingEvents(source);
  const isAsNew = async (seq: number): Promise<void> => {
    const place = { epoch: 1, seq };
    expect(await waiting.measure(place)).toEqual(await new WaitingEvents(source).measure(place));
  };
  await isAsNew(0);
  await isAsNew(450);
  prune(700);
  await isAsNew(450);
  add(333);
  await isAsNew(699);
  takeAll();
  await isAsNew(699);
  await isAsNew(1_333);
});

test("drops the oldest beyond each limit", async () => {
  const { source } = journal(1_000);
  const waiting = new WaitingEvents(source);
  expect(await waiting.bounded(START, NO_LIMITS)).toEqual({ position: START, dropped: 0 });
  const bounded = await waiting.bounded(START, { ...NO_LIMITS, events: 40 });
  expect(bounded).toEqual({ position: { epoch: 1, seq: 600 }, dropped: 60 });
  expect(await waiting.measure(bounded.position)).toMatchObject({ events: 40 });
  const { position } = await waiting.bounded(START, { ...NO_LIMITS, bytes: 120 });
  expect((await waiting.measure(position)).bytes).toBeLessThanOrEqual(120);
});
