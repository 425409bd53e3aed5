/** Snappy, in which LevelDB packs blocks: literals, and copies of what stands before. */

/** As far as the bytes make sense; `isWhole`: to the end that they announce. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

/** More is no block of ours. */
const MAX_BYTES = 64 * 1024 * 1024;

export function unsnap(packed: Uint8Array): Unpacked {
  const header = lengthAt(packed);
  if (header === null) return { bytes: new Uint8Array(), isWhole: false };
  const out = new Uint8Array(header.length);
  let at = header.next;
  let end = 0;
  while (at < packed.length) {
    const step = elementAt(packed, at);
    const isFit = step !== null && end + step.length <= out.length;
    if (!isFit || (step.back === null ? step.next > packed.length : step.back === 0 || step.back > end)) break;
    if (step.back === null) out.set(packed.subarray(step.next - step.length, step.next), end);
    // A copy may overlap what it writes.
    else for (let index = 0; index < step.length; index++) out[end + index] = out[end + index - step.back] ?? 0;
    end += step.length;
    at = step.next;
  }
  return { bytes: out.subarray(0, end), isWhole: at === packed.length && end === out.length };
}

function lengthAt(packed: Uint8Array): { readonly length: number; readonly next: number } | null {
  let length = 0;
  for (let index = 0; index < 5; index++) {
    const byte = packed[index];
    if (byte === undefined) return null;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return length > MAX_BYTES ? null : { length, next: index + 1 };
  }
  return null;
}

interface Element {
  readonly length: number;
  /** Null: a literal, whose bytes end at `next`. */
  readonly back: number | null;
  readonly next: number;
}

/** Null when the bytes end too early. */
function elementAt(packed: Uint8Array, at: number): Element | null {
  const tag = packed[at] ?? 0;
  const high = tag >>> 2;
  const kind = tag & 3;
  if (kind === 0) {
    const extra = high < 60 ? 0 : high - 59;
    const length = (high < 60 ? high : little(packed, at + 1, extra)) + 1;
    return { length, back: null, next: at + 1 + extra + length };
  }
  const offsetBytes = kind === 1 ? 1 : kind === 2 ? 2 : 4;
  const next = at + 1 + offsetBytes;
  if (next > packed.length) return null;
  const offset = little(packed, at + 1, offsetBytes);
  if (kind === 1) return { length: (high & 7) + 4, back: ((tag >>> 5) << 8) + offset, next };
  return { length: high + 1, back: offset, next };
}

function little(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index++) value += (bytes[at + index] ?? 0) * 2 ** (8 * index);
  return value;
}
