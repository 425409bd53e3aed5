/**
 * Bytes written to the card in a day by 20 devices with 12 points every 5 s: the store against the obvious layouts on
 * the same LevelDB. Virtual time, real database, measured at the block device of a loop-mounted ext4 (as root), else by
 * what the kernel counts for this process.
 *
 *   node --conditions=source bench/flash-wear.ts [HOURS] [BLOCK_BYTES] [gateway|mqtt|cloud|busy]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { nodeDisk } from "../src/platform/node/files/node-disk.ts";
import type { Database, Disk } from "../src/platform/ports/ports.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store, TelemetrySample } from "../src/store/store.ts";
import { FLUSH_MINUTES } from "../src/store/telemetry/telemetry.ts";
import { SeededRandom } from "../src/testing/seeded-random.ts";
import { TestLog } from "../src/testing/test-log.ts";
import { VirtualClock } from "../src/testing/virtual-clock.ts";
import { watchedDatabase } from "../src/testing/watched-database.ts";
import { runGatewayDay } from "./gateway-day.ts";

const HOURS = Number(process.argv[2] ?? 24);
/** 4096 is what a card has; mke2fs takes 1024 for images under 512 MB, and each sync then costs a quarter. */
const BLOCK_BYTES = Number(process.argv[3] ?? 4096);
/**
 * `gateway`: without the other layouts; `mqtt`, `cloud`: the gateway without and with the broker, or a cloud service, only;
 * `busy`: a bigger house, with both.
 */
const PART = process.argv[4];
const DEVICES = PART === "busy" ? 30 : 20;
const POINTS = PART === "busy" ? 20 : 12;
const TICK_MS = 5_000;
const TICKS_PER_MINUTE = 12;
const HOUR_MS = 3_600_000;
/** Commands, plugs, reachability: what a home changes in a day and must be on disk at once. */
const COMMITS_PER_DAY = 400;
/** For telemetry, journal and outbox of a gateway of this size. */
const BUDGET_MB_PER_DAY = 40;
const SYNCED = { sync: true, keyEncoding: "utf8", valueEncoding: "view" } as const;

interface Row {
  readonly layout: string;
  readonly deviceBytes: number | null;
  readonly processBytes: number;
  readonly cpuMs: number;
}

/** Makes the readings of one device: registers with a scale, counters, single floats, as meters have them. */
function deviceWalk(random: SeededRandom, deviceId: string): (atMs: number) => TelemetrySample {
  let power = random.between(-3_000, 6_000);
  let volts = random.between(228, 236);
  let importWh = random.between(1e6, 9e6);
  let exportWh = 1_204_310;
  return (atMs) => {
    power += random.between(-60, 60) + (random.isChance(0.01) ? random.between(-1_500, 1_500) : 0);
    volts = 232 + (volts - 232) * 0.98 + random.between(-0.2, 0.2);
    importWh += (Math.max(0, power) * TICK_MS) / HOUR_MS;
    exportWh += (Math.max(0, -power) * TICK_MS) / HOUR_MS;
    const phase = (share: number): number => Math.round(power * share * 10) / 10;
    const current = (share: number): number => Math.fround(Math.round(((power * share) / volts) * 1_000) / 1_000);
    return {
      deviceId,
      atMs,
      values: [
        { point: "meter.power", value: Math.round(power * 10) / 10 },
        { point: "meter.power.l1", value: phase(0.5) },
        { point: "meter.power.l2", value: phase(0.3) },
        { point: "meter.power.l3", value: phase(0.2) },
        { point: "meter.voltage.l1", value: Math.round(volts * 10) / 10 },
        { point: "meter.voltage.l2", value: Math.round((volts + 0.7) * 10) / 10 },
        { point: "meter.voltage.l3", value: Math.round((volts - 0.4) * 10) / 10 },
        { point: "meter.current.l1", value: current(0.5) },
        { point: "meter.current.l2", value: current(0.3) },
        { point: "meter.current.l3", value: current(0.2) },
        { point: "meter.energyImport", value: Math.round(importWh / 10) * 10 },
        { point: "meter.energyExport", value: Math.round(exportWh / 10) * 10 },
        ...(POINTS === 20 ? moreValues(power, volts) : []),
      ],
    };
  };
}

/** More points that change at each read, and of which no other asset is made. */
function moreValues(power: number, volts: number): TelemetrySample["values"] {
  const current = (share: number): number => Math.round((Math.abs(power) * share * 1_000) / volts) / 1_000;
  return [
    { point: "meter.frequency", value: Math.round((50 + (volts - 232) / 100) * 100) / 100 },
    { point: "hem.load", value: Math.round(Math.abs(power) * 1.1) },
    { point: "charger.voltage.l1", value: Math.round(volts * 10) / 10 },
    { point: "charger.voltage.l2", value: Math.round((volts + 0.7) * 10) / 10 },
    { point: "charger.voltage.l3", value: Math.round((volts - 0.4) * 10) / 10 },
    { point: "charger.current.l1", value: current(0.4) },
    { point: "charger.current.l2", value: current(0.2) },
    { point: "charger.current.l3", value: current(0.1) },
  ];
}

function makeWalks(): readonly ((atMs: number) => TelemetrySample)[] {
  const random = new SeededRandom("flash-wear");
  return Array.from({ length: DEVICES }, (_, index) => deviceWalk(random.fork(String(index)), `device-${index}`));
}

/** A disk that tells when all its writes are done, so that virtual time waits for the real disk. */
function settlingDisk(stateFolder: string): { readonly disk: Disk; settled(): Promise<void> } {
  const real = nodeDisk({ stateFolder });
  let running = 0;
  const watch = {
    batch: async (_operations: unknown, _isSynced: boolean, proceed: () => Promise<void>): Promise<void> => {
      running += 1;
      await proceed().finally(() => {
        running -= 1;
      });
    },
    closed: () => undefined,
  };
  const disk: Disk = {
    open: async (name) => watchedDatabase(await real.open(name), watch),
    copy: {
      ...real.copy,
      write: async (bytes) => {
        running += 1;
        await real.copy.write(bytes).finally(() => {
          running -= 1;
        });
      },
    },
    rebuild: (name, parts) => real.rebuild(name, parts),
    moveAside: (name) => real.moveAside(name),
    freeBytes: () => real.freeBytes(),
  };
  const settled = async (): Promise<void> => {
    do await turn();
    while (running > 0);
    await turn();
  };
  return { disk, settled };
}

async function runStore(stateFolder: string, flushMinutes: number, commitsPerDay: number): Promise<void> {
  const clock = new VirtualClock();
  const { disk, settled } = settlingDisk(stateFolder);
  const store = await openStore({ disk, clock, random: new SeededRandom(1), log: new TestLog(), flushMinutes });
  const walks = makeWalks();
  const commitEvery = commitsPerDay === 0 ? Number.POSITIVE_INFINITY : Math.round(17_280 / commitsPerDay);
  const ticks = (HOURS * HOUR_MS) / TICK_MS;
  for (let tick = 0; tick < ticks; tick++) {
    for (const walk of walks) store.record(walk(clock.nowMs()));
    if (tick % commitEvery === 0) commitChange(store, tick);
    await clock.advance(TICK_MS);
    await settled();
  }
  await store[Symbol.asyncDispose]();
}

/** An action's change of state with its journal entry, about 1 kB. */
function commitChange(store: Store, tick: number): void {
  const id = `action-${Math.floor(tick / 3)}`;
  const at = new Date(tick * TICK_MS).toISOString();
  const action = {
    id,
    userId: "home",
    createdAt: at,
    updatedAt: at,
    completedAt: at,
    state: "CONFIRMED",
    targetId: "6c9d8a52-3b0c-4f0e-9a51-3c4e3c1f7e10",
    failureReason: null,
    targetType: "charger",
    kind: "START",
  } as const;
  const journal = [
    { event: "user:vendor-action:updated", payload: { vendorAction: action, updatedFields: ["state"] } },
  ];
  const record = { action, deviceId: "charger", createdAtMs: tick };
  void store.commit([{ table: "action", key: id, put: record }], journal);
}

/** One JSON row a device and tick; `ticksPerSync` of them share a synced batch. */
async function runJsonRows(stateFolder: string, ticksPerSync: number, hours: number): Promise<void> {
  const database: Database = await nodeDisk({ stateFolder }).open("telemetry");
  const walks = makeWalks();
  let rows: { readonly type: "put"; readonly key: string; readonly value: Uint8Array }[] = [];
  for (let tick = 0; tick < (hours * HOUR_MS) / TICK_MS; tick++) {
    const atMs = 1_782_000_000_000 + tick * TICK_MS;
    for (const walk of walks) {
      const { deviceId, values } = walk(atMs);
      const row = Object.fromEntries(values.map(({ point, value }) => [point, value]));
      rows.push({ type: "put", key: `${deviceId}!${atMs}`, value: Buffer.from(JSON.stringify(row)) });
    }
    if (tick % ticksPerSync !== ticksPerSync - 1) continue;
    await database.batch(rows, SYNCED);
    rows = [];
  }
  await database.close();
}

/** Runs on a file system of its own when it may mount one. */
async function measure(layout: string, hours: number, run: (folder: string) => Promise<void>): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-wear-"));
  const device = mountLoop(folder);
  const before = { device: sectorsWritten(device), process: processWritten(), cpu: process.cpuUsage() };
  await run(join(folder, "card", "state"));
  const { user, system } = process.cpuUsage(before.cpu);
  execFileSync("sync");
  const perDay = 24 / hours;
  const row = {
    layout,
    deviceBytes: device === null ? null : (sectorsWritten(device) - before.device) * 512 * perDay,
    processBytes: (processWritten() - before.process) * perDay,
    cpuMs: ((user + system) / 1_000) * perDay,
  };
  if (device !== null) execFileSync("umount", [join(folder, "card")]);
  rmSync(folder, { recursive: true });
  return row;
}

function mountLoop(folder: string): string | null {
  const card = join(folder, "card");
  const image = join(folder, "disk.img");
  mkdirSync(card);
  if (process.getuid?.() !== 0) return null;
  execFileSync("truncate", ["-s", "2G", image]);
  execFileSync("mkfs.ext4", ["-q", "-b", String(BLOCK_BYTES), "-E", "lazy_itable_init=0,lazy_journal_init=0", image]);
  execFileSync("mount", ["-o", "loop,noatime", image, card]);
  return basename(execFileSync("losetup", ["-j", image, "-O", "NAME", "-n"], { encoding: "utf8" }).trim());
}

function sectorsWritten(device: string | null): number {
  if (device === null) return 0;
  const fields = readFileSync(`/sys/block/${device}/stat`, "utf8").trim().split(/\s+/);
  return Number(fields[6]);
}

function processWritten(): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

function print(rows: readonly Row[]): void {
  const bytesOf = (row: Row): number => row.deviceBytes ?? row.processBytes;
  const points = DEVICES * POINTS * (86_400_000 / TICK_MS);
  const reference = rows[0];
  console.log(
    `${DEVICES} devices × ${POINTS} points × 5 s, ${HOURS} h run, per day, ext4 blocks of ${BLOCK_BYTES}; budget ${BUDGET_MB_PER_DAY} MB`,
  );
  console.log(
    "| layout | MB at the device | MB by the process | bytes a point | CPU s | to the first layout | budget |",
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const row of rows) {
    const device = row.deviceBytes === null ? "–" : (row.deviceBytes / 1e6).toFixed(1);
    const ratio = reference === undefined ? 1 : bytesOf(row) / bytesOf(reference);
    const cells = [
      row.layout,
      device,
      (row.processBytes / 1e6).toFixed(1),
      (bytesOf(row) / points).toFixed(2),
      (row.cpuMs / 1_000).toFixed(1),
      ratio.toFixed(1),
      bytesOf(row) > BUDGET_MB_PER_DAY * 1e6 ? "over" : "within",
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** Syncs every 5 s are slow; this part of the run is scaled to the day. */
const SLOW_SHARE = 0.25;
const store = (what: string, flushMinutes: number, commits: number): Promise<Row> =>
  measure(what, HOURS, (folder) => runStore(folder, flushMinutes, commits));

type Busy = Pick<Parameters<typeof runGatewayDay>[0], "schedules" | "webhooks" | "hasBroker" | "cloud">;
const wholeGateway = (what: string, busy: Busy = {}): Promise<Row> =>
  measure(what, HOURS, async (folder) => {
    const ticks = (HOURS * HOUR_MS) / TICK_MS;
    const day = { ...settlingDisk(folder), walks: makeWalks(), tickMs: TICK_MS, ticks, ...busy };
    const { deliveries, switches, retained, cloud } = await runGatewayDay(day);
    const told = `${retained.told} retained messages on ${retained.kept} topics`;
    const up = `${cloud.batches} batches in ${cloud.bytes} bytes with ${cloud.events} events and ${cloud.quarters} quarters`;
    console.log(`${what}: ${deliveries} deliveries, ${switches} switches, ${told}; ${up}`);
  });

if (PART === "busy") {
  const what = "the whole gateway with the embedded broker, and a cloud service is sent everything";
  print([await wholeGateway(what, { hasBroker: true, cloud: "online" })]);
  process.exit(0);
}
const gateways = [await wholeGateway("the whole gateway: polls, journal, telemetry, statistics")];
if (PART !== "mqtt") {
  gateways.push(
    await wholeGateway("the same, and a cloud service is sent everything", { cloud: "online" }),
    await wholeGateway("the same, and a cloud service is never reached", { cloud: "offline" }),
  );
}
if (PART !== "cloud") {
  const what = "the same with the embedded broker and its retained messages";
  gateways.push(await wholeGateway(what, { hasBroker: true }));
}
if (PART !== "mqtt" && PART !== "cloud") {
  gateways.push(
    await wholeGateway("the same with 20 webhooks", { webhooks: 20 }),
    await wholeGateway("the same with 20 webhooks, and a cloud service is sent everything", {
      webhooks: 20,
      cloud: "online",
    }),
    await wholeGateway("the same with 20 webhooks, and 50 chargers on schedules", { webhooks: 20, schedules: 50 }),
  );
}
if (PART !== undefined) {
  print(gateways);
  process.exit(0);
}

print([
  ...gateways,
  await store(
    `its store alone: telemetry every ${FLUSH_MINUTES} minutes, ${COMMITS_PER_DAY} commits`,
    FLUSH_MINUTES,
    COMMITS_PER_DAY,
  ),
  await store("the same without the commits", FLUSH_MINUTES, 0),
  await store("the same, telemetry every 2 minutes", 2, COMMITS_PER_DAY),
  await store("the same, telemetry every minute", 1, COMMITS_PER_DAY),
  await measure("JSON row a device and tick, a sync a minute", HOURS, (folder) =>
    runJsonRows(folder, TICKS_PER_MINUTE, HOURS),
  ),
  await measure("JSON row a device and tick, a sync a tick", HOURS * SLOW_SHARE, (folder) =>
    runJsonRows(folder, 1, HOURS * SLOW_SHARE),
  ),
]);
