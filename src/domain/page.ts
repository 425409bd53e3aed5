/** Pages of a list ordered by creation, newest first (rules I2.19 and S9.1). Pure: no list is kept here. */
import { z } from "zod";
import { instant } from "./fields.ts";

const DEFAULT_PAGE_SIZE = 50;
/** A larger `pageSize` is read as this one. */
const MAX_PAGE_SIZE = 1000;

/** Where an entry stands in its list. */
export interface Position {
  /** Wall-clock ms, whole. */
  readonly createdAtMs: number;
  readonly id: string;
}

/** A place between or at entries. Null id: a bare timestamp, which stands for every entry of that millisecond. */
export interface Cursor {
  readonly createdAtMs: number;
  readonly id: string | null;
}

/** The order of every list: newest created first, then by id as code units compare. */
export function comparePositions(a: Position, b: Position): number {
  if (a.createdAtMs !== b.createdAtMs) return b.createdAtMs - a.createdAtMs;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

export function encodeCursor(position: Position): string {
  return Buffer.from(`${instant(position.createdAtMs)}|${position.id}`).toString("base64url");
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Reads a cursor: base64 of `<createdAt ISO>|<id>` or of a timestamp, or a plain timestamp. Null when it is none. */
export function decodeCursor(text: string): Cursor | null {
  if (INSTANT.test(text)) return cursorAt(text, null);
  if (!BASE64.test(text)) return null;
  const decoded = Buffer.from(text, "base64url").toString();
  const bar = decoded.indexOf("|");
  return bar === -1 ? cursorAt(decoded, null) : cursorAt(decoded.slice(0, bar), decoded.slice(bar + 1));
}

function cursorAt(timestamp: string, id: string | null): Cursor | null {
  const createdAtMs = INSTANT.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(createdAtMs) ? null : { createdAtMs, id };
}

const CursorText = z.string().transform((text, context): Cursor => {
  const cursor = decodeCursor(text);
  if (cursor !== null) return cursor;
  context.addIssue({ code: "custom", message: "Not a cursor of this API" });
  return z.NEVER;
});

const PageSize = z.preprocess(
  (text) => (typeof text === "string" && /^\d+$/.test(text) ? Math.min(Number(text), MAX_PAGE_SIZE) : text),
  z.int({ error: "Expected a whole number above 0" }).min(1).default(DEFAULT_PAGE_SIZE),
);

/** The query of every list. */
export const PageQuery = z
  .object({
    pageSize: PageSize.meta({ description: `Entries on a page; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.` }),
    after: CursorText.optional().meta({ description: "Cursor for the next page. Not with `before`." }),
    before: CursorText.optional().meta({ description: "Cursor for the previous page. Not with `after`." }),
  })
  .superRefine((query, context) => {
    if (query.after === undefined || query.before === undefined) return;
    context.addIssue({
      code: "custom",
      path: ["before"],
      message: "`after` and `before` exclude each other",
      params: { code: "mutually_exclusive" },
    });
  });
export type PageQuery = z.infer<typeof PageQuery>;

/** Where a page's neighbours begin. */
export const Pagination = z
  .object({
    after: z.string().nullable().meta({ description: "Cursor for the next page; null on the last." }),
    before: z.string().nullable().meta({ description: "Cursor for the previous page; null on the first." }),
  })
  .meta({ id: "Pagination" });
export type Pagination = z.infer<typeof Pagination>;

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly pagination: Pagination;
}

/**
 * Cuts a page out of a list that is ordered by `comparePositions`. A cursor names a place, not an entry: entries that
 * come and go between two calls neither repeat nor hide the others.
 */
export function takePage<Entry>(
  list: readonly Entry[],
  positionOf: (entry: Entry) => Position,
  query: PageQuery,
): Page<Entry> {
  const { start, end } = range(list, positionOf, query);
  const entries = list.slice(start, end);
  const first = list[start];
  const last = list[end - 1];
  return {
    entries,
    pagination: {
      before: start === 0 || last === undefined ? null : encodeCursor(edgeBefore(entries, positionOf, last)),
      after: end === list.length || first === undefined ? null : encodeCursor(edgeAfter(entries, positionOf, first)),
    },
  };
}

function range<Entry>(
  list: readonly Entry[],
  positionOf: (entry: Entry) => Position,
  { pageSize, after, before }: PageQuery,
): { start: number; end: number } {
  if (before !== undefined) {
    const edge = { createdAtMs: before.createdAtMs, id: before.id ?? "" };
    const end = firstIndex(list, (entry) => comparePositions(positionOf(entry), edge) >= 0);
    return { start: Math.max(0, end - pageSize), end };
  }
  if (after === undefined) return { start: 0, end: Math.min(pageSize, list.length) };
  const { createdAtMs, id } = after;
  const start = firstIndex(list, (entry) => {
    const position = positionOf(entry);
    return id === null ? position.createdAtMs < createdAtMs : comparePositions(position, { createdAtMs, id }) > 0;
  });
  return { start, end: Math.min(start + pageSize, list.length) };
}

// An empty page still leads back: its cursors stand just behind the last entry before it, or just ahead of the first
// one after it. No id is smaller than "" and none lies between an id and the same id with a NUL behind it.
function edgeBefore<Entry>(
  entries: readonly Entry[],
  positionOf: (entry: Entry) => Position,
  previous: Entry,
): Position {
  const [first] = entries;
  if (first !== undefined) return positionOf(first);
  const { createdAtMs, id } = positionOf(previous);
  return { createdAtMs, id: `${id}\u0000` };
}

function edgeAfter<Entry>(entries: readonly Entry[], positionOf: (entry: Entry) => Position, next: Entry): Position {
  const last = entries.at(-1);
  return last === undefined ? { createdAtMs: positionOf(next).createdAtMs + 1, id: "" } : positionOf(last);
}

/** The first index whose entry passes; the list fails up to some place and passes from there on. */
function firstIndex<Entry>(list: readonly Entry[], passes: (entry: Entry) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = list[middle];
    if (entry !== undefined && passes(entry)) high = middle;
    else low = middle + 1;
  }
  return low;
}
