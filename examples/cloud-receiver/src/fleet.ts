/** The fleet as it is known here, in the shapes of the gateway's own API. */
import type { Queryable } from "./database.ts";
import { instant } from "./instant.ts";
import { base64, type List, type Page, type PageQuery, pageOf, unbase64 } from "./pages.ts";

/** Kinds of asset by their path. */
export const KINDS: Readonly<Record<string, string>> = {
  batteries: "battery",
  chargers: "charger",
  hvacs: "hvac",
  inverters: "inverter",
  meters: "meter",
  vehicles: "vehicle",
};

type ByTime = readonly [atMs: number, id: string];

/** Cursors of lists that are ordered by creation, newest first, then by id. */
const BY_TIME: Pick<List<never, ByTime>, "encode" | "decode"> = {
  encode: ([atMs, id]) => base64(`${new Date(atMs).toISOString()}|${id}`),
  decode: (cursor) => {
    const [at, id] = unbase64(cursor) ?? ["", ""];
    const atMs = Date.parse(at);
    return Number.isNaN(atMs) ? null : [atMs, id];
  },
};

interface GatewayRow {
  readonly id: string;
  readonly software: string;
  readonly is_online: boolean | null;
  readonly enrolled_ms: number;
  readonly hello_ms: number;
  readonly clock_quality: string;
  readonly boot_number: number | null;
  readonly streams: Readonly<Record<string, { readonly epoch: string; readonly applied: number }>> | null;
  readonly forked_ms: number | null;
  readonly cloned_ms: number | null;
}

const GATEWAYS = `SELECT g.gateway AS id, g.software, g.is_online, g.enrolled_ms, g.hello_ms, g.clock_quality, g.boot_number,
    (SELECT json_object_agg(p.stream, json_build_object('epoch', p.epoch, 'applied', p.applied))
      FROM stream_position p WHERE p.gateway = g.gateway AND p.is_current) AS streams,
    (SELECT max(f.at_ms) FROM fork f WHERE f.gateway = g.gateway) AS forked_ms,
    (SELECT max(f.at_ms) FROM fork f WHERE f.gateway = g.gateway AND f.is_clone) AS cloned_ms
  FROM gateway g`;

export async function gatewayPage(client: Queryable, query: PageQuery): Promise<Page<object> | null> {
  const list: List<GatewayRow, ByTime> = {
    ...BY_TIME,
    keyOf: (row) => [row.enrolled_ms, row.id],
    async read(key, isBackwards, limit) {
      const { rows } = await client.query<GatewayRow>(
        `${GATEWAYS} WHERE $1::bigint IS NULL OR ${behind("g.enrolled_ms", "g.gateway", "$1", "$2", isBackwards)}
         ORDER BY ${ordered("g.enrolled_ms", "g.gateway", isBackwards)} LIMIT $3`,
        [key?.[0] ?? null, key?.[1] ?? null, limit],
      );
      return rows;
    },
  };
  const page = await pageOf(list, query);
  return page === null ? null : { ...page, data: page.data.map(gatewayView) };
}

/** Null: none. */
export async function gatewayById(client: Queryable, gateway: string): Promise<object | null> {
  const { rows } = await client.query<GatewayRow>(`${GATEWAYS} WHERE g.gateway = $1`, [gateway]);
  const [row] = rows;
  return row === undefined ? null : gatewayView(row);
}

function gatewayView(row: GatewayRow): object {
  return {
    id: row.id,
    createdAt: instant(row.enrolled_ms),
    software: row.software,
    isOnline: row.is_online,
    lastHelloAt: instant(row.hello_ms),
    clockQuality: row.clock_quality,
    boot: row.boot_number,
    streams: row.streams ?? {},
    forkedAt: instant(row.forked_ms),
    clonedAt: instant(row.cloned_ms),
  };
}

interface AssetRow {
  readonly id: string;
  readonly first_ms: number;
  readonly payload: unknown;
}

export async function assetPage(
  client: Queryable,
  gateway: string,
  kind: string,
  query: PageQuery,
): Promise<Page<unknown> | null> {
  const list: List<AssetRow, ByTime> = {
    ...BY_TIME,
    keyOf: (row) => [row.first_ms, row.id],
    async read(key, isBackwards, limit) {
      const { rows } = await client.query<AssetRow>(
        `SELECT id, first_ms, payload FROM entity WHERE gateway = $1 AND kind = $2 AND NOT is_deleted
           AND ($3::bigint IS NULL OR ${behind("first_ms", "id", "$3", "$4", isBackwards)})
         ORDER BY ${ordered("first_ms", "id", isBackwards)} LIMIT $5`,
        [gateway, kind, key?.[0] ?? null, key?.[1] ?? null, limit],
      );
      return rows;
    },
  };
  const page = await pageOf(list, query);
  return page === null ? null : { ...page, data: page.data.map(({ payload }) => within(payload, kind)) };
}

/** Undefined: none, or gone. */
export async function assetById(client: Queryable, gateway: string, kind: string, id: string): Promise<unknown> {
  const { rows } = await client.query<AssetRow>(
    "SELECT payload FROM entity WHERE gateway = $1 AND entity = $2 AND NOT is_deleted",
    [gateway, `${kind}/${id}`],
  );
  const [row] = rows;
  return row === undefined ? undefined : within(row.payload, kind);
}

/** Undefined: none. */
export async function actionById(client: Queryable, gateway: string, target: string, id: string): Promise<unknown> {
  const { rows } = await client.query<{ body: unknown }>(
    "SELECT body FROM action WHERE gateway = $1 AND target = $2 AND id = $3",
    [gateway, target, id],
  );
  return rows[0]?.body;
}

/** An event carries what it is about under the name of its kind. */
function within(payload: unknown, kind: string): unknown {
  return Reflect.get(Object(payload), kind) ?? null;
}

/** What stands behind a key, newest first; backwards: before it. */
function behind(time: string, id: string, atMs: string, atId: string, isBackwards: boolean): string {
  const [older, later] = isBackwards ? [">", "<"] : ["<", ">"];
  return `(${time} ${older} ${atMs} OR (${time} = ${atMs} AND ${id} COLLATE "C" ${later} ${atId}))`;
}

function ordered(time: string, id: string, isBackwards: boolean): string {
  return isBackwards ? `${time} ASC, ${id} COLLATE "C" DESC` : `${time} DESC, ${id} COLLATE "C" ASC`;
}
