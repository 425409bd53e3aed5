/** Finds telegrams in a stream of text: from `/` at the start of a line to `!` and what follows it there. */

/** More than the longest one has: 13 months of peaks and a text message of 1024 characters. */
const MAX_BYTES = 8_192;
const CHECKSUM_DIGITS = 4;

const SLASH = 0x2f;
const EXCLAMATION = 0x21;
const CR = 0x0d;
const LF = 0x0a;
/** Bit 8 may be a parity that nobody took away. */
const CHARACTER = 0x7f;

export interface TextFrame {
  /** From `/` to `!`, both included. */
  readonly bytes: Uint8Array;
  /** The hex digits after it; empty where there are none. */
  readonly checksum: string;
}

export type FoundText =
  | { readonly kind: "frame"; readonly frame: TextFrame }
  | { readonly kind: "dropped"; readonly why: string };

export class TextFrames {
  #bytes: number[] = [];
  #checksum = "";
  #isInHeader = false;
  #state: "between" | "within" | "checksum" = "between";

  push(chunk: Uint8Array): readonly FoundText[] {
    const found: FoundText[] = [];
    for (const byte of chunk) this.#take(byte, found);
    return found;
  }

  /** Gives up the telegram that has begun; true when one had. */
  reset(): boolean {
    const hadBegun = this.#state !== "between";
    this.#begin("between");
    return hadBegun;
  }

  #begin(state: "between" | "within", first?: number): void {
    this.#bytes = first === undefined ? [] : [first];
    this.#checksum = "";
    this.#isInHeader = true;
    this.#state = state;
  }

  #take(byte: number, found: FoundText[]): void {
    switch (this.#state) {
      case "between":
        if ((byte & CHARACTER) === SLASH) this.#begin("within", byte);
        return;
      case "within":
        this.#takeContent(byte, found);
        return;
      case "checksum":
        this.#takeChecksum(byte, found);
        return;
      default:
        this.#state satisfies never;
    }
  }

  #takeContent(byte: number, found: FoundText[]): void {
    const character = byte & CHARACTER;
    if (character === SLASH && !this.#isInHeader) {
      found.push({ kind: "dropped", why: "a telegram was cut off" });
      this.#begin("within", byte);
      return;
    }
    if (this.#bytes.length >= MAX_BYTES) {
      found.push({ kind: "dropped", why: `a telegram of more than ${MAX_BYTES} bytes` });
      this.#begin("between");
      return;
    }
    const last = (this.#bytes.at(-1) ?? 0) & CHARACTER;
    if (character === EXCLAMATION && (last === LF || last === CR)) this.#state = "checksum";
    if (character === LF) this.#isInHeader = false;
    this.#bytes.push(byte);
  }

  /** Some meters drop the leading zeros, so there may be fewer digits, and some have none. */
  #takeChecksum(byte: number, found: FoundText[]): void {
    const character = String.fromCharCode(byte & CHARACTER);
    const isDigit = /[0-9A-Fa-f]/.test(character);
    if (isDigit) this.#checksum += character;
    if (isDigit && this.#checksum.length < CHECKSUM_DIGITS) return;
    found.push({ kind: "frame", frame: { bytes: Uint8Array.from(this.#bytes), checksum: this.#checksum } });
    if (character === "/") this.#begin("within", byte);
    else this.#begin("between");
  }
}
