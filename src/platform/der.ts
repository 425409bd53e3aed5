/** The few forms of DER (ITU-T X.690) that certificates and requests for them are made of. */

const LONG_FORM = 0x80;
const BASE_128 = 0x80;

/** A value with its tag and length around it. */
export function der(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(content);
  return new Uint8Array(Buffer.concat([Uint8Array.of(tag), lengthOf(body.length), body]));
}

export function sequence(...content: readonly Uint8Array[]): Uint8Array {
  return der(0x30, ...content);
}

export function setOf(...content: readonly Uint8Array[]): Uint8Array {
  return der(0x31, ...content);
}

/** Not negative; big-endian. */
export function integer(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Uint8Array.of(0) : bytes.subarray(first);
  return (digits[0] ?? 0) >= LONG_FORM ? der(0x02, Uint8Array.of(0), digits) : der(0x02, digits);
}

export function octets(bytes: Uint8Array): Uint8Array {
  return der(0x04, bytes);
}

/** Bits from the highest of the first byte on; the last `unused` bits of the last byte are not part of them. */
export function bits(bytes: Uint8Array, unused = 0): Uint8Array {
  return der(0x03, Uint8Array.of(unused), bytes);
}

export function utf8(text: string): Uint8Array {
  return der(0x0c, new TextEncoder().encode(text));
}

/** An object identifier, such as `1.2.840.10045.4.3.2`. */
export function objectId(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** As PEM (RFC 7468), such as for `CERTIFICATE REQUEST`. */
export function pem(label: string, bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString("base64")
    .match(/.{1,64}/g);
  return [`-----BEGIN ${label}-----`, ...(lines ?? []), `-----END ${label}-----`, ""].join("\n");
}

function lengthOf(length: number): Uint8Array {
  if (length < LONG_FORM) return Uint8Array.of(length);
  const digits: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) digits.unshift(left % 256);
  return Uint8Array.from([LONG_FORM + digits.length, ...digits]);
}

function base128(value: number): readonly number[] {
  const digits = [value % BASE_128];
  for (let left = Math.floor(value / BASE_128); left > 0; left = Math.floor(left / BASE_128)) {
    digits.unshift(BASE_128 + (left % BASE_128));
  }
  return digits;
}
