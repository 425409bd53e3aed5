/** Pages of a list, with the cursors of the gateway's own API. */
import { z } from "zod";

const MAX_PAGE_SIZE = 1_000;

export const PageQuery = z
  .object({
    pageSize: z.coerce
      .number()
      .int()
      .min(1)
      .default(50)
      .transform((size) => Math.min(size, MAX_PAGE_SIZE)),
    after: z.string().max(1_000).optional(),
    before: z.string().max(1_000).optional(),
  })
  .refine(
    ({ after, before }) => after === undefined || before === undefined,
    "`after` and `before` exclude each other",
  );
export type PageQuery = z.infer<typeof PageQuery>;

/** Where a row stands in its list. */
export type Key = readonly [first: number, second: string | number];

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly after: string | null; readonly before: string | null };
}

export interface List<Row, Place extends Key> {
  /** Rows in the list's order behind a key, or, backwards, in the opposite order before it. Null: from its end. */
  read(key: Place | null, isBackwards: boolean, limit: number): Promise<readonly Row[]>;
  keyOf(row: Row): Place;
  encode(key: Place): string;
  /** Null: not a cursor of this list. */
  decode(cursor: string): Place | null;
}

/** Null: a cursor that is none. */
export async function pageOf<Row, Place extends Key>(
  { read, keyOf, encode, decode }: List<Row, Place>,
  { pageSize, after, before }: PageQuery,
): Promise<Page<Row> | null> {
  const cursor = after ?? before;
  const key = cursor === undefined ? null : decode(cursor);
  if (cursor !== undefined && key === null) return null;
  const isBackwards = before !== undefined;
  const found = await read(key, isBackwards, pageSize + 1);
  const cut = found.slice(0, pageSize);
  const data = isBackwards ? cut.toReversed() : cut;
  const [first] = data;
  const last = data.at(-1);
  const hasMore = found.length > pageSize;
  // A cursor came from a row: on its side of the page there is that row at least.
  const hasAfter = isBackwards ? cursor !== undefined : hasMore;
  const hasBefore = isBackwards ? hasMore : cursor !== undefined;
  return {
    data,
    pagination: {
      after: hasAfter && last !== undefined ? encode(keyOf(last)) : null,
      before: hasBefore && first !== undefined ? encode(keyOf(first)) : null,
    },
  };
}

export function base64(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** The two parts of a cursor; null: it has not two. */
export function unbase64(cursor: string): readonly [string, string] | null {
  const text = Buffer.from(cursor, "base64url").toString();
  const bar = text.indexOf("|");
  return bar === -1 || text.includes("\0") ? null : [text.slice(0, bar), text.slice(bar + 1)];
}
