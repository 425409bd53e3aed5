/** Finds SML files in a stream of bytes: the transport protocol, version 1 (SML 1.04, part 8). */
import { crcKermit, crcX25 } from "../checksums.ts";

const ESCAPE = 0x1b;
const VERSION = 0x01;
const END = 0x1a;
/** Bytes of an escape sequence, and of what follows it. */
const WORD = 4;
const START: readonly number[] = [...Array<number>(WORD).fill(ESCAPE), ...Array<number>(WORD).fill(VERSION)];
/** Meters send 200 to 800 bytes, with signatures up to 2 kB. */
const MAX_BYTES = 8_192;

export type FoundSml =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly kind: "dropped"; readonly why: string };

export class SmlFrames {
  /** Since the start sequence, with it; empty between files. */
  #raw: number[] = [];
  /** The content of the file, escapes taken out. */
  #content: number[] = [];
  /** The last bytes while none has begun. */
  #window: number[] = [];
  /** Escape bytes in a row. */
  #run = 0;
  /** What came after an escape sequence; null: none is under way. */
  #after: number[] | null = null;

  push(chunk: Uint8Array): readonly FoundSml[] {
    const found: FoundSml[] = [];
    for (const byte of chunk) {
      const result = this.#raw.length === 0 ? this.#seek(byte) : this.#take(byte);
      if (result !== null) found.push(result);
    }
    return found;
  }

  /** Gives up the file that has begun; true when one had. */
  reset(): boolean {
    const hadBegun = this.#raw.length > 0;
    this.#raw = [];
    this.#window = [];
    return hadBegun;
  }

  #seek(byte: number): null {
    this.#window.push(byte);
    if (this.#window.length > START.length) this.#window.shift();
    if (START.every((expected, at) => this.#window[at] === expected)) this.#begin();
    return null;
  }

  #begin(): void {
    this.#raw = [...START];
    this.#content = [];
    this.#window = [];
    this.#run = 0;
    this.#after = null;
  }

  #take(byte: number): FoundSml | null {
    this.#raw.push(byte);
    if (this.#raw.length > MAX_BYTES) return this.#drop(`a file of more than ${MAX_BYTES} bytes`);
    if (this.#after !== null) return this.#takeAfter(byte, this.#after);
    this.#run = byte === ESCAPE ? this.#run + 1 : 0;
    this.#content.push(byte);
    if (this.#run === WORD) {
      this.#content.length -= WORD;
      this.#after = [];
    }
    return null;
  }

  /**
   * The four bytes after an escape sequence: content that looked like one, the end, or a new start. Content that ends
   * in 1B stands before the end sequence, so that the first bytes of the run belong to the content.
   */
  #takeAfter(byte: number, after: number[]): FoundSml | null {
    after.push(byte);
    const lead = after.findIndex((each) => each !== ESCAPE);
    if (lead < 0) {
      if (after.length === WORD) this.#goOn(WORD);
      return null;
    }
    const mark = after[lead];
    if (mark !== END && mark !== VERSION) return this.#drop("an escape sequence that means nothing");
    if (after.length < lead + WORD) return null;
    if (mark === END) return this.#end(lead, after.slice(lead));
    const isStart = after.slice(lead).every((each) => each === VERSION);
    if (isStart) this.#begin();
    return isStart
      ? { kind: "dropped", why: "a file was cut off" }
      : this.#drop("an escape sequence that means nothing");
  }

  #goOn(escapes: number): void {
    for (let count = 0; count < escapes; count += 1) this.#content.push(ESCAPE);
    this.#run = 0;
    this.#after = null;
  }

  #end(lead: number, [, padding = 0, low = 0, high = 0]: readonly number[]): FoundSml {
    this.#goOn(lead);
    const checked = Uint8Array.from(this.#raw.slice(0, -2));
    const checksum = (high << 8) | low;
    const content = Uint8Array.from(this.#content);
    this.reset();
    if (checksum !== crcX25(checked) && checksum !== crcKermit(checked)) {
      return { kind: "dropped", why: "the checksum is wrong" };
    }
    if (padding >= WORD || padding > content.length) return { kind: "dropped", why: `${padding} bytes of padding` };
    return { kind: "file", bytes: content.subarray(0, content.length - padding) };
  }

  #drop(why: string): FoundSml {
    this.reset();
    return { kind: "dropped", why };
  }
}
