/** Who a meter is: makers by their three letters (FLAG association), and numbers as they are printed on the plate. */

const MAKERS: Readonly<Record<string, string>> = {
  CTA: "ZIV",
  DZG: "DZG",
  EBZ: "eBZ",
  EMH: "EMH metering",
  ENE: "Sagemcom",
  ESY: "EasyMeter",
  HAG: "Hager",
  HLY: "Holley",
  ISK: "Iskraemeco",
  ITR: "Itron",
  KFM: "Kaifa",
  KMP: "Kamstrup",
  LGF: "Landis+Gyr",
  LGZ: "Landis+Gyr",
  LOG: "Logarex",
  SAG: "Sagemcom",
  // Their meters in the Netherlands announce themselves so.
  XMX: "Landis+Gyr",
};

/** The maker's name, or its letters where we have none; null when these are no letters. */
export function makerOf(letters: string): string | null {
  const code = letters.toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? (MAKERS[code] ?? code) : null;
}

/** A number as text, from what may be the hex codes of its characters. Null: empty or zeros only, so it was never set. */
export function plateNumber(text: string): string | null {
  const number = (fromHex(text) ?? text).trim();
  return /^0*$/.test(number) ? null : number;
}

function fromHex(text: string): string | null {
  if (text.length < 8 || text.length % 2 !== 0 || !/^[0-9A-Fa-f]+$/.test(text)) return null;
  const characters = Buffer.from(text, "hex").toString("latin1");
  return /^[0-9A-Za-z ._/-]+$/.test(characters) ? characters : null;
}

/** Length of a meter's identification in binary (DIN 43863-5), and the mark that it begins with. */
const BINARY_ID = { length: 10, mark: 0x0a } as const;

/** A server id of SML as it is printed, such as `1ISK0067255058` (DIN 43863-5); others in hex. Null when it is empty. */
export function serverNumber(bytes: Uint8Array): string | null {
  const [mark, medium = 0, a = 0, b = 0, c = 0, block = 0] = bytes;
  const letters = String.fromCharCode(a, b, c);
  if (bytes.length === BINARY_ID.length && mark === BINARY_ID.mark && /^[A-Z]{3}$/.test(letters)) {
    const number = new DataView(bytes.buffer, bytes.byteOffset).getUint32(6);
    const hex = (value: number): string => value.toString(16).toUpperCase();
    return `${hex(medium)}${letters}${hex(block).padStart(2, "0")}${String(number).padStart(8, "0")}`;
  }
  return plateNumber(Buffer.from(bytes).toString("hex").toUpperCase());
}

/** The maker's letters in a server id; null when there are none. */
export function serverMaker(bytes: Uint8Array): string | null {
  const start = bytes[0] === BINARY_ID.mark ? 2 : 1;
  return makerOf(Buffer.from(bytes.subarray(start, start + 3)).toString("latin1"));
}
