/** Makes a telegram of an SML file: the values of its lists (SML 1.04, part 5.1.15). */
import { crcKermit, crcX25 } from "../checksums.ts";
import { makerOf, serverMaker, serverNumber } from "../meter-identity.ts";
import { type RegisterUnit, type RegisterValue, registerCode, type Telegram } from "../telegram.ts";
import { readSml, SmlError, type SmlValue } from "./sml-value.ts";

const MESSAGE_ITEMS = 6;
const LIST_RESPONSE = { tag: 0x0701, items: 7 } as const;
const ENTRY_ITEMS = 7;
const OBIS_BYTES = 6;

/** Units by their number (IEC 62056-62). */
const UNITS: Readonly<Record<number, RegisterUnit>> = { 27: "W", 30: "Wh", 33: "A", 35: "V", 44: "Hz" };
/** A meter does not measure nanowatts or exawatts. */
const SCALER = { min: -9, max: 9 } as const;

/** Where meters say their number, the best first, and who made them. */
const NUMBER_CODES = ["0100600100ff", "0100000009ff"];
const MAKER_CODES = ["0100603201ff", "010060320101", "8181c78203ff"];
const POWER_CODE = "0100100700ff";

/**
 * DZG's DVS74 with these numbers write a positive power of up to three bytes as a signed number, so that 328.05 W reads
 * as -327.31 W; negative ones they write in four bytes (found out for libsml).
 */
const DVS74 = [
  { from: 42_000_000, to: 48_999_999 },
  { from: 55_000_000, to: 58_999_999 },
];

interface Entry {
  /** OBIS code in hex. */
  readonly code: string;
  readonly unit: SmlValue;
  readonly scaler: SmlValue;
  readonly value: SmlValue;
}

/** Throws an `SmlError` that says what is wrong with the file, and where. */
export function readSmlFile(file: Uint8Array): Telegram {
  const entries: Entry[] = [];
  for (let at = 0; at < file.length; ) {
    const { value, end } = readSml(file, at);
    // What fills up to whole words.
    if (value.kind !== "end") {
      checkMessage(value, file, at);
      entries.push(...entriesOf(value));
    }
    at = end;
  }
  const isDvs74 = entries.some(({ code, value }) => NUMBER_CODES.includes(code) && isFaultyDvs74(value));
  const registers = new Map<string, RegisterValue>();
  for (const entry of entries) {
    const code = codeOf(entry.code);
    const register = code === null ? null : registerOf(entry, isDvs74);
    if (code !== null && register !== null && !registers.has(code)) registers.set(code, register);
  }
  return { identity: identityOf(entries), registers, otherMedia: [] };
}

/** The checksum is over all before it. */
function checkMessage(message: SmlValue, file: Uint8Array, start: number): void {
  if (message.kind !== "list" || message.items.length !== MESSAGE_ITEMS) {
    throw new SmlError(`byte ${start}: this is no message`);
  }
  const [, , , , checksum, last] = message.items;
  if (checksum?.kind !== "integer" || last?.kind !== "end") {
    throw new SmlError(`byte ${start}: the message has no checksum`);
  }
  const checked = file.subarray(start, checksum.bytes.byteOffset - file.byteOffset - 1);
  // The low byte comes first; a leading 00 may be left away.
  const [first = 0, second] = checksum.bytes;
  const transmitted = second === undefined ? first << 8 : (second << 8) | first;
  if (transmitted !== crcX25(checked) && transmitted !== crcKermit(checked)) {
    throw new SmlError(`byte ${start}: the checksum of the message is wrong`);
  }
}

/** What other messages tell, such as that a file begins, is not needed. */
function entriesOf(message: SmlValue): readonly Entry[] {
  const [tag, body] = itemsOf(itemsOf(message)[3]);
  if (tag?.kind !== "integer" || tag.value !== LIST_RESPONSE.tag) return [];
  const items = itemsOf(body);
  if (items.length !== LIST_RESPONSE.items) throw new SmlError(`a list response of ${items.length} parts`);
  return itemsOf(items[4]).flatMap((entry) => {
    const parts = itemsOf(entry);
    const [name, , , unit, scaler, value] = parts;
    if (parts.length !== ENTRY_ITEMS || unit === undefined || scaler === undefined || value === undefined) {
      throw new SmlError(`a list entry of ${parts.length} parts`);
    }
    if (name?.kind !== "bytes" || name.bytes.length !== OBIS_BYTES) return [];
    return [{ code: Buffer.from(name.bytes).toString("hex"), unit, scaler, value }];
  });
}

function itemsOf(value: SmlValue | undefined): readonly SmlValue[] {
  return value?.kind === "list" ? value.items : [];
}

function codeOf(code: string): string | null {
  const [medium = 0, channel = 0, c, d, e, historic = 0] = Buffer.from(code, "hex");
  return registerCode({ medium, channel, historic }, [String(c), String(d), String(e)]);
}

function registerOf({ code, unit, scaler, value }: Entry, isDvs74: boolean): RegisterValue | null {
  const name = unit.kind === "integer" ? UNITS[unit.value] : undefined;
  if (name === undefined || value.kind !== "integer") return null;
  const exponent = scaler.kind === "integer" ? scaler.value : 0;
  if (exponent < SCALER.min || exponent > SCALER.max) return null;
  const isShort = value.bytes.length < 4;
  const plain = isDvs74 && code === POWER_CODE && isShort ? unsigned(value.bytes) : value.value;
  return { value: exponent < 0 ? plain / 10 ** -exponent : plain * 10 ** exponent, unit: name };
}

function unsigned(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

function isFaultyDvs74(value: SmlValue): boolean {
  if (value.kind !== "bytes" || value.bytes.length !== 10 || serverMaker(value.bytes) !== "DZG") return false;
  const number = unsigned(value.bytes.subarray(5));
  return DVS74.some(({ from, to }) => number >= from && number <= to);
}

function identityOf(entries: readonly Entry[]): Telegram["identity"] {
  const bytesOf = (codes: readonly string[]): Uint8Array | null => {
    for (const code of codes) {
      const value = entries.find((entry) => entry.code === code)?.value;
      if (value?.kind === "bytes") return value.bytes;
    }
    return null;
  };
  const number = bytesOf(NUMBER_CODES);
  const maker = bytesOf(MAKER_CODES);
  return {
    manufacturer:
      (maker === null ? null : makerOf(Buffer.from(maker).toString("latin1"))) ??
      (number === null ? null : serverMaker(number)),
    model: null,
    serial: number === null ? null : serverNumber(number),
    version: null,
  };
}
