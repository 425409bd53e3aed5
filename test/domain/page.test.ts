import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  comparePositions,
  decodeCursor,
  encodeCursor,
  type Page,
  PageQuery,
  type Position,
  takePage,
} from "../../src/domain/page.ts";
import { countedExpect } from "../counted-expect.ts";

const FIRST_MS = Date.UTC(2026, 0, 1);

function page(list: readonly Position[], query: object = {}): Page<Position> {
  return takePage(list, (entry) => entry, PageQuery.parse(query));
}

/** Entries of a few milliseconds, so that many share one, in the list's order. */
const LIST = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.uuid()), { selector: ([, id]) => id, maxLength: 30 })
  .map((entries) => entries.map(([ms, id]) => ({ createdAtMs: FIRST_MS + ms, id })).sort(comparePositions));
const SIZE = fc.integer({ min: 1, max: 7 });

function walk(list: readonly Position[], pageSize: number, direction: "after" | "before", start: string | null) {
  const seen: Position[][] = [];
  for (let cursor = start; cursor !== null; ) {
    const { entries, pagination } = page(list, { pageSize: String(pageSize), [direction]: cursor });
    seen.push([...entries]);
    cursor = pagination[direction];
  }
  return seen;
}

describe("a page of a list", () => {
  it("holds 50 entries unless told otherwise", () => {
    const list = Array.from({ length: 60 }, (_, index) => ({ createdAtMs: FIRST_MS - index, id: "x" }));
    expect(page(list).entries).toHaveLength(50);
  });

  it("of an empty list leads nowhere", () => {
    expect(page([])).toEqual({ entries: [], pagination: { after: null, before: null } });
  });

  it("has no page before the first and none after the last", () => {
    fc.assert(
      fc.property(LIST, SIZE, (list, pageSize) => {
        const first = page(list, { pageSize: String(pageSize) });
        expect(first.pagination.before).toBeNull();
        expect(first.pagination.after === null).toBe(list.length <= pageSize);
      }),
    );
  });

  it("and all after it hold every entry once, in order", () => {
    fc.assert(
      fc.property(LIST, SIZE, (list, pageSize) => {
        const first = page(list, { pageSize: String(pageSize) });
        const rest = walk(list, pageSize, "after", first.pagination.after);
        expect([...first.entries, ...rest.flat()]).toEqual(list);
      }),
    );
  });

  it("leads back over the same entries", () => {
    const expectSame = countedExpect();
    fc.assert(
      fc.property(LIST, SIZE, fc.nat(29), (list, pageSize, at) => {
        const from = list[at % Math.max(1, list.length)];
        if (from === undefined) return;
        const back = walk(list, pageSize, "before", encodeCursor(from));
        expectSame(back.reverse().flat()).toEqual(list.slice(0, list.indexOf(from)));
      }),
    );
    expectSame.wasCalled();
  });

  it("neither repeats nor hides an entry while others come and go", () => {
    fc.assert(
      fc.property(
        LIST,
        SIZE,
        fc.array(fc.uuid(), { maxLength: 3 }),
        fc.integer(),
        (list, pageSize, newcomers, salt) => {
          const isStaying = (entry: Position) => (entry.id.charCodeAt(0) + salt) % 3 !== 0;
          const first = page(list, { pageSize: String(pageSize) });
          const later = [
            ...newcomers.map((id) => ({ createdAtMs: FIRST_MS + 99, id })),
            ...list.filter(isStaying),
          ].sort(comparePositions);
          const rest = walk(later, pageSize, "after", first.pagination.after).flat();
          const stayed = [...first.entries, ...rest].filter(isStaying);
          expect(stayed).toEqual(list.filter(isStaying));
        },
      ),
    );
  });

  it("that is empty because all after it went away leads back to the entries before it", () => {
    const list = [3, 2, 1].map((ms) => ({ createdAtMs: FIRST_MS + ms, id: `id-${ms}` }));
    const empty = page(list, { after: encodeCursor(list[2]!) });
    expect(empty.entries).toEqual([]);
    expect(page(list, { before: empty.pagination.before }).entries).toEqual(list);
  });

  it("that is empty because all before it went away leads on to the entries after it", () => {
    const list = [3, 2, 1].map((ms) => ({ createdAtMs: FIRST_MS + ms, id: `id-${ms}` }));
    const empty = page(list, { before: encodeCursor(list[0]!) });
    expect(empty).toMatchObject({ entries: [], pagination: { before: null } });
    expect(page(list, { after: empty.pagination.after }).entries).toEqual(list);
  });
});

describe("a cursor", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: FIRST_MS * 2 }), fc.string(), (createdAtMs, text) => {
        const id = text.toWellFormed();
        expect(decodeCursor(encodeCursor({ createdAtMs, id }))).toEqual({ createdAtMs, id });
      }),
    );
  });

  it("of a bare timestamp skips every entry of that millisecond, both ways", () => {
    const list = [2, 1, 1, 0].map((ms, index) => ({ createdAtMs: FIRST_MS + ms, id: `id-${index}` }));
    const cursor = Buffer.from(new Date(FIRST_MS + 1).toISOString()).toString("base64");
    expect(page(list, { after: cursor }).entries).toEqual([list[3]]);
    expect(page(list, { before: cursor }).entries).toEqual([list[0]]);
  });

  it("may be a plain timestamp", () => {
    expect(decodeCursor("2026-01-01T00:00:00.000Z")).toEqual({ createdAtMs: FIRST_MS, id: null });
  });

  it.each(["", "%", "nonsense", "eA", Buffer.from("2026-99-01T00:00:00.000Z|x").toString("base64url")])(
    "is not made of %j",
    (text) => {
      expect(decodeCursor(text)).toBeNull();
    },
  );

  it("of noise is none, and never throws", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const cursor = decodeCursor(text);
        expect(cursor === null || Number.isFinite(cursor.createdAtMs)).toBe(true);
      }),
    );
  });
});

describe("the size of a page", () => {
  it.each(["0", "-1", "1.5", "ten", "", "1e2", " 5", "0x10"])("is not %j", (pageSize) => {
    expect(PageQuery.safeParse({ pageSize }).success).toBe(false);
  });

  it.each(["1001", "99999999999999999999"])("above 1000, as %s, is 1000", (pageSize) => {
    expect(PageQuery.parse({ pageSize }).pageSize).toBe(1000);
  });
});

it("a page with both cursors at once are refused", () => {
  const cursor = encodeCursor({ createdAtMs: FIRST_MS, id: "x" });
  const result = PageQuery.safeParse({ after: cursor, before: cursor });
  expect(result.error?.issues[0]).toMatchObject({ path: ["before"], params: { code: "mutually_exclusive" } });
});
