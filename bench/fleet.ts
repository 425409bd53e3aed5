/**
 * A fleet of gateways in one process against a real broker, two copies of the example receiver and PostgreSQL: bytes a
 * gateway and day, and how long a day's backlog of all of them takes. Each has a real outbox, session and uplink; what
 * happened in its house is the sandbox home's day, played at each of them.
 *
 *   node --conditions=source --max-old-space-size=12000 bench/fleet.ts [GATEWAYS] [full|quarter-hour]
 *
 * 50 gateways if nothing else is said. `OUTAGE_S` (20) is how long the fleet looks for a broker that is away, `LIVE_HOURS` (6)
 * how much of the day is also told round by round, `LIMIT_S` (400) after how long a backlog is given up. `HOME_HOURS` (24): a
 * shorter recording of the home is played again and again.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { TelemetrySample } from "../src/store/store.ts";
import { routesOf } from "../src/sync/cloud/routes.ts";
import { FleetGateway, type FleetGatewayOptions, toldBy } from "./fleet-gateway.ts";
import { comparePeers } from "./fleet-peers.ts";
import { FleetSite, openMeter, PARTS } from "./fleet-site.ts";
import { DAY_MS, type HomeDay, homeDay } from "./home-day.ts";

const GATEWAYS = Number(process.argv[2] ?? 50);
const TELEMETRY = process.argv[3] === "full" ? "full" : "quarter-hour";
const OUTAGE_S = Number(process.env["OUTAGE_S"] ?? 20);
const LIVE_HOURS = Number(process.env["LIVE_HOURS"] ?? 6);
const LIMIT_S = Number(process.env["LIMIT_S"] ?? 400);
const HOME_HOURS = Number(process.env["HOME_HOURS"] ?? 24);
const COPIES = 2;
const QUARTER_MS = 15 * 60_000;
const QUARTERS_A_DAY = 96;
const EACH_SAMPLE = 12;
/** In which receivers found a broker again. */
const RECEIVERS_BACK_MS = 3_000;
/** Gateways whose bytes are counted. */
const METERED = 3;
const TABLES = ["record", "entity", "telemetry", "action"] as const;

const seconds = (sinceMs: number): number => (performance.now() - sinceMs) / 1_000;
const say = (text: string): void => console.log(text);

/** What a day is for a gateway that was away: all events, and the newest state of each thing. */
function backlogOf({ rounds }: HomeDay): readonly HomeDay["rounds"][number][number][] {
  const states = new Map<string, HomeDay["rounds"][number][number]>();
  const events: HomeDay["rounds"][number][number][] = [];
  for (const entry of rounds.flat()) {
    const routes = routesOf(entry);
    const state = routes.find(({ stream }) => stream === "state");
    if (routes.some(({ stream }) => stream === "event")) events.push(entry);
    else if (state?.entity != null) states.set(state.entity, entry);
  }
  return [...events, ...states.values()];
}

/** Tells hours of the day as they come, one round after the other is acknowledged. */
async function liveBytes(site: FleetSite, day: HomeDay): Promise<void> {
  await using meter = await openMeter(site.brokerPort);
  const historyFromMs = Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS - QUARTER_MS;
  let nowMs = toldBy(historyFromMs, 0);
  const way = { brokerUrl: meter.url, day, telemetry: TELEMETRY } as const;
  const options = { ...way, historyFromMs, nowMs: () => nowMs, isSpread: true } as const;
  const gateways = await opened(METERED, { ...options, name: "live" });
  for (const gateway of gateways) gateway.connect();
  await allTold(gateways, 60);
  const before = { up: meter.upBytes, down: meter.downBytes, cpu: site.cpuMs(), kept: await keptBy(site) };
  const rounds = day.rounds.slice(0, Math.ceil((day.rounds.length * LIVE_HOURS) / 24));
  const quarters = Math.ceil((QUARTERS_A_DAY * LIVE_HOURS) / 24);
  let entries = 0;
  let json = 0;
  for (const [index, round] of rounds.entries()) {
    nowMs = toldBy(historyFromMs, Math.floor((quarters * (index + 1)) / rounds.length));
    entries += round.length;
    json += round.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
    await Promise.all(gateways.map((gateway) => gateway.tell(round)));
    await allTold(gateways, 60);
  }
  const perDay = 24 / LIVE_HOURS / METERED;
  const up = (meter.upBytes - before.up) * perDay;
  const down = (meter.downBytes - before.down) * perDay;
  const samples = [...day.quarters.values()].flatMap((own) => own.slice(0, quarters).flat());
  const told = TELEMETRY === "full" ? samples : [];
  const changes = (json + told.reduce((sum, sample) => sum + JSON.stringify(sample).length, 0)) * (24 / LIVE_HOURS);
  const [cpu, kept] = [site.cpuMs(), await keptBy(site)];
  const batches = (rounds.length + quarters) * METERED;
  for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
  say(
    `live, ${LIVE_HOURS} h of the day by ${METERED} gateways: ${rounds.length} rounds, ${entries} entries, ${quarters} quarters`,
  );
  say(`| a gateway and day | kB |\n|---|---|`);
  say(`| up, MQTT with all its heads | ${(up / 1_000).toFixed(0)} |`);
  say(`| down | ${(down / 1_000).toFixed(0)} |`);
  say(
    `| each change${TELEMETRY === "full" ? " and each reading" : ""} as JSON of its own, unpacked, without MQTT | ${(changes / 1_000).toFixed(0)} |`,
  );
  say(`| ratio | ${((up + down) / changes).toFixed(3)} |`);
  say(`| a batch | |\n|---|---|`);
  for (const part of PARTS) {
    say(`| CPU of the ${part}, µs | ${(((cpu[part] - before.cpu[part]) * 1_000) / batches).toFixed(0)} |`);
  }
  say(`| WAL, bytes | ${((kept.walBytes - before.kept.walBytes) / batches).toFixed(0)} |`);
  say(`| transactions | ${((kept.commits - before.kept.commits) / batches).toFixed(2)} |`);
}

/** A mean is as long whatever number of samples it is of, and what the gateways of a fleet reckon is their own matter. */
function thinned({ quarters }: HomeDay): HomeDay["quarters"] {
  const some = (samples: readonly TelemetrySample[]) => samples.filter((_, index) => index % EACH_SAMPLE === 0);
  return new Map([...quarters].map(([deviceId, own]) => [deviceId, own.map(some)]));
}

async function opened(
  count: number,
  options: Omit<FleetGatewayOptions, "name"> & { readonly name: string },
): Promise<readonly FleetGateway[]> {
  const gateways: FleetGateway[] = [];
  for (let at = 0; at < count; at += 1) {
    gateways.push(await FleetGateway.open({ ...options, name: `${options.name}-${at}` }));
  }
  return gateways;
}

async function allTold(gateways: readonly FleetGateway[], limitS: number): Promise<void> {
  const startMs = performance.now();
  const open = new Set(gateways);
  while (open.size > 0) {
    for (const gateway of open) if ((await gateway.waiting()) === 0) open.delete(gateway);
    if (seconds(startMs) > limitS) throw new Error(`${open.size} of ${gateways.length} gateways still wait`);
    if (open.size > 0) await pause(5);
  }
}

interface Kept {
  readonly rows: number;
  readonly bytes: number;
  readonly walBytes: number;
  readonly commits: number;
}

async function keptBy({ database }: FleetSite): Promise<Kept> {
  const parts = TABLES.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ");
  const { rows } = await database.query<Record<keyof Kept, string>>(
    `SELECT ${parts} AS rows, pg_database_size(current_database()) AS bytes,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS "walBytes",
       (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits`,
  );
  const [row] = rows;
  const number = (key: keyof Kept): number => Number(row?.[key] ?? 0);
  return { rows: number("rows"), bytes: number("bytes"), walBytes: number("walBytes"), commits: number("commits") };
}

/** All gateways have a day to tell when the broker is there again. Answers the records a second. */
async function drain(site: FleetSite, day: HomeDay, isSpread: boolean): Promise<number> {
  const historyFromMs = Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS - DAY_MS;
  const nowMs = (): number => toldBy(historyFromMs, QUARTERS_A_DAY);
  await site.stopBroker();
  const name = isSpread ? "spread" : "at-once";
  const options = {
    name,
    isSpread,
    brokerUrl: site.brokerUrl,
    day,
    telemetry: TELEMETRY,
    historyFromMs,
    nowMs,
  } as const;
  const gateways = await opened(GATEWAYS, options);
  const backlog = backlogOf(day);
  for (const gateway of gateways) await gateway.tell(backlog);
  if (isSpread) {
    for (const gateway of gateways) gateway.connect();
    await pause(OUTAGE_S * 1_000);
  }
  const before = await keptBy(site);
  await site.startBroker();
  if (!isSpread) {
    // A hello that no receiver hears yet is said again after 30 s.
    await pause(RECEIVERS_BACK_MS);
    for (const gateway of gateways) gateway.connect();
  }
  const cpuBefore = site.cpuMs();
  const ownBefore = process.cpuUsage();
  const { halfS, allS: tookS } = await committed(site, gateways, name);
  const cpu = site.cpuMs();
  const { user, system } = process.cpuUsage(ownBefore);
  const after = await keptBy(site);
  const records = after.rows - before.rows;
  say(
    `drain, ${isSpread ? "spread by the jitter" : "all at once"}: ${GATEWAYS} gateways × ${backlog.length} entries and ${QUARTERS_A_DAY} quarters (${TELEMETRY})`,
  );
  say(`half of the gateways after ${halfS.toFixed(1)} s, all after ${tookS.toFixed(1)} s: ${records} records`);
  say(`| | |\n|---|---|\n| records/s | ${(records / tookS).toFixed(0)} |`);
  for (const part of PARTS) {
    const ms = cpu[part] - cpuBefore[part];
    say(
      `| CPU of the ${part}, % of a core; µs a record | ${(ms / tookS / 10).toFixed(0)}; ${((ms * 1_000) / records).toFixed(0)} |`,
    );
  }
  const own = (user + system) / 1_000;
  say(
    `| CPU of all gateways, % of a core; µs a record | ${(own / tookS / 10).toFixed(0)}; ${((own * 1_000) / records).toFixed(0)} |`,
  );
  say(`| PostgreSQL, bytes a record | ${((after.bytes - before.bytes) / records).toFixed(0)} |`);
  say(`| WAL, bytes a record | ${((after.walBytes - before.walBytes) / records).toFixed(0)} |`);
  say(`| records a commit | ${(records / (after.commits - before.commits)).toFixed(1)} |`);
  say(`| resident MB of ${GATEWAYS} gateways | ${(process.memoryUsage().rss / 1e6).toFixed(0)} |`);
  const replays = (await Promise.all(gateways.map((each) => each.replays()))).reduce((sum, each) => sum + each, 0);
  say(`| times something was sent again | ${replays} |`);
  await Promise.all(gateways.map((gateway) => gateway[Symbol.asyncDispose]()));
  return records / tookS;
}

/** Answers after how many seconds half of the gateways, and all, are in the database with all that they told. */
async function committed(
  { database }: FleetSite,
  gateways: readonly FleetGateway[],
  name: string,
): Promise<{ readonly halfS: number; readonly allS: number }> {
  const startMs = performance.now();
  const numbers = QUARTERS_A_DAY + Math.max(...gateways.map((gateway) => gateway.numbers));
  let halfS: number | null = null;
  while (seconds(startMs) < LIMIT_S) {
    const { rows } = await database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM (
         SELECT gateway FROM stream_position WHERE is_current AND gateway LIKE $1 GROUP BY gateway HAVING sum(applied) >= $2
       ) AS told`,
      [`${name}-%`, numbers],
    );
    const told = rows[0]?.count ?? 0;
    if (told >= gateways.length / 2) halfS ??= seconds(startMs);
    if (told >= gateways.length) return { halfS: halfS ?? 0, allS: seconds(startMs) };
    await pause(250);
  }
  const standing = await Promise.all(gateways.map((gateway) => gateway.standing()));
  throw new Error(
    `not all gateways told all in ${LIMIT_S} s: ${JSON.stringify(standing.find(({ waiting }) => waiting > 0))}`,
  );
}

const dayStartMs = performance.now();
const recorded = await homeDay(7, HOME_HOURS);
const rounds = Array.from({ length: 24 / HOME_HOURS }, () => recorded.rounds).flat();
const day: HomeDay = { ...recorded, rounds, quarters: TELEMETRY === "full" ? recorded.quarters : thinned(recorded) };
say(`${HOME_HOURS} h of the sandbox home took ${seconds(dayStartMs).toFixed(0)} s: ${day.devices.length} devices,`);
say(
  `${day.rounds.length} rounds with ${day.rounds.flat().length} journal entries, ${backlogOf(day).length} of them in a backlog`,
);
await using site = await FleetSite.open(COPIES);
try {
  await liveBytes(site, day);
  const rate = await drain(site, day, false);
  await comparePeers(site, rate);
  await drain(site, day, true);
} catch (error) {
  say(`receivers said: ${site.warnings}`);
  throw error;
}
