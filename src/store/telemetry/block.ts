/** Encodes a block: the samples of one device in some minutes, column by column. */
import assert from "node:assert/strict";
import { StorageError } from "../../platform/ports/storage-error.ts";
import type { PointName, PointValue } from "../../points/points.ts";
import { ByteReader, ByteWriter } from "../bytes.ts";
import type { TelemetrySample } from "../store.ts";
import { type Cell, type Column, readColumn, readCount, splitByType, writeColumn } from "./columns.ts";
import { readNumbers, writeNumbers } from "./numbers.ts";

const FORMAT = 1;
/** Maximum number of samples in a block; a larger count is damage. */
const MAX_BLOCK_SAMPLES = 65_536;

/**
 * Encodes samples of one device in their order. If a sample has a point twice, the last value is used. Numbers are
 * finite.
 */
export function encodeBlock(samples: readonly TelemetrySample[]): Uint8Array {
  assert(samples.length <= MAX_BLOCK_SAMPLES);
  const writer = new ByteWriter();
  writer.byte(FORMAT);
  writer.varint(samples.length);
  writeNumbers(
    writer,
    samples.map((sample) => sample.atMs),
  );
  const columns = columnsOf(samples).flatMap(splitByType);
  writer.varint(columns.length);
  for (const column of columns) writeColumn(writer, column);
  return writer.finish();
}

/**
 * Decodes the samples in their order; the values of a sample are in the order in which the points first appear in the
 * block.
 */
export function decodeBlock(deviceId: string, bytes: Uint8Array): TelemetrySample[] {
  const reader = new ByteReader(bytes);
  const format = reader.byte();
  if (format !== FORMAT) throw new StorageError("newer", `telemetry block of format ${format}`);
  const count = reader.varint();
  if (count > MAX_BLOCK_SAMPLES) throw new StorageError("damaged", `a block of ${count} samples`);
  const instants = readNumbers(reader, count);
  const columns = Array.from({ length: readCount(reader) }, () => readColumn(reader, count));
  return instants.map((atMs, row) => ({ deviceId, atMs, values: valuesOf(columns, row) }));
}

function columnsOf(samples: readonly TelemetrySample[]): Column[] {
  const columns = new Map<string, Cell[]>();
  for (const [row, sample] of samples.entries()) {
    for (const { point, value } of sample.values) {
      const cells = columns.get(point) ?? Array.from({ length: samples.length }, (): Cell => undefined);
      cells[row] = value;
      columns.set(point, cells);
    }
  }
  return [...columns].map(([point, cells]) => ({ point, cells }));
}

function valuesOf(columns: readonly Column[], row: number): TelemetrySample["values"] {
  const values: { point: PointName; value: PointValue | null }[] = [];
  for (const { point, cells } of columns) {
    const value = cells[row];
    // The encoder had typed samples, and the checksum is valid, so the names and states are valid too.
    if (value !== undefined) values.push({ point: point as PointName, value: value as PointValue | null });
  }
  return values;
}
