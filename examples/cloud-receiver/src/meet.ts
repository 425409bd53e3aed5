/** Answers a hello: what is applied, and whether the gateway's history is the one that is known. */
import { type Boot, type Hello, MAX_BATCH_BYTES, PROTOCOL_VERSION, type Welcome } from "hemgate/cloud-protocol";
import { lockGateway } from "./apply.ts";
import type { Queryable } from "./database.ts";
import { placeLosses } from "./losses.ts";
import { STREAMS } from "./place.ts";
import { storable } from "./text.ts";

interface PositionRow {
  readonly stream: string;
  readonly epoch: string;
  readonly turn: number;
  readonly applied: number;
  readonly is_current: boolean;
}

interface BootRow {
  readonly boot_id: string;
  readonly boot_number: number;
  readonly applied: readonly Applied[] | null;
}

type Applied = Pick<PositionRow, "stream" | "epoch" | "applied">;

/** Starts that are remembered as of a gateway's history; a hello tells of no more. */
const MAX_BOOTS = 256;

type Named = readonly (readonly [stream: string, epoch: string])[];

export interface MeetingLimits {
  /** Batches that a gateway may have on their way. */
  readonly window: number;
  readonly nowMs: number;
}

/** To be run in one transaction; the welcome is true after its commit only. */
export async function meet(
  client: Queryable,
  gateway: string,
  hello: Hello,
  { window, nowMs }: MeetingLimits,
): Promise<Welcome> {
  await enrol(client, gateway, hello, nowMs);
  const { latest, told } = await latestBoot(client, gateway);
  const positions = await positionsOf(client, gateway);
  const known = await newestKnown(client, gateway, hello.boots);
  const named = STREAMS.flatMap((stream) => {
    const position = hello.streams[stream];
    return position === undefined ? [] : [[stream, position.epoch] as const];
  });
  const running = hello.boots.at(-1);
  const isLatestAmong = latest === null || hello.boots.some((boot) => isSame(boot, latest));
  const isFork = isReplaced(positions, named) || (!isLatestAmong && isKnown(positions, named));
  const isBack = running !== undefined && known !== null && isSame(running, known);
  const isClone = isBack && latest !== null && !isSame(running, latest);
  // A broker may bring a hello after the one of the next start, which told of this one. A twin comes again, with an epoch
  // of its own.
  const isLate = isFork && running !== undefined && told.some(isOf(running));
  if (running !== undefined && (isFork || isClone) && !isLate)
    await keepFork(client, gateway, running, { isClone, nowMs });
  if (running !== undefined && !isFork) {
    if (latest !== null) await noteLeft(client, gateway, latest, positions);
    if (latest === null || !isSame(latest, running)) await welcomeBoot(client, gateway, running, nowMs);
    await beginEpochs(client, gateway, positions, named);
    const before = isLatestAmong ? told.filter((boot) => !hello.boots.some(isOf(boot))) : [];
    await greet(client, gateway, hello, { nowMs, history: [...before, ...hello.boots].slice(-MAX_BOOTS) });
  }
  const at = isFork ? knownOf(known, latest, positions) : positions;
  return {
    v: PROTOCOL_VERSION,
    kind: "welcome",
    gateway,
    meeting: hello.meeting,
    version: PROTOCOL_VERSION,
    isFork,
    knownBoot: known === null ? null : { number: known.boot_number, id: known.boot_id },
    streams: Object.fromEntries(
      named.map(([stream, epoch]) => [stream, { epoch, applied: appliedIn(at, stream, epoch) }]),
    ),
    earlier: (hello.earlier ?? []).map(({ stream, epoch }) => {
      return { stream, epoch, applied: appliedIn(positions, stream, epoch) };
    }),
    window,
    maxBatchBytes: MAX_BATCH_BYTES,
    atMs: nowMs,
  };
}

async function enrol(client: Queryable, gateway: string, { software, clock }: Hello, nowMs: number): Promise<void> {
  await client.query(
    `INSERT INTO gateway (gateway, software, clock_quality, enrolled_ms, hello_ms) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT DO NOTHING`,
    [gateway, storable(software), storable(clock.quality), nowMs],
  );
  await lockGateway(client, gateway);
}

/** The start that was welcomed last, and all that its history told of, as far as it is remembered. */
async function latestBoot(
  client: Queryable,
  gateway: string,
): Promise<{ readonly latest: Boot | null; readonly told: readonly Boot[] }> {
  const { rows } = await client.query<{ number: number | null; id: string | null; boots: readonly Boot[] | null }>(
    "SELECT boot_number AS number, boot_id AS id, boots FROM gateway WHERE gateway = $1",
    [gateway],
  );
  const [row] = rows;
  const latest = row?.number == null || row.id === null ? null : { number: row.number, id: row.id };
  return { latest, told: row?.boots ?? [] };
}

async function positionsOf(client: Queryable, gateway: string): Promise<readonly PositionRow[]> {
  const { rows } = await client.query<PositionRow>(
    "SELECT stream, epoch, turn, applied, is_current FROM stream_position WHERE gateway = $1",
    [gateway],
  );
  return rows;
}

/** The newest of a hello's starts that was ever welcomed. */
async function newestKnown(client: Queryable, gateway: string, boots: readonly Boot[]): Promise<BootRow | null> {
  const { rows } = await client.query<BootRow>(
    "SELECT boot_id, boot_number, applied FROM boot WHERE gateway = $1 AND boot_id = ANY($2)",
    [gateway, boots.map(({ id }) => storable(id))],
  );
  const newest = boots.findLast((boot) => rows.some((row) => isSame(boot, row)));
  return rows.find((row) => newest !== undefined && isSame(newest, row)) ?? null;
}

function isSame(boot: Boot, other: Boot | BootRow): boolean {
  const { id, number } = "id" in other ? (other as Boot) : { id: other.boot_id, number: other.boot_number };
  return storable(boot.id) === id && boot.number === number;
}

function isOf(boot: Boot): (other: Boot) => boolean {
  return ({ number, id }) => number === boot.number && storable(id) === storable(boot.id);
}

function isKnown(positions: readonly PositionRow[], named: Named): boolean {
  return named.some(([, epoch]) => positions.some((position) => position.epoch === epoch));
}

/** Whether a later hello named another epoch in the place of one of these. */
function isReplaced(positions: readonly PositionRow[], named: Named): boolean {
  return named.some(([stream, epoch]) =>
    positions.some((position) => position.stream === stream && position.epoch === epoch && !position.is_current),
  );
}

function appliedIn(at: readonly Applied[], stream: string, epoch: string): number {
  return at.find((position) => position.stream === stream && position.epoch === epoch)?.applied ?? 0;
}

async function keepFork(
  client: Queryable,
  gateway: string,
  { number, id }: Boot,
  { isClone, nowMs }: { readonly isClone: boolean; readonly nowMs: number },
): Promise<void> {
  await client.query("INSERT INTO fork (gateway, at_ms, boot_number, boot_id, is_clone) VALUES ($1, $2, $3, $4, $5)", [
    gateway,
    nowMs,
    number,
    storable(id),
    isClone,
  ]);
}

/** What was applied in the epochs in which a start was the one welcomed last, as it leaves them, or may. */
async function noteLeft(
  client: Queryable,
  gateway: string,
  latest: Boot,
  positions: readonly PositionRow[],
): Promise<void> {
  const before = (await newestKnown(client, gateway, [latest]))?.applied ?? [];
  const running = positions.filter((position) => position.is_current);
  const left = before.filter(({ stream, epoch }) => !running.some((at) => at.stream === stream && at.epoch === epoch));
  const applied = [...left, ...running].map(({ stream, epoch, applied: through }) => ({
    stream,
    epoch,
    applied: through,
  }));
  await client.query("UPDATE boot SET applied = $4 WHERE gateway = $1 AND boot_number = $2 AND boot_id = $3", [
    gateway,
    latest.number,
    latest.id,
    JSON.stringify(applied),
  ]);
}

/**
 * Of a history that parted counts what was applied while its newest start was the one welcomed last, and before it parted:
 * in those epochs, and nothing in others, where other boxes may have spoken.
 */
function knownOf(known: BootRow | null, latest: Boot | null, positions: readonly PositionRow[]): readonly Applied[] {
  if (known === null) return [];
  const isLatest = latest !== null && isSame(latest, known);
  const running = isLatest ? positions.filter((position) => position.is_current) : [];
  return [...running, ...(known.applied ?? [])];
}

async function welcomeBoot(client: Queryable, gateway: string, { number, id }: Boot, nowMs: number): Promise<void> {
  await client.query(
    `INSERT INTO boot (gateway, boot_number, boot_id, welcomed_ms) VALUES ($1, $2, $3, $4)
     ON CONFLICT (gateway, boot_id, boot_number) DO UPDATE SET welcomed_ms = excluded.welcomed_ms`,
    [gateway, number, storable(id), nowMs],
  );
}

/** Each stream goes on in the epoch that is named; those before are not taken any more. */
async function beginEpochs(
  client: Queryable,
  gateway: string,
  positions: readonly PositionRow[],
  named: Named,
): Promise<void> {
  for (const [stream, epoch] of named) {
    const own = positions.filter((position) => position.stream === stream);
    if (own.some((position) => position.epoch === epoch)) continue;
    await client.query("UPDATE stream_position SET is_current = false WHERE gateway = $1 AND stream = $2", [
      gateway,
      stream,
    ]);
    const turn = own.reduce((last, position) => Math.max(last, position.turn), 0) + 1;
    await client.query(
      `INSERT INTO stream_position (gateway, stream, epoch, turn, applied, is_current) VALUES ($1, $2, $3, $4, 0, true)`,
      [gateway, stream, epoch, turn],
    );
    await placeLosses(client, { gateway, stream, epoch, turn });
  }
}

async function greet(
  client: Queryable,
  gateway: string,
  { software, clock, boots }: Hello,
  { nowMs, history }: { readonly nowMs: number; readonly history: readonly Boot[] },
): Promise<void> {
  const { number, id } = boots.at(-1) ?? { number: null, id: null };
  await client.query(
    `UPDATE gateway SET software = $2, clock_quality = $3, hello_ms = $4, boot_number = $5, boot_id = $6, boots = $7,
       is_online = true
     WHERE gateway = $1`,
    [
      gateway,
      storable(software),
      storable(clock.quality),
      nowMs,
      number,
      id === null ? null : storable(id),
      JSON.stringify(history.map((boot) => ({ number: boot.number, id: storable(boot.id) }))),
    ],
  );
}
