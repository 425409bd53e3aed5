/**
 * The format of the second copy: lines of JSON, each `[key, bytes in base64]`, with the bytes as in the database
 * including their checksum. The first line is the head, the last one a SHA-256 of all lines before it. A damaged line
 * does not affect the others.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { type Place, sealJson, unsealJson } from "./envelope.ts";

const HEAD_KEY = "copy!head";
const SUM_KEY = "copy!sha256";

const Head = z.object({
  /** `StoredRecords.changes` at the time of the write. */
  changes: z.int().min(0),
  /** Version of the records' layout. */
  layout: z.int().min(0),
  epoch: z.int().min(0),
  /** Wall-clock ms. */
  writtenAtMs: z.number(),
});
const Line = z.tuple([z.string(), z.base64()]);

export type CopyHead = z.infer<typeof Head>;

export interface CopyEntry {
  /** The full key in the database. */
  readonly key: string;
  readonly bytes: Uint8Array;
}

export interface CopyContent {
  /** `null` if the head is damaged. */
  readonly head: CopyHead | null;
  /** The readable lines; the checksum of each entry is still to be checked. */
  readonly entries: readonly CopyEntry[];
  /** False if any part of the file is damaged. */
  readonly isWhole: boolean;
}

/** Encodes the copy of what `lineOf` made. */
export function encodeCopy(head: CopyHead, place: Place, entries: readonly string[]): Uint8Array {
  const lines = [lineOf({ key: HEAD_KEY, bytes: sealJson(HEAD_KEY, place, head) }), ...entries].join("");
  return Buffer.from(`${lines}${lineOf({ key: SUM_KEY, bytes: sumOf(lines) })}`, "utf8");
}

/** Decodes as much of a copy as is readable. */
export function decodeCopy(file: Uint8Array): CopyContent {
  const text = Buffer.from(file).toString("utf8");
  const end = text.lastIndexOf("\n", text.length - 2) + 1;
  const sum = entryOf(text.slice(end));
  const isWhole = sum?.key === SUM_KEY && Buffer.compare(sum.bytes, sumOf(text.slice(0, end))) === 0;
  const entries = text.split("\n").flatMap((line) => entryOf(line) ?? []);
  return {
    head: headIn(entries),
    entries: entries.filter(({ key }) => key !== HEAD_KEY && key !== SUM_KEY),
    isWhole,
  };
}

function headIn(entries: readonly CopyEntry[]): CopyHead | null {
  const entry = entries.find(({ key }) => key === HEAD_KEY);
  if (entry === undefined) return null;
  try {
    return Head.parse(unsealJson(HEAD_KEY, entry.bytes));
  } catch {
    return null;
  }
}

/** Encodes an entry. */
export function lineOf({ key, bytes }: CopyEntry): string {
  return `${JSON.stringify([key, Buffer.from(bytes).toString("base64")])}\n`;
}

function entryOf(line: string): CopyEntry | null {
  try {
    const [key, bytes] = Line.parse(JSON.parse(line));
    return { key, bytes: Buffer.from(bytes, "base64") };
  } catch {
    return null;
  }
}

function sumOf(text: string): Uint8Array {
  return createHash("sha256").update(text, "utf8").digest();
}
