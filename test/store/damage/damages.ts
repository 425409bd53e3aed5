/** Copies of a home's databases with one damage each, what a start makes of them, and what is wrong with that. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, open, readFile, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { CLIENTS, type Found, filesOf, makeHome, recordId, type Truth } from "./home.ts";

const KINDS = ["flip", "zeroes", "cut off", "missing"] as const;
const CHILD = join(import.meta.dirname, "child.ts");
const MAX_START_MS = 10_000;

interface Damage {
  readonly truth: Truth;
  readonly database: string;
  readonly name: string;
  readonly kind: (typeof KINDS)[number];
}

/** In memory where there is some: each copy is synced many times. */
const ROOM = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** As many damaged copies of a home as told; `seed` says which home, and where the damages are. */
export async function tryCopies(count: number, seed: number): Promise<Tally> {
  const folder = await mkdtemp(join(ROOM, "hemgate-damage-"));
  try {
    const truths = await makeHome(folder, seed);
    return await tryDamages(folder, await damagesOf(truths, count), new SeededRandom(seed));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One of each kind and file in turn, at a place by chance. */
async function damagesOf(truths: readonly Truth[], count: number): Promise<readonly Damage[]> {
  const possible: Damage[] = [];
  for (const truth of truths) {
    const files = await filesOf(truth.image);
    for (const { database, name } of files) {
      for (const kind of KINDS) {
        // A log that ends early is what a power cut leaves: nothing tells it from one that was cut off.
        const isUsual = truth.left === "cut" && kind === "cut off" && /log$|^MANIFEST/.test(name);
        if (!isUsual) possible.push({ truth, database, name, kind });
      }
    }
  }
  return Array.from(
    { length: count },
    (_, index) => possible[Math.floor((index * possible.length) / count) % possible.length]!,
  );
}

async function harm(folder: string, { database, name, kind, truth }: Damage, random: SeededRandom): Promise<string> {
  const path = join(folder, database, name);
  const { size } = await stat(path);
  if (kind === "missing") await rm(path);
  else if (kind === "cut off") await truncate(path, random.below(size));
  else {
    const length = kind === "flip" ? 1 : Math.min(size, random.isChance(0.5) ? 512 : 4096);
    const isTail = (at: number): boolean => truth.left === "cut" && at + length >= size - 16;
    let at = random.below(size);
    if (kind === "zeroes") at -= at % length;
    if (kind === "zeroes" && isTail(at)) at = Math.max(0, size - length - 17);
    const file = await open(path, "r+");
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, at);
    if (kind === "flip") bytes[0]! ^= 1 << random.below(8);
    else bytes.fill(0);
    await file.write(bytes, 0, bytesRead, at);
    await file.close();
    return `${truth.left} ${database}/${name} of ${size}: ${kind} at ${at}`;
  }
  return `${truth.left} ${database}/${name} of ${size}: ${kind}, ${kind === "missing" ? 0 : (await stat(path)).size} left`;
}

export interface Tally {
  copies: number;
  silent: number;
  told: number;
  /** Copies of which a client was lost, told. */
  lostClients: number;
  slowestMs: number;
  readonly wrong: string[];
}

/** Makes each damage on a copy of its own, starts a store on it, and compares. */
async function tryDamages(folder: string, damages: readonly Damage[], random: SeededRandom): Promise<Tally> {
  const tally: Tally = { copies: 0, silent: 0, told: 0, lostClients: 0, slowestMs: 0, wrong: [] };
  const child = new Starter();
  try {
    for (const [index, damage] of damages.entries()) {
      const copy = join(folder, `copy-${index}`);
      await cp(damage.truth.image, copy, { recursive: true });
      const before = await bytesOf(copy, damage);
      const what = await harm(copy, damage, random);
      const isChanged = before === null || !before.equals((await bytesOf(copy, damage)) ?? Buffer.alloc(0));
      const answer = await child.start(copy);
      tally.copies += 1;
      for (const wrong of "found" in answer ? wrongs(damage.truth, answer.found, tally, isChanged) : [answer.failure]) {
        tally.wrong.push(`${what}: ${wrong}`);
      }
      if ("found" in answer && index % 10 === 0)
        tally.wrong.push(...(await secondStart(child, copy, answer.found, what)));
      await rm(copy, { recursive: true });
    }
  } finally {
    child[Symbol.dispose]();
  }
  return tally;
}

async function bytesOf(copy: string, { database, name }: Damage): Promise<Buffer | null> {
  return await readFile(join(copy, database, name)).catch(() => null);
}

/** The damage is told once, and what was saved stays. */
async function secondStart(child: Starter, copy: string, first: Found, what: string): Promise<readonly string[]> {
  const answer = await child.start(copy);
  if (!("found" in answer)) return [`${what}: the second start: ${answer.failure}`];
  const { recovered, records, epoch } = answer.found;
  const wrong: string[] = [];
  if (recovered.length > 0) wrong.push(`${what}: told again: ${recovered.join("; ")}`);
  const other = differing(first.records, records);
  if (other.length > 0) wrong.push(`${what}: other records at the second start: ${other.join("; ")}`);
  if (epoch <= first.epoch) wrong.push(`${what}: the epoch did not grow at the second start`);
  return wrong;
}

/** What differs, whatever the order in which records are read. */
function differing(first: Found["records"], second: Found["records"]): readonly string[] {
  const ids = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...ids].filter((id) => first[id] !== second[id]).map((id) => `${id} was ${first[id]}, is ${second[id]}`);
}

export function wrongs(
  truth: Truth,
  found: Found & { readonly tookMs: number },
  tally: Tally,
  isChanged: boolean,
): readonly string[] {
  const wrong: string[] = [];
  const text = found.recovered.join("\n");
  tally.slowestMs = Math.max(tally.slowestMs, found.tookMs);
  if (found.tookMs > MAX_START_MS) wrong.push(`the start took ${found.tookMs} ms`);
  if (found.epoch <= truth.epoch) wrong.push(`epoch ${found.epoch} after ${truth.epoch}`);
  const lost: string[] = [];
  for (const [id, versions] of Object.entries(truth.records)) {
    const now = found.records[id] ?? null;
    const last = versions.at(-1) ?? null;
    if (now === last || (now !== null && asWritten(now) === last)) continue;
    if (now === null) lost.push(`${id} is lost`);
    else {
      lost.push(`${id} is older`);
      if (!versions.includes(asWritten(now))) wrong.push(`${id} is what it never was: ${now}`);
      if (!isNamed(text, id)) wrong.push(`${id} went back and is not named: ${text}`);
      if (isRunning(now)) wrong.push(`${id} would run again: ${now}`);
    }
  }
  for (const id of Object.keys(found.records)) if (truth.records[id] === undefined) wrong.push(`${id} never was`);
  wrong.push(
    ...wrongValues("journal", truth.journal, found.journal, lost, (place) => Number(place.split("/")[0]) > truth.epoch),
  );
  wrong.push(...wrongValues("sample", truth.samples, found.samples, lost, () => false));
  const isTold = found.recovered.length > 0;
  if (isTold && !isChanged) wrong.push(`tells of damage where there is none: ${text}`);
  if (!isTold && lost.length > 0) wrong.push(`silent, and lost ${lost.length}: ${lost.slice(0, 3).join(", ")}`);
  if (isTold) tally.told += 1;
  else tally.silent += 1;
  const clients = Array.from({ length: CLIENTS }, (_, index) => recordId("client", `c${index + 1}`));
  if (clients.some((id) => found.records[id] === undefined)) tally.lostClients += 1;
  return wrong;
}

function wrongValues<Value>(
  what: string,
  truth: Readonly<Record<string, Value>>,
  found: Readonly<Record<string, Value>>,
  lost: string[],
  isNew: (key: string) => boolean,
): readonly string[] {
  for (const key of Object.keys(truth)) if (found[key] === undefined) lost.push(`${what} ${key}`);
  return Object.entries(found).flatMap(([key, value]) =>
    isNew(key) || truth[key] === value ? [] : [`${what} ${key} is ${String(value)}, was ${String(truth[key])}`],
  );
}

/** Without what a careful start adds: to actions, commands and what is held for an action. */
function asWritten(json: string): string {
  const { isDoubtful: _doubt, ...record } = JSON.parse(json) as Record<string, unknown>;
  if (record["expiresAtMs"] === 0) return JSON.stringify({ ...record, expiresAtMs: 1e13 });
  const { state, ...lease } = record;
  return JSON.stringify(state === "released" ? lease : record);
}

/** More than twenty are counted and not named. */
function isNamed(text: string, id: string): boolean {
  return text.includes(id) || /and \d+ more/.test(text);
}

function isRunning(json: string): boolean {
  const record = JSON.parse(json) as {
    action?: { state: string };
    isDoubtful?: true;
    running?: unknown;
    expiresAtMs?: number;
  };
  if (record.action !== undefined) return record.action.state === "PENDING" && record.isDoubtful !== true;
  return record.running != null && record.expiresAtMs !== 0;
}

export type Answer = { readonly found: Found & { readonly tookMs: number } } | { readonly failure: string };

/** A process that starts stores; another one takes over from one that ended. */
export class Starter implements Disposable {
  #child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  #lines: AsyncIterator<string> | null = null;
  #errors = "";
  readonly #script: string;

  constructor(script = CHILD) {
    this.#script = script;
  }

  async start(stateFolder: string): Promise<Answer> {
    const child = this.#child ?? this.#spawn();
    child.stdin.write(`${stateFolder}\n`);
    const next = await this.#lines?.next();
    if (next === undefined || next.done === true) {
      this.#child = null;
      return { failure: `the process ended: ${this.#errors.slice(-500)}` };
    }
    const answer = JSON.parse(next.value) as (Found & { tookMs: number }) | { failure: string };
    return "failure" in answer ? { failure: `does not start: ${answer.failure}` } : { found: answer };
  }

  /** Resolves when the process, if there is one, has ended. */
  async end(): Promise<void> {
    const child = this.#child;
    this[Symbol.dispose]();
    if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, "close");
  }

  [Symbol.dispose](): void {
    this.#child?.stdin.end();
    this.#child = null;
  }

  #spawn(): ChildProcessByStdio<Writable, Readable, Readable> {
    const args = ["--disable-warning=ExperimentalWarning", "--conditions=source", this.#script];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
    this.#errors = "";
    child.stderr.on("data", (bytes: Buffer) => {
      this.#errors += bytes.toString("utf8");
    });
    child.stdin.on("error", () => undefined);
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return child;
  }
}
