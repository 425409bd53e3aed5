/**
 * A year of a home in the history: how long its exports take, and how much the process grows by meanwhile.
 *
 *   node --conditions=source --expose-gc bench/export.ts [DEVICES [DAYS [SECONDS]]]
 *
 * Each of the DEVICES meters is read every SECONDS, with eight points.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../src/domain/duration.ts";
import { ExportQuery } from "../src/domain/export/export-query.ts";
import { coarserRows, type EnergyRow, QUARTER_MS, type SlotMs } from "../src/domain/statistics/statistics-row.ts";
import { ExportService } from "../src/engine/export/export-service.ts";
import { nodeDisk } from "../src/platform/node/files/node-disk.ts";
import type { PointName } from "../src/points/points.ts";
import { type Operation, writeSynced } from "../src/store/database.ts";
import { seal, sealJson } from "../src/store/envelope.ts";
import { openStore } from "../src/store/open-store.ts";
import type { TelemetrySample } from "../src/store/store.ts";
import { encodeBlock } from "../src/store/telemetry/block.ts";
import { encodeRows } from "../src/store/telemetry/row-block.ts";
import { blockTime, ROLLED_KEY, rowsKey } from "../src/store/telemetry/row-keys.ts";
import { blockKey, dayOf, daySizeKey } from "../src/store/telemetry/telemetry-keys.ts";
import { SeededRandom } from "../src/testing/seeded-random.ts";
import { TestLog } from "../src/testing/test-log.ts";
import { VirtualClock } from "../src/testing/virtual-clock.ts";

const DEVICES = Number(process.argv[2] ?? 6);
const DAYS = Number(process.argv[3] ?? 365);
const STEP_MS = Number(process.argv[4] ?? 30) * SECOND_MS;
const BLOCK_MS = 5 * MINUTE_MS;
const START_MS = Date.UTC(2025, 0, 1);
const END_MS = START_MS + DAYS * DAY_MS;
const NOWHERE = { epoch: 0, seq: 0 };
const POINTS: readonly PointName[] = [
  "meter.power",
  "meter.power.l1",
  "meter.power.l2",
  "meter.power.l3",
  "meter.voltage.l1",
  "meter.frequency",
  "meter.energyImport",
  "meter.energyExport",
];
const random = new SeededRandom(1);

function samplesOf(deviceId: string, fromMs: number): TelemetrySample[] {
  return Array.from({ length: BLOCK_MS / STEP_MS }, (_, index) => ({
    deviceId,
    atMs: fromMs + index * STEP_MS,
    values: POINTS.map((point) => ({ point, value: Math.round(random.between(0, 10_000)) })),
  }));
}

function minutesOf(dayMs: number): EnergyRow[] {
  return Array.from({ length: DAY_MS / MINUTE_MS }, (_, minute): EnergyRow => {
    const inMwh = Math.round(random.between(0, 100_000));
    const none = { flowMs: 0, flowMwh: 0, flowFromMs: null, flowToMs: null, minW: null, maxW: null, level: null };
    return { atMs: dayMs + minute * MINUTE_MS, knownMs: MINUTE_MS, inMwh, outMwh: 0, ...none };
  });
}

function rowsPut(deviceId: string, rows: readonly EnergyRow[], slotMs: SlotMs): Operation {
  const time = blockTime(slotMs, rows[0]?.atMs ?? 0);
  const key = rowsKey({ deviceId, kind: "meter" }, time);
  return { type: "put", key, value: seal(key, NOWHERE, encodeRows(rows, time.fromMs, slotMs)) };
}

async function fill(stateFolder: string): Promise<void> {
  const database = await nodeDisk({ stateFolder }).open("telemetry");
  for (let device = 0; device < DEVICES; device++) {
    const deviceId = `meter-${device}`;
    const hours: EnergyRow[] = [];
    for (let dayMs = START_MS; dayMs < END_MS; dayMs += DAY_MS) {
      const operations: Operation[] = [];
      for (let atMs = dayMs; atMs < dayMs + DAY_MS; atMs += BLOCK_MS) {
        const key = blockKey(deviceId, atMs / MINUTE_MS, NOWHERE);
        operations.push({ type: "put", key, value: seal(key, NOWHERE, encodeBlock(samplesOf(deviceId, atMs))) });
      }
      const minutes = minutesOf(dayMs);
      for (let start = 0; start < minutes.length; start += 60) {
        operations.push(rowsPut(deviceId, minutes.slice(start, start + 60), MINUTE_MS));
      }
      operations.push(rowsPut(deviceId, coarserRows(minutes, QUARTER_MS), QUARTER_MS));
      hours.push(...coarserRows(minutes, HOUR_MS));
      const sizeKey = daySizeKey(dayOf(dayMs));
      operations.push({ type: "put", key: sizeKey, value: sealJson(sizeKey, NOWHERE, 1) });
      await writeSynced(database, operations);
    }
    const months = Map.groupBy(hours, ({ atMs }) => blockTime(HOUR_MS, atMs).fromMs);
    await writeSynced(
      database,
      [...months.values()].map((rows) => rowsPut(deviceId, rows, HOUR_MS)),
    );
  }
  await writeSynced(database, [{ type: "put", key: ROLLED_KEY, value: sealJson(ROLLED_KEY, NOWHERE, END_MS) }]);
  await database.close();
}

/** Memory of the process without the pages of the files that LevelDB maps, which the kernel takes back at will. */
function memoryMb(): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1_024;
}

const stateFolder = mkdtempSync(join(tmpdir(), "hemgate-export-"));
try {
  await fill(stateFolder);
  const clock = new VirtualClock({ startMs: END_MS });
  const store = await openStore({ disk: nodeDisk({ stateFolder }), clock, random, log: new TestLog() });
  const ids = Array.from({ length: DEVICES }, (_, index) => `meter-${index}`);
  const service = new ExportService({
    clock,
    store: { ...bound(store), get: (_table: string, id: string) => ({ deviceId: id }) } as never,
    assets: { list: (kind: string) => (kind === "meter" ? ids.map(asEntry) : []) } as never,
    config: { site: { timezone: "Europe/Berlin" } } as never,
    devices: () => ids.map((id) => ({ settings: { id }, known: { points: POINTS } })) as never,
  });
  console.log(
    "| resolution | format | s | longest pause of the event loop, ms | memory, MB | MB written |\n|---|---|---|---|---|---|",
  );
  for (const resolution of ["DAY", "HOUR", "QUARTER_HOUR", "MINUTE", "RAW"] as const) {
    for (const format of ["csv", "parquet"] as const) {
      globalThis.gc?.();
      const beforeMb = memoryMb();
      let peakMb = beforeMb;
      const begun = performance.now();
      let pauseMs = 0;
      let lastMs = begun;
      const beat = setInterval(() => {
        pauseMs = Math.max(pauseMs, performance.now() - lastMs - 5);
        lastMs = performance.now();
        peakMb = Math.max(peakMb, memoryMb());
      }, 5);
      let bytes = 0;
      const from = new Date(START_MS).toISOString();
      const { bytes: file } = await service.open(ExportQuery.parse({ from, resolution, format }));
      for await (const part of file) bytes += part.length;
      clearInterval(beat);
      const seconds = (performance.now() - begun) / SECOND_MS;
      const cells = [seconds, pauseMs, peakMb - beforeMb, bytes / 1e6].map((each) => each.toFixed(1));
      console.log(`| ${resolution} | ${format} | ${cells.join(" | ")} |`);
    }
  }
  await store[Symbol.asyncDispose]();
} finally {
  rmSync(stateFolder, { recursive: true });
}

function asEntry(id: string) {
  return { asset: { id }, createdAtMs: START_MS };
}

function bound(store: Awaited<ReturnType<typeof openStore>>) {
  return {
    energy: store.energy.bind(store),
    history: store.history.bind(store),
    historyHoles: store.historyHoles.bind(store),
  };
}
