/** A LevelDB folder, read by ourselves: LevelDB ends the process on some damage, and drops records in silence on other. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../error-text.ts";
import { unreadable } from "../files/unreadable.ts";
import { readLog } from "./log-file.ts";
import { readManifest, type Version } from "./manifest.ts";
import { isWholeTable } from "./table-file.ts";

/** How a database was when it was closed in order. It holds as long as nothing opened the database since. */
export interface ClosedState {
  readonly manifest: string;
  /** base64. */
  readonly copy: string;
  /** Where the last record of each log ended. */
  readonly logs: Readonly<Record<string, number>>;
}

export interface FolderState {
  /** What is not as it was written, in words; none: LevelDB may open it. */
  readonly damage: readonly string[];
  /** Null: not known. */
  readonly version: Version | null;
  /** Names of the logs that count, oldest first. */
  readonly logs: readonly string[];
  /** Where the last record of each log must end at least. */
  readonly ends: Readonly<Record<string, number>>;
  /** Numbers and names of the tables that are there. */
  readonly tables: ReadonlyMap<number, string>;
}

/** Tables that were found whole, by path, with what tells that they did not change since: a table is written once. */
export type WholeTables = Map<string, string>;

/** Rejects with a `refused` `StorageError` when a file is there and cannot be read. */
export async function readFolder(
  folder: string,
  closed: ClosedState | null,
  wholeTables: WholeTables,
): Promise<FolderState> {
  const names = await namesOf(folder);
  const damage: string[] = [];
  const manifest = await currentManifest(folder, names, damage);
  const isClosed = closed !== null && [manifest.named, newestManifest(names)].includes(closed.manifest);
  const copy = isClosed ? Buffer.from(closed.copy, "base64") : null;
  const isCut = (manifest.bytes?.length ?? Number.POSITIVE_INFINITY) < (copy?.length ?? 0);
  if (isCut) damage.push(`${manifest.named} is shorter than it was`);
  const found = manifest.bytes === null || isCut ? null : readManifest(manifest.bytes);
  if (manifest.bytes !== null && found === null && !isCut) damage.push(`${manifest.named} is damaged`);
  const version = found ?? (copy === null ? await onlyManifest(folder, names, manifest.named) : readManifest(copy));
  const tables = new Map(names.flatMap((name) => numbered(name, /^(\d+)\.(?:ldb|sst)$/)));
  const logs = names.flatMap((name) => numbered(name, /^(\d+)\.log$/)).sort(([one], [other]) => one - other);
  const counting = logs.filter(([number]) => version === null || number >= version.logNumber);
  if (version !== null && !counting.some(([number]) => number === version.logNumber)) {
    damage.push(`${logName(version.logNumber)} is missing`);
  }
  const ends = isClosed ? closed.logs : {};
  damage.push(...(await logDamage(folder, counting, ends)));
  damage.push(...(await tableDamage(folder, version, tables, wholeTables)));
  return { damage, version, logs: counting.map(([, name]) => name), ends, tables };
}

/** What to keep of a database that was just closed; null when it cannot be said. */
export async function closedState(folder: string): Promise<ClosedState | null> {
  const names = await namesOf(folder);
  const manifest = await currentManifest(folder, names, []);
  const version = manifest.bytes === null ? null : readManifest(manifest.bytes);
  if (manifest.named === null || version === null) return null;
  const logs: Record<string, number> = {};
  for (const [number, name] of names.flatMap((each) => numbered(each, /^(\d+)\.log$/))) {
    if (number >= version.logNumber) logs[name] = readLog((await fileOf(folder, name)) ?? new Uint8Array()).end;
  }
  const copy = Buffer.from(manifest.bytes?.subarray(0, version.end) ?? []).toString("base64");
  return { manifest: manifest.named, copy, logs };
}

/** Returns the value as a `ClosedState`, or `null` if it has another shape. */
export function closedStateOf(value: unknown): ClosedState | null {
  if (typeof value !== "object" || value === null || !("manifest" in value && "copy" in value && "logs" in value)) {
    return null;
  }
  const { manifest, copy, logs } = value;
  if (typeof manifest !== "string" || typeof copy !== "string" || typeof logs !== "object" || logs === null)
    return null;
  const ends = Object.entries(logs).flatMap(([name, end]) => (typeof end === "number" ? [[name, end] as const] : []));
  return { manifest, copy, logs: Object.fromEntries(ends) };
}

/** Null when it is not there. */
export async function fileOf(folder: string, name: string): Promise<Uint8Array | null> {
  const path = join(folder, name);
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw await unreadable(path, error);
  }
}

async function namesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw await unreadable(folder, error);
  }
}

/** What `CURRENT` names, and what that holds; null where there is none. */
interface CurrentManifest {
  readonly named: string | null;
  readonly bytes: Uint8Array | null;
}

async function currentManifest(folder: string, names: readonly string[], damage: string[]): Promise<CurrentManifest> {
  const current = await fileOf(folder, "CURRENT");
  const named = /^(MANIFEST-\d+)\n$/.exec(Buffer.from(current ?? []).toString("latin1"))?.[1] ?? null;
  if (current === null) damage.push("CURRENT is missing");
  else if (named === null) damage.push("CURRENT is damaged");
  if (named === null) return { named, bytes: null };
  const bytes = names.includes(named) ? await fileOf(folder, named) : null;
  if (bytes === null) damage.push(`${named}, which CURRENT names, is missing`);
  return { named, bytes };
}

function newestManifest(names: readonly string[]): string | null {
  const manifests = names.flatMap((name) => numbered(name, /^MANIFEST-(\d+)$/));
  return manifests.sort(([one], [other]) => one - other).at(-1)?.[1] ?? null;
}

/** The manifest that is there, unless there are two, or one that came after it. */
async function onlyManifest(folder: string, names: readonly string[], named: string | null): Promise<Version | null> {
  const [only, ...others] = names.filter((name) => /^MANIFEST-\d+$/.test(name));
  if (only === undefined || others.length > 0 || only < (named ?? "")) return null;
  const bytes = await fileOf(folder, only);
  return bytes === null ? null : readManifest(bytes);
}

async function logDamage(
  folder: string,
  logs: readonly (readonly [number, string])[],
  ends: FolderState["ends"],
): Promise<readonly string[]> {
  const damage: string[] = [];
  for (const [, name] of logs) {
    const { pieces, holes, end } = readLog((await fileOf(folder, name)) ?? new Uint8Array());
    if (holes > 0 || !pieces.every(({ isIntact }) => isIntact)) damage.push(`${name} is damaged`);
    else if (end < (ends[name] ?? 0)) damage.push(`${name} is shorter than it was`);
  }
  const there = new Set(logs.map(([, name]) => name));
  return [...damage, ...Object.keys(ends).flatMap((name) => (there.has(name) ? [] : [`${name} is missing`]))];
}

async function tableDamage(
  folder: string,
  version: Version | null,
  tables: FolderState["tables"],
  wholeTables: WholeTables,
): Promise<readonly string[]> {
  const damage: string[] = [];
  const tablesOfVersion = version?.tables.map(({ number, size }) => ({ number, size: size as number | null }));
  for (const { number, size } of tablesOfVersion ?? [...tables.keys()].map((each) => ({ number: each, size: null }))) {
    const name = tables.get(number);
    if (name === undefined) damage.push(`${String(number).padStart(6, "0")}.ldb is missing`);
    else if (!(await isWhole(folder, name, size, wholeTables))) damage.push(`${name} is damaged`);
  }
  return damage;
}

async function isWhole(folder: string, name: string, size: number | null, wholeTables: WholeTables): Promise<boolean> {
  const path = join(folder, name);
  const mark = await markOf(path);
  if (mark !== null && wholeTables.get(path) === mark) return true;
  const bytes = (await fileOf(folder, name)) ?? new Uint8Array();
  if ((size !== null && bytes.length !== size) || !isWholeTable(bytes)) return false;
  if (mark !== null) wholeTables.set(path, mark);
  return true;
}

async function markOf(path: string): Promise<string | null> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw await unreadable(path, error);
  }
}

function numbered(name: string, form: RegExp): [number, string][] {
  const digits = form.exec(name)?.[1];
  return digits === undefined ? [] : [[Number(digits), name]];
}

function logName(number: number): string {
  return `${String(number).padStart(6, "0")}.log`;
}
