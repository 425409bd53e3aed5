/**
 * Years of devices in the history: how long questions about them take, how much the process grows by meanwhile, and what
 * they take on the disk, beside the same rows in SQLite and as JSON in LevelDB, in the same run.
 *
 *   node --conditions=source --expose-gc bench/statistics.ts [DEVICES [YEARS [WORDS]]]
 *
 * With WORDS only the questions that contain them are asked.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HOUR_MS, MINUTE_MS } from "../src/domain/duration.ts";
import { coarserRows, type EnergyRow, QUARTER_MS, type SlotMs } from "../src/domain/statistics/statistics-row.ts";
import type { PriceSlot } from "../src/engine/contracts/places.ts";
import { StatisticsService } from "../src/engine/statistics/statistics-service.ts";
import { nodeDisk } from "../src/platform/node/files/node-disk.ts";
import type { Database } from "../src/platform/ports/ports.ts";
import { writeSynced } from "../src/store/database.ts";
import { seal, sealJson } from "../src/store/envelope.ts";
import { openStore } from "../src/store/open-store.ts";
import type { AssetRecord } from "../src/store/records.ts";
import type { Store } from "../src/store/store.ts";
import { encodeRows } from "../src/store/telemetry/row-block.ts";
import { blockTime, ROLLED_KEY, rowsKey } from "../src/store/telemetry/row-keys.ts";
import { SeededRandom } from "../src/testing/seeded-random.ts";
import { TestLog } from "../src/testing/test-log.ts";
import { VirtualClock } from "../src/testing/virtual-clock.ts";

const DEVICES = Number(process.argv[2] ?? 20);
const DAY_MS = 24 * HOUR_MS;
const YEARS = Number(process.argv[3] ?? 1);
const WORDS = process.argv[4] ?? "";
const DAYS = 365 * YEARS;
const START_MS = Date.UTC(2025, 0, 1);
const END_MS = START_MS + DAYS * DAY_MS;
const RUNS = 9;
const NOWHERE = { epoch: 0, seq: 0 };

type Kind = "charger" | "inverter";

/** A day of a charger that charges for four hours, or of an inverter from six to eight. */
function dayOf(kind: Kind, dayMs: number, random: SeededRandom): EnergyRow[] {
  const startMinute = kind === "charger" ? Math.floor(random.between(0, 20) * 60) : 6 * 60;
  const minutes = kind === "charger" ? 240 : 14 * 60;
  const peakW = random.between(2_000, 10_000);
  return Array.from({ length: 1_440 }, (_, minute): EnergyRow => {
    const atMs = dayMs + minute * MINUTE_MS;
    const into = minute - startMinute;
    const isOn = into >= 0 && into < minutes;
    const shape = kind === "charger" ? 1 : Math.sin((Math.PI * (into + 0.5)) / minutes);
    const watts = isOn ? Math.round(20 + peakW * shape + random.between(-20, 20)) : 0;
    const mwh = Math.round((watts * 1_000) / 60);
    const flow = isOn ? { flowMs: MINUTE_MS, flowMwh: mwh, flowFromMs: atMs, flowToMs: atMs + MINUTE_MS } : IDLE;
    return {
      atMs,
      knownMs: MINUTE_MS,
      inMwh: mwh,
      outMwh: 0,
      ...flow,
      minW: isOn ? watts : null,
      maxW: isOn ? watts + 9 : null,
      level: null,
    };
  });
}

const IDLE = { flowMs: 0, flowMwh: 0, flowFromMs: null, flowToMs: null };

/** What each layout takes per device and level, bytes before LevelDB compresses. */
const sizes = new Map<string, number>();

async function fill(database: Database, kind: Kind, sqlite: DatabaseSync, json: Database): Promise<void> {
  const random = new SeededRandom(kind);
  const insert = sqlite.prepare("INSERT INTO hour VALUES (?, ?, ?, ?, ?)");
  for (let device = 0; device < DEVICES; device++) {
    const stream = { deviceId: `${kind}-${device}`, kind };
    const hours: EnergyRow[] = [];
    for (let dayMs = START_MS; dayMs < END_MS; dayMs += DAY_MS) {
      const minutes = dayOf(kind, dayMs, random);
      const operations = [];
      for (let hour = 0; hour < 24; hour++) {
        operations.push(put("minutes", stream, minutes.slice(hour * 60, hour * 60 + 60), MINUTE_MS));
      }
      operations.push(put("quarter hours", stream, coarserRows(minutes, QUARTER_MS), QUARTER_MS));
      await writeSynced(database, operations);
      const ofDay = coarserRows(minutes, HOUR_MS);
      hours.push(...ofDay);
      await json.put(`${stream.deviceId}!${dayMs}`, Buffer.from(JSON.stringify(ofDay)), { valueEncoding: "view" });
    }
    const months = Map.groupBy(hours, (row) => blockTime(HOUR_MS, row.atMs).fromMs);
    await writeSynced(
      database,
      [...months.values()].map((rows) => put("hours", stream, rows, HOUR_MS)),
    );
    sqlite.exec("BEGIN");
    for (const { atMs, inMwh, minW, maxW } of hours) insert.run(stream.deviceId, atMs, inMwh, minW, maxW);
    sqlite.exec("COMMIT");
  }
}

function put(level: string, stream: { deviceId: string; kind: Kind }, rows: readonly EnergyRow[], slotMs: SlotMs) {
  const time = blockTime(slotMs, rows[0]!.atMs);
  const key = rowsKey(stream, time);
  const value = seal(key, NOWHERE, encodeRows(rows, time.fromMs, slotMs));
  sizes.set(level, (sizes.get(level) ?? 0) + key.length + value.length);
  return { type: "put" as const, key, value };
}

/** Prices of a year in steps, each another one. */
function prices(stepMs: number): PriceSlot[] {
  return Array.from({ length: (DAYS * DAY_MS) / stepMs }, (_, index) => {
    const fromMs = START_MS + index * stepMs;
    return { fromMs, toMs: fromMs + stepMs, cost: (0.05 + ((index * 7_919) % 9_973) / 20_000).toFixed(5) };
  });
}

function stepOf([first]: readonly PriceSlot[]): number {
  return first === undefined ? HOUR_MS : first.toMs - first.fromMs;
}

function serviceOver(store: Store, clock: VirtualClock, slots: readonly PriceSlot[]): StatisticsService {
  const assets = {
    get: () => null,
    list: (kind: string) =>
      store
        .all("asset")
        .flatMap(({ id, kind: own }) =>
          own === kind ? [{ asset: { id, userId: "home", location: { id: "place" } }, createdAtMs: START_MS }] : [],
        ),
    observe: () => ({ [Symbol.dispose]: () => undefined }),
  };
  const between = (_: unknown, fromMs: number, toMs: number): readonly PriceSlot[] =>
    slots.slice(
      Math.max(0, Math.floor((fromMs - START_MS) / stepOf(slots))),
      Math.max(0, Math.ceil((toMs - START_MS) / stepOf(slots))),
    );
  const context = { clock, log: new TestLog(), store, assets, users: { require: () => undefined } };
  // The service asks no more of them than this.
  return new StatisticsService(context as never, { prices: { between }, shifts: { between: () => [] } });
}

interface Cost {
  readonly ms: number;
  /** On a busy machine only this is the question's own. */
  readonly cpuMs: number;
  /** How far the resident memory rose above what it was before, at its highest. */
  readonly peakMb: number;
  readonly entries: number;
}

async function median(work: () => Promise<number> | number): Promise<Cost> {
  const times: number[] = [];
  const cpuTimes: number[] = [];
  const peaks: number[] = [];
  let entries = 0;
  for (let run = 0; run < RUNS; run++) {
    globalThis.gc?.();
    const residentMb = resetPeak();
    const cpu = process.cpuUsage();
    const before = process.hrtime.bigint();
    entries = await work();
    times.push(Number(process.hrtime.bigint() - before) / 1e6);
    const { user, system } = process.cpuUsage(cpu);
    cpuTimes.push((user + system) / 1_000);
    peaks.push(memoryMb("VmHWM") - residentMb);
  }
  return { ms: middle(times), cpuMs: middle(cpuTimes), peakMb: Math.max(...peaks), entries };
}

/** Makes the kernel forget the highest resident memory of this process, and returns the present one, MB. */
function resetPeak(): number {
  writeFileSync("/proc/self/clear_refs", "5");
  return memoryMb("VmRSS");
}

function memoryMb(field: "VmRSS" | "VmHWM"): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1_024;
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function askSqlite(sqlite: DatabaseSync): number {
  const query = sqlite.prepare(
    "SELECT at / 86400000 AS day, SUM(mwh), MIN(least), MAX(largest) FROM hour WHERE device LIKE 'charger%' AND at >= ? AND at < ? GROUP BY day",
  );
  return query.all(START_MS, END_MS).length;
}

async function askJson(json: Database): Promise<number> {
  const days = new Map<number, number>();
  for await (const [key, value] of json.iterator({ gte: "charger", lt: "chargerz", valueEncoding: "view" })) {
    const dayMs = Number(String(key).split("!")[1]);
    for (const row of JSON.parse(Buffer.from(value).toString()) as EnergyRow[]) {
      days.set(dayMs, (days.get(dayMs) ?? 0) + row.inMwh);
    }
  }
  return days.size;
}

const folder = mkdtempSync(join(tmpdir(), "hemgate-statistics-"));
const state = join(folder, "state");
const telemetry = await nodeDisk({ stateFolder: state }).open("telemetry");
const json = await nodeDisk({ stateFolder: join(folder, "json") }).open("telemetry");
const sqlite = new DatabaseSync(join(folder, "rows.sqlite"));
sqlite.exec(
  "PRAGMA journal_mode = WAL; CREATE TABLE hour (device TEXT, at INTEGER, mwh INTEGER, least INTEGER, largest INTEGER, PRIMARY KEY (device, at)) WITHOUT ROWID",
);
for (const kind of ["charger", "inverter"] as const) await fill(telemetry, kind, sqlite, json);
await writeSynced(telemetry, [{ type: "put", key: ROLLED_KEY, value: sealJson(ROLLED_KEY, NOWHERE, END_MS) }]);
await telemetry.close();
sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");

const clock = new VirtualClock({ startMs: END_MS });
const random = new SeededRandom(1);
const opening = openStore({ disk: nodeDisk({ stateFolder: state }), clock, random, log: new TestLog() });
const store = await opening;
const records = (["charger", "inverter"] as const).flatMap((kind) =>
  Array.from({ length: DEVICES }, (_, device): AssetRecord => {
    return { id: `${kind}-asset-${device}`, kind, deviceId: `${kind}-${device}`, createdAtMs: START_MS };
  }),
);
const stored = store.commit(
  records.map((record) => ({ table: "asset", key: record.id, put: record })),
  [],
);
await clock.advance(100);
await stored;

const year = { userId: "home", fromMs: START_MS, toMs: END_MS, offsetMs: 0, resolution: "DAY" } as const;
const [free, hourly, quarterly] = [[], prices(HOUR_MS), prices(QUARTER_MS)].map((slots) =>
  serviceOver(store, clock, slots),
);
const questions: readonly (readonly [string, () => Promise<number> | number])[] = [
  ["charging by DAY, no prices", async () => (await free!.charging({ ...year, kind: "charger" })).length],
  ["**charging by DAY, a price an hour**", async () => (await hourly!.charging({ ...year, kind: "charger" })).length],
  [
    "charging by DAY, a price a quarter hour",
    async () => (await quarterly!.charging({ ...year, kind: "charger" })).length,
  ],
  [
    "charging of one device by DAY, a price an hour",
    async () => (await hourly!.charging({ ...year, kind: "charger", assetId: "charger-asset-0" })).length,
  ],
  ["production by DAY, a price an hour", async () => (await hourly!.production({ ...year, kind: "inverter" })).length],
  [
    "production by MONTH, no prices",
    async () => (await free!.production({ ...year, kind: "inverter", resolution: "MONTH" })).length,
  ],
  [
    "charging of one device by DAY, a price a quarter hour",
    async () => (await quarterly!.charging({ ...year, kind: "charger", assetId: "charger-asset-0" })).length,
  ],
  [
    "sessions of one charger",
    async () => (await hourly!.sessions({ ...year, kind: "charger", assetId: "charger-asset-0" })).length,
  ],
  [
    "sessions of one charger, a price a quarter hour",
    async () => (await quarterly!.sessions({ ...year, kind: "charger", assetId: "charger-asset-0" })).length,
  ],
  ["SQLite: energy by day from rows of hours", () => askSqlite(sqlite)],
  ["JSON rows of hours in LevelDB, energy by day", () => askJson(json)],
];
console.log(
  `Years: ${YEARS}, of ${DEVICES} chargers and ${DEVICES} inverters; median of ${RUNS}, highest memory of them`,
);
console.log("| question over all years | entries | ms | CPU ms | peak MB |\n|---|---|---|---|---|");
for (const [question, ask] of questions.filter(([question]) => question.includes(WORDS))) {
  const { ms, cpuMs, peakMb, entries } = await median(ask);
  console.log(`| ${question} | ${entries} | ${ms.toFixed(0)} | ${cpuMs.toFixed(0)} | ${peakMb.toFixed(0)} |`);
}
console.log("\n| on the disk, a year of a device | kB |\n|---|---|");
for (const [level, bytes] of sizes) console.log(`| ${level} | ${(bytes / DEVICES / YEARS / 2 / 1e3).toFixed(0)} |`);
const perDevice = (bytes: number): string => (bytes / DEVICES / YEARS / 2 / 1e3).toFixed(0);
console.log(`| all of them in LevelDB, compressed | ${perDevice(folderBytes(state))} |`);
console.log(`| hours in SQLite | ${perDevice(statSync(join(folder, "rows.sqlite")).size)} |`);
console.log(`| hours as JSON in LevelDB | ${perDevice(folderBytes(join(folder, "json")))} |`);
sqlite.close();
await json.close();
await Promise.all([store[Symbol.asyncDispose](), clock.advance(10_000)]);
rmSync(folder, { recursive: true });
