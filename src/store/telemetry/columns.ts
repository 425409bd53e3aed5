/** Encodes one point over the rows of a block: which rows have a value, which a null, and the values by their type. */
import assert from "node:assert/strict";
import { StorageError } from "../../platform/ports/storage-error.ts";
import type { ByteReader, ByteWriter } from "../bytes.ts";
import { NAMED, POINT_CODES, STATE_CODES } from "./codes.ts";
import { planIntegers, readIntegers, writeIntegers } from "./integers.ts";
import { readNumbers, writeNumbers } from "./numbers.ts";

/** A cell: undefined if the sample does not contain the point. */
export type Cell = number | string | boolean | null | undefined;

/** The cells of one point. All values that are not null have the same type. */
export interface Column {
  readonly point: string;
  readonly cells: readonly Cell[];
}

const TYPES = ["null", "number", "string", "boolean"] as const;
type ColumnType = (typeof TYPES)[number];
const ABSENT = 0;
const NULL = 1;
const VALUE = 2;
/** Added to the type if each row has a value, so that no cell states are written. */
const FULL = 4;

export function writeColumn(writer: ByteWriter, column: Column): void {
  const type = typeOf(column.cells);
  const states: number[] = [];
  const values: (number | string | boolean)[] = [];
  for (const cell of column.cells) {
    states.push(cell === undefined ? ABSENT : cell === null ? NULL : VALUE);
    if (cell !== undefined && cell !== null) values.push(cell);
  }
  const isFull = type !== "null" && values.length === states.length;
  writeName(writer, POINT_CODES, column.point);
  writer.byte(TYPES.indexOf(type) + (isFull ? FULL : 0));
  if (!isFull) writeSequence(writer, states);
  if (type === "number") writeNumbers(writer, values.map(Number));
  if (type === "string") writeTexts(writer, values.map(String));
  if (type === "boolean") writeSequence(writer, values.map(Number));
}

export function readColumn(reader: ByteReader, rowCount: number): Column {
  const point = readName(reader, POINT_CODES);
  const header = reader.byte();
  const type = TYPES[header % FULL];
  if (type === undefined || header >= FULL * 2) throw new StorageError("damaged", `column header ${header}`);
  if (header >= FULL) return { point, cells: readValues(reader, type, rowCount) };
  const states = readSequence(reader, rowCount);
  const values = readValues(reader, type, states.filter((state) => state === VALUE).length);
  let taken = 0;
  const cells = states.map((state): Cell => {
    if (state === ABSENT) return undefined;
    return state === NULL ? null : values[taken++];
  });
  return { point, cells };
}

/** Splits a point's cells by type, for a point with values of several types; nulls are in the first column. */
export function splitByType(column: Column): Column[] {
  const types = TYPES.filter((type) => type !== "null" && column.cells.some((cell) => typeof cell === type));
  if (types.length <= 1) return [column];
  return types.map((type, index) => ({
    point: column.point,
    cells: column.cells.map((cell) => (typeof cell === type || (cell === null && index === 0) ? cell : undefined)),
  }));
}

function typeOf(cells: readonly Cell[]): ColumnType {
  const first = cells.find((cell) => cell !== undefined && cell !== null);
  return TYPES.find((type) => type === typeof first) ?? "null";
}

function readValues(reader: ByteReader, type: ColumnType, count: number): (number | string | boolean)[] {
  if (type === "number") return readNumbers(reader, count);
  if (type === "string") return readTexts(reader, count);
  if (type === "boolean") return readSequence(reader, count).map((flag) => flag === 1);
  if (count > 0) throw new StorageError("damaged", "a column of nulls has values");
  return [];
}

function writeTexts(writer: ByteWriter, texts: readonly string[]): void {
  const known = [...new Set(texts)];
  writer.varint(known.length);
  for (const text of known) writeName(writer, STATE_CODES, text);
  writeSequence(
    writer,
    texts.map((text) => known.indexOf(text)),
  );
}

function readTexts(reader: ByteReader, count: number): string[] {
  const known = Array.from({ length: readCount(reader) }, () => readName(reader, STATE_CODES));
  return readSequence(reader, count).map((index) => {
    const text = known[index];
    if (text === undefined) throw new StorageError("damaged", `text ${index} of ${known.length}`);
    return text;
  });
}

function writeName(writer: ByteWriter, codes: readonly string[], name: string): void {
  const index = codes.indexOf(name);
  writer.varint(index + 1);
  if (index + 1 === NAMED) writer.text(name);
}

function readName(reader: ByteReader, codes: readonly string[]): string {
  const code = reader.varint();
  if (code === NAMED) return reader.text();
  const name = codes[code - 1];
  if (name === undefined) throw new StorageError("damaged", `code ${code} is unknown`);
  return name;
}

/** Writes small integers, whose differences are always safe. */
function writeSequence(writer: ByteWriter, values: readonly number[]): void {
  const plan = planIntegers(values);
  assert(plan !== null);
  writer.byte(plan.mode);
  writeIntegers(writer, plan);
}

function readSequence(reader: ByteReader, count: number): number[] {
  return readIntegers(reader, reader.byte(), count);
}

/** Reads a count of items that take at least one byte each, so that damage cannot cause huge allocations. */
export function readCount(reader: ByteReader): number {
  const count = reader.varint();
  if (count > reader.left) throw new StorageError("damaged", `${count} items in ${reader.left} bytes`);
  return count;
}
