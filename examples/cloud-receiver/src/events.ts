/** What happened in a house, newest first, as webhooks tell it; where something is missing, a hole in its place. */
import type { Queryable } from "./database.ts";
import { instant } from "./instant.ts";
import { base64, type List, type Page, type PageQuery, pageOf, unbase64 } from "./pages.ts";

interface EventRow {
  readonly turn: number;
  readonly place: number;
  readonly seq: number;
  readonly epoch: string;
  readonly event: string | null;
  readonly at_ms: number | null;
  readonly quality: string | null;
  readonly payload: unknown;
  readonly through_seq: number | null;
  readonly reason: string | null;
  readonly from_ms: number | null;
  readonly through_ms: number | null;
}

type ByNumber = readonly [turn: number, place: number];

/** `place` orders a turn; it is the number, but for holes of an epoch that is not known. */
const EVENTS = `SELECT turn, seq AS place, seq, epoch, event, at_ms, quality, payload,
    NULL::bigint AS through_seq, NULL::text AS reason, NULL::bigint AS from_ms, NULL::bigint AS through_ms
    FROM record WHERE gateway = $1
  UNION ALL SELECT turn, coalesce(stands_at, from_seq), from_seq, epoch, NULL, NULL, NULL, NULL, through_seq, reason, from_ms, through_ms
    FROM gap WHERE gateway = $1 AND stream = 'event'`;

export async function eventPage(client: Queryable, gateway: string, query: PageQuery): Promise<Page<object> | null> {
  const list: List<EventRow, ByNumber> = {
    keyOf: (row) => [row.turn, row.place],
    encode: ([turn, place]) => base64(`${turn}|${place}`),
    decode: (cursor) => {
      const [turn, place] = (unbase64(cursor) ?? ["", ""]).map((part) =>
        /^-?\d{1,15}$/.test(part) ? Number(part) : null,
      );
      return turn == null || place == null ? null : [turn, place];
    },
    async read(key, isBackwards, limit) {
      const [older, direction] = isBackwards ? [">", "ASC"] : ["<", "DESC"];
      const { rows } = await client.query<EventRow>(
        `SELECT * FROM (${EVENTS}) AS told WHERE $2::integer IS NULL OR (turn, place) ${older} ($2::integer, $3::bigint)
         ORDER BY turn ${direction}, place ${direction} LIMIT $4`,
        [gateway, key?.[0] ?? null, key?.[1] ?? null, limit],
      );
      return rows;
    },
  };
  const page = await pageOf(list, query);
  return page === null ? null : { ...page, data: page.data.map(eventView) };
}

function eventView(row: EventRow): object {
  const { epoch, seq, event, quality, payload } = row;
  if (event === null) {
    const hole = { epoch, from: seq, through: row.through_seq, reason: row.reason };
    return { hole: { ...hole, fromAt: instant(row.from_ms), throughAt: instant(row.through_ms) } };
  }
  const keys = typeof payload === "object" && payload !== null ? payload : { payload };
  return { ...keys, event, createdAt: instant(row.at_ms), place: { epoch, seq }, clockQuality: quality };
}
