/** Encodes a block of energy rows: the slots of an hour, a day or a month of one stream, column by column. */
import type { EnergyRow, SlotMs } from "../../domain/statistics/statistics-row.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { ByteReader, ByteWriter } from "../bytes.ts";
import { readNumbers, writeNumbers } from "./numbers.ts";

const FORMAT = 1;
/** Maximum number of rows in a block; a month has at most 744 hours. */
const MAX_ROWS = 1_024;
const NO_LEVEL = -1;

/** Encodes rows. `startMs` is the start of the block's time. */
export function encodeRows(rows: readonly EnergyRow[], startMs: number, slotMs: SlotMs): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(FORMAT);
  writer.varint(rows.length);
  const column = (of: (row: EnergyRow) => number): void => writeNumbers(writer, rows.map(of));
  column((row) => (row.atMs - startMs) / slotMs);
  column((row) => row.knownMs);
  column((row) => row.inMwh);
  column((row) => row.outMwh);
  column((row) => row.flowMs);
  column((row) => row.flowMwh);
  // Without flow these are null, which `decodeRows` detects by the length 0.
  column((row) => (row.flowFromMs ?? row.atMs) - row.atMs);
  column((row) => (row.flowToMs ?? row.atMs) - row.atMs);
  // Where power flowed in, it is above zero.
  column((row) => row.minW ?? 0);
  column((row) => row.maxW ?? 0);
  column((row) => row.level ?? NO_LEVEL);
  return writer.finish();
}

/** Decodes the rows of a block; only those whose start is requested. */
export function decodeRows(
  bytes: Uint8Array,
  startMs: number,
  slotMs: SlotMs,
  isRequested: (atMs: number) => boolean = () => true,
): EnergyRow[] {
  const reader = new ByteReader(bytes);
  const format = reader.byte();
  if (format !== FORMAT) throw new StorageError("newer", `energy rows of format ${format}`);
  const count = reader.varint();
  if (count > MAX_ROWS) throw new StorageError("damaged", `a block of ${count} rows`);
  const column = (): number[] => readNumbers(reader, count);
  const slots = column();
  const [knownMs, inMwh, outMwh, flowMs, flowMwh] = [column(), column(), column(), column(), column()];
  const [fromMs, toMs, minW, maxW, levels] = [column(), column(), column(), column(), column()];
  const rows: EnergyRow[] = [];
  for (let row = 0; row < count; row++) {
    const atMs = startMs + (slots[row] ?? 0) * slotMs;
    if (!isRequested(atMs)) continue;
    const flow = flowMs[row] ?? 0;
    const level = levels[row] ?? NO_LEVEL;
    const isFlowing = (maxW[row] ?? 0) > 0;
    rows.push({
      atMs,
      knownMs: knownMs[row] ?? 0,
      inMwh: inMwh[row] ?? 0,
      outMwh: outMwh[row] ?? 0,
      flowMs: flow,
      flowMwh: flowMwh[row] ?? 0,
      flowFromMs: flow === 0 ? null : atMs + (fromMs[row] ?? 0),
      flowToMs: flow === 0 ? null : atMs + (toMs[row] ?? 0),
      minW: isFlowing ? (minW[row] ?? 0) : null,
      maxW: isFlowing ? (maxW[row] ?? 0) : null,
      level: level === NO_LEVEL ? null : level,
    });
  }
  return rows;
}
