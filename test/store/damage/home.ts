/** A home's databases with weeks behind them, and all that ever stood in them. */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { nodeDisk } from "../../../src/platform/node/files/node-disk.ts";
import { readFolder } from "../../../src/platform/node/leveldb/folder.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { TableName, Write } from "../../../src/store/records.ts";
import type { OpenedStore } from "../../../src/store/store.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { drive, makeAction, makeClient, makeSample, makeToken } from "../makers.ts";
import { settlingDisk } from "../settling-disk.ts";

const TABLES = ["client", "token", "action", "cloud-command", "lease"] as const;
const DEVICES = ["inverter", "meter", "charger"];
export const CLIENTS = 6;
const STARTS = 5;
const COMMITS = 120;
const SAMPLES = 250;
const SAMPLE_MS = 60_000;
const FLUSH_MS = 10 * SAMPLE_MS;
const START_MS = 1_790_000_000_000;

/** How the home was left: closed in order, or with its power cut. */
export type Left = "closed" | "cut";

export interface Truth {
  readonly left: Left;
  /** The databases as they were left. */
  readonly image: string;
  readonly epoch: number;
  /** Of each record that ever was, all values as JSON, the last one last; null where it was removed. */
  readonly records: Readonly<Record<string, readonly (string | null)[]>>;
  /** Events by place. */
  readonly journal: Readonly<Record<string, string>>;
  /** Values by device and instant. */
  readonly samples: Readonly<Record<string, number>>;
}

export function recordId(table: string, key: string): string {
  return `${table} ${key}`;
}

/** Lives in `folder`/state, and leaves its databases in `folder`/closed and `folder`/cut. */
export async function makeHome(folder: string, seed: number): Promise<readonly Truth[]> {
  const home = new Home(join(folder, "state"), new SeededRandom(seed));
  for (let start = 1; start < STARTS; start++) await home.live(async () => undefined);
  const cut = await home.live((truth) => home.copy(join(folder, "cut"), "cut", truth));
  return [cut, await home.copy(join(folder, "closed"), "closed", cut)];
}

class Home {
  readonly #stateFolder: string;
  readonly #random: SeededRandom;
  readonly #clock = new VirtualClock({ startMs: START_MS });
  readonly #records: Record<string, (string | null)[]> = {};
  readonly #journal: Record<string, string> = {};
  readonly #samples: Record<string, number> = {};
  #count = 0;

  constructor(stateFolder: string, random: SeededRandom) {
    this.#stateFolder = stateFolder;
    this.#random = random;
  }

  /** One start, with `atEnd` before it is closed. */
  async live<T>(atEnd: (truth: Omit<Truth, "image" | "left">) => Promise<T>): Promise<T> {
    const { disk, settled } = settlingDisk(nodeDisk({ stateFolder: this.#stateFolder }));
    const options = { disk, clock: this.#clock, random: this.#random, log: new TestLog() };
    const store = await drive(this.#clock, openStore(options), settled);
    for (let count = 0; count < COMMITS; count++) await drive(this.#clock, this.#commit(store), settled);
    for (let count = 0; count < SAMPLES; count++) await this.#measure(store);
    // What was measured in the last minutes is not on disk yet.
    await this.#clock.advance(FLUSH_MS);
    await drive(this.#clock, store.commit([], [{ event: "last", payload: {} }]), settled);
    for (const { epoch, seq, event } of await all(store)) this.#journal[`${epoch}/${seq}`] = event;
    const truth = { epoch: store.epoch, records: this.#records, journal: this.#journal, samples: this.#samples };
    const result = await atEnd(truth);
    await drive(this.#clock, store[Symbol.asyncDispose](), settled);
    return result;
  }

  async copy(image: string, left: Left, truth: Omit<Truth, "image" | "left">): Promise<Truth> {
    await cp(this.#stateFolder, image, { recursive: true });
    return { ...truth, image, left };
  }

  async #measure(store: OpenedStore): Promise<void> {
    await this.#clock.advance(SAMPLE_MS);
    for (const deviceId of DEVICES) {
      const atMs = this.#clock.nowMs();
      const value = this.#random.below(5_000);
      store.record(makeSample(deviceId, atMs, value));
      this.#samples[`${deviceId} ${atMs}`] = value;
    }
  }

  #commit(store: OpenedStore): Promise<void> {
    this.#count += 1;
    const writes = this.#writes(this.#count);
    for (const write of writes) {
      const id = recordId(write.table, write.key);
      this.#records[id] = [...(this.#records[id] ?? []), "put" in write ? JSON.stringify(write.put) : null];
    }
    return store.commit(writes, [{ event: `event ${this.#count}`, payload: { text: this.#text(60) } }]);
  }

  /** Clients once, tokens that come and go, actions that are asked for and end, and what changes all the time. */
  #writes(count: number): Write[] {
    const writes: Write[] = [];
    if (count <= CLIENTS) writes.push({ table: "client", key: `c${count}`, put: makeClient(`c${count}`) });
    writes.push({
      table: "token",
      key: `t${count}`,
      put: { ...makeToken(`t${count}`, 1e13), clientId: this.#text(64) },
    });
    if (count > 150) writes.push({ table: "token", key: `t${count - 150}`, remove: true });
    writes.push({ table: "action", key: `a${count}`, put: makeAction(`a${count}`, null) });
    if (count > 3)
      writes.push({ table: "action", key: `a${count - 3}`, put: makeAction(`a${count - 3}`, this.#clock.nowMs()) });
    if (count > 300) writes.push({ table: "action", key: `a${count - 300}`, remove: true });
    const running = { version: "2024-10-01", method: "POST", path: `/x/${this.#text(30)}`, userId: "home" } as const;
    const command = { id: `k${count}`, takenAtMs: START_MS, expiresAtMs: 1e13 };
    writes.push({ table: "cloud-command", key: `k${count}`, put: { ...command, running } });
    const before = { ...command, id: `k${count - 1}` };
    if (count > 1) writes.push({ table: "cloud-command", key: `k${count - 1}`, put: { ...before, running: null } });
    const deviceId = DEVICES[count % DEVICES.length]!;
    writes.push({
      table: "lease",
      key: deviceId,
      put: { deviceId, point: "charger.enabled", value: count % 2 === 0, revertTo: null },
    } as Write);
    return writes;
  }

  /** Text that does not pack, so that tables have many blocks. */
  #text(length: number): string {
    return Array.from({ length }, () => this.#random.below(36).toString(36)).join("");
  }
}

/** All of the journal. */
async function all(store: OpenedStore): Promise<Awaited<ReturnType<OpenedStore["journalAfter"]>>> {
  const entries = [];
  for (let after: { epoch: number; seq: number } | null = null; ; after = entries.at(-1) ?? null) {
    const page = await store.journalAfter(after, 1_000);
    entries.push(...page);
    if (page.length === 0) return entries;
  }
}

/** What a start found; a line of JSON. */
export interface Found {
  readonly epoch: number;
  readonly recovered: readonly string[];
  /** JSON by `recordId`. */
  readonly records: Readonly<Record<string, string>>;
  readonly journal: Readonly<Record<string, string>>;
  readonly samples: Readonly<Record<string, number>>;
}

export async function look(store: OpenedStore): Promise<Found> {
  const records: Record<string, string> = {};
  for (const table of TABLES) {
    for (const record of store.all(table as TableName))
      records[recordId(table, keyOf(table, record))] = JSON.stringify(record);
  }
  const journal = Object.fromEntries((await all(store)).map(({ epoch, seq, event }) => [`${epoch}/${seq}`, event]));
  const samples: Record<string, number> = {};
  for (const deviceId of DEVICES) {
    for (const { atMs, values } of await store.history(deviceId, 0, 1e14)) {
      const value = values[0]?.value;
      if (typeof value === "number") samples[`${deviceId} ${atMs}`] = value;
    }
  }
  return { epoch: store.epoch, recovered: store.recovered, records, journal, samples };
}

function keyOf(table: string, record: unknown): string {
  const { id, deviceId, action, hash } = record as {
    id?: string;
    deviceId?: string;
    action?: { id: string };
    hash?: string;
  };
  return (table === "action" ? action?.id : table === "token" ? hash : table === "lease" ? deviceId : id) ?? "";
}

/** The files of which both databases consist; a table that LevelDB is done with may still be there. */
export async function filesOf(image: string): Promise<readonly { readonly database: string; readonly name: string }[]> {
  const files = [];
  for (const database of ["critical", "telemetry"]) {
    const { version, logs, tables } = await readFolder(join(image, database), null, new Map());
    const manifest = (await readFile(join(image, database, "CURRENT"), "utf8")).trim();
    const live = version!.tables.map(({ number }) => tables.get(number)!);
    for (const name of ["CURRENT", manifest, ...logs, ...live]) files.push({ database, name });
  }
  return files;
}
