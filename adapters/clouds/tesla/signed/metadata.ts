/** What a signature covers beside the message itself (vehicle-command, protocol.md: Metadata serialization). */

const END = 0xff;
const MAX_VALUE_BYTES = 255;

/** signatures.proto: Tag. */
const TAGS = {
  signatureType: 0,
  domain: 1,
  vin: 2,
  epoch: 3,
  expiresAt: 4,
  counter: 5,
  challenge: 6,
  flags: 7,
  requestHash: 8,
  fault: 9,
} as const;
/** One byte each; all other numbers have four. */
const SHORT: readonly string[] = ["signatureType", "domain"];

export type Metadata = Readonly<Partial<Record<keyof typeof TAGS, string | number | Uint8Array>>>;

/** signatures.proto: SignatureType. */
export const SIGNATURE = { sessionInfo: 6, command: 8, reply: 9 } as const;

/** Tag, length and value of each, by rising tag, and an end. Throws a `RangeError` for a value that has no place. */
export function metadataBytes(metadata: Metadata): Uint8Array {
  const parts = Object.entries(TAGS).flatMap(([name, tag]) => {
    const value = Object.entries(metadata).find(([key]) => key === name)?.[1];
    if (value === undefined) return [];
    const bytes = valueBytes(value, SHORT.includes(name));
    if (bytes.length > MAX_VALUE_BYTES) throw new RangeError(`the ${name} of a signature is too long`);
    return [Uint8Array.of(tag, bytes.length), bytes];
  });
  return Buffer.concat([...parts, Uint8Array.of(END)]);
}

function valueBytes(value: string | number | Uint8Array, isShort: boolean): Uint8Array {
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (typeof value !== "number") return value;
  if (isShort) return Uint8Array.of(value);
  const four = Buffer.alloc(4);
  four.writeUInt32BE(value);
  return four;
}
