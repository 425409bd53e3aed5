/**
 * Datagrams of SMA's energy meters and home managers (SMA, "EMETER-Protokoll", TI-en-10): tags, and in one of them the
 * measurements. Everything is big-endian, other than in what SMA's inverters speak on the same port.
 */
import type { PointName } from "hemgate/sdk";

const MAGIC = 0x534d_4100;
const HEAD_BYTES = 4;
/** Length and name of a tag. */
const TAG_BYTES = 4;
const TAG = { end: 0x0000, group: 0x02a0, network: 0x0010 } as const;
const METER_PROTOCOL = 0x6069;
/** Protocol, device, serial number and tick. */
const METER_HEAD_BYTES = 12;
/** Channel, index, type and tariff of a measurement. */
const RECORD_HEAD_BYTES = 4;
const TYPE = { version: 0, actual: 4, counter: 8 } as const;
const VERSION_CHANNEL = 144;
/** All bits set: not measured. */
const NO_U32 = 0xffff_ffff;
const NO_U64 = 0xffff_ffff_ffff_ffffn;

/** Indices of measurements; export is one more than import, and both are unsigned. */
const TOTAL = 1;
const FREQUENCY = 14;
const PHASES = [
  { phase: "l1", power: 21, current: 31, voltage: 32 },
  { phase: "l2", power: 41, current: 51, voltage: 52 },
  { phase: "l3", power: 61, current: 71, voltage: 72 },
] as const;

export interface MeterDatagram {
  /** SMA's number of the kind of device (SUSy-ID). */
  readonly susyId: number;
  readonly serial: number;
  /** The meter's own clock, ms; it runs over after 49 days. */
  readonly tickMs: number;
  /** Firmware, such as `2.3.4.R`; null when it does not tell. */
  readonly version: string | null;
  /** What the meter measures; null where it says that it does not. */
  readonly points: ReadonlyMap<PointName, number | null>;
}

/** Why bytes that look like a meter's are not to be trusted. */
export class DatagramError extends Error {
  override readonly name = "DatagramError";
}

/** Reads a datagram. Null: it is not a meter's. Throws a `DatagramError` when it is one, but damaged. */
export function readDatagram(bytes: Uint8Array): MeterDatagram | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD_BYTES || view.getUint32(0) !== MAGIC) return null;
  const body = networkTag(view);
  if (body === null || body.byteLength < 2 || body.getUint16(0) !== METER_PROTOCOL) return null;
  if (body.byteLength < METER_HEAD_BYTES) throw new DatagramError("it ends within the meter's number");
  const measured = readRecords(body);
  return {
    susyId: body.getUint16(2),
    serial: body.getUint32(4),
    tickMs: body.getUint32(8),
    version: measured.version,
    points: pointsOf(measured),
  };
}

/** Walks along the tags to the one with content for us; null: there is none. */
function networkTag(view: DataView): DataView | null {
  let at = HEAD_BYTES;
  while (at + TAG_BYTES <= view.byteLength) {
    const length = view.getUint16(at);
    const tag = view.getUint16(at + 2);
    const start = at + TAG_BYTES;
    if (tag === TAG.end) return null;
    if (start + length > view.byteLength) {
      if (tag !== TAG.network) return null;
      throw new DatagramError(`it is ${start + length - view.byteLength} bytes short`);
    }
    if (tag === TAG.network) return new DataView(view.buffer, view.byteOffset + start, length);
    at = start + length;
  }
  return null;
}

interface Measured {
  readonly actual: ReadonlyMap<number, number | null>;
  /** Watt seconds. */
  readonly counters: ReadonlyMap<number, number | null>;
  readonly version: string | null;
}

function readRecords(body: DataView): Measured {
  const actual = new Map<number, number | null>();
  const counters = new Map<number, number | null>();
  let version: string | null = null;
  for (let at = METER_HEAD_BYTES; at < body.byteLength; ) {
    const start = at + RECORD_HEAD_BYTES;
    if (start > body.byteLength) throw new DatagramError(`it ends within a record, at byte ${at}`);
    const [channel, index, type] = [body.getUint8(at), body.getUint8(at + 1), body.getUint8(at + 2)];
    const length = type === TYPE.counter ? 8 : 4;
    if (start + length > body.byteLength) throw new DatagramError(`it ends within record ${index}.${type}`);
    if (channel === VERSION_CHANNEL) version = versionAt(body, start);
    else if (type === TYPE.actual) actual.set(index, known32(body.getUint32(start)));
    else if (type === TYPE.counter) counters.set(index, known64(body.getBigUint64(start)));
    // Its length is not known, so nothing after it can be read.
    else throw new DatagramError(`a record of type ${type}, which means nothing`);
    at = start + length;
  }
  return { actual, counters, version };
}

function known32(value: number): number | null {
  return value === NO_U32 ? null : value;
}

function known64(value: bigint): number | null {
  return value === NO_U64 ? null : Number(value);
}

/** `2.3.4.R`: three numbers and a letter. */
function versionAt(body: DataView, at: number): string {
  const [major, minor, build] = [body.getUint8(at), body.getUint8(at + 1), body.getUint8(at + 2)];
  return `${major}.${minor}.${build}.${String.fromCharCode(body.getUint8(at + 3))}`;
}

function pointsOf({ actual, counters }: Measured): ReadonlyMap<PointName, number | null> {
  const points = new Map<PointName, number | null>();
  /** Divided, not multiplied by a fraction: 119670 is 11967, and nothing beside it. */
  const tell = (point: PointName, raw: number | null | undefined, perUnit: number): void => {
    if (raw !== undefined) points.set(point, raw === null ? null : raw / perUnit);
  };
  tell("meter.power", difference(actual, TOTAL), 10);
  for (const { phase, power, current, voltage } of PHASES) {
    const net = difference(actual, power);
    tell(`meter.power.${phase}`, net, 10);
    tell(`meter.current.${phase}`, actual.get(current), 1_000);
    tell(`meter.voltage.${phase}`, actual.get(voltage), 1_000);
  }
  tell("meter.frequency", actual.get(FREQUENCY), 1_000);
  tell("meter.energyImport", counters.get(TOTAL), 3_600);
  tell("meter.energyExport", counters.get(TOTAL + 1), 3_600);
  return points;
}

/** Import minus export; one alone tells nothing about the other. */
function difference(actual: ReadonlyMap<number, number | null>, index: number): number | null | undefined {
  const imported = actual.get(index);
  const exported = actual.get(index + 1);
  if (imported === undefined || exported === undefined) return undefined;
  return imported === null || exported === null ? null : imported - exported;
}
