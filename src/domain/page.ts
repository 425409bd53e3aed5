/** Pages of a list that is ordered by creation, newest first (rules I2.19 and S9.1). */
import { z } from "zod";
import { instant } from "./fields.ts";

const DEFAULT_PAGE_SIZE = 50;
/** A larger `pageSize` is lowered to this. */
const MAX_PAGE_SIZE = 1000;

/** The place of an entry in its list. */
export interface Position {
  /** Wall-clock time, whole ms. */
  readonly createdAtMs: number;
  readonly id: string;
}

/** A place at or between entries. With a `null` id it stands for all entries of that millisecond. */
export interface Cursor {
  readonly createdAtMs: number;
  readonly id: string | null;
}

/** Orders entries by creation, newest first, then by id in the order of UTF-16 code units. */
export function comparePositions(a: Position, b: Position): number {
  if (a.createdAtMs !== b.createdAtMs) return b.createdAtMs - a.createdAtMs;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** Encodes a position as a cursor: base64url of `<createdAt ISO>|<id>`. */
export function encodeCursor(position: Position): string {
  return Buffer.from(`${instant(position.createdAtMs)}|${position.id}`).toString("base64url");
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Decodes a cursor: base64 of `<createdAt ISO>|<id>` or of a timestamp, or a plain timestamp; else `null`. */
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
  context.addIssue({
    code: "custom",
    message: "Not a cursor of this API; expected `pagination.after` or `pagination.before` of a response",
  });
  return z.NEVER;
});

const PageSize = z.preprocess(
  (text) => (typeof text === "string" && /^\d+$/.test(text) ? Math.min(Number(text), MAX_PAGE_SIZE) : text),
  z.int({ error: "Expected a whole number above 0" }).min(1).default(DEFAULT_PAGE_SIZE),
);

/** The query parameters of every list. */
export const PageQuery = z
  .object({
    pageSize: PageSize.meta({
      description: `Entries per page, 1 to ${MAX_PAGE_SIZE}; a larger number is lowered to ${MAX_PAGE_SIZE}.`,
    }),
    after: CursorText.optional().meta({
      description: "Cursor of the next page, from `pagination.after`. Cannot be combined with `before`.",
    }),
    before: CursorText.optional().meta({
      description: "Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`.",
    }),
  })
  .superRefine((query, context) => {
    if (query.after === undefined || query.before === undefined) return;
    context.addIssue({
      code: "custom",
      path: ["before"],
      message: "`after` and `before` exclude each other; leave one out",
      params: { code: "mutually_exclusive" },
    });
  });
export type PageQuery = z.infer<typeof PageQuery>;

/** The cursors of the next and the previous page. */
export const Pagination = z
  .object({
    after: z.string().nullable().meta({ description: "Cursor of the next page; `null` on the last page." }),
    before: z.string().nullable().meta({ description: "Cursor of the previous page; `null` on the first page." }),
  })
  .meta({ id: "Pagination" });
export type Pagination = z.infer<typeof Pagination>;

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly pagination: Pagination;
}

/**
 * Returns a page of a list that is ordered by `comparePositions`. A cursor names a place, not an entry: entries that
 * appear or disappear between two calls do not make others appear twice or be skipped.
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

/** Returns the first index whose entry passes, by binary search: all entries after it have to pass too. */
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
