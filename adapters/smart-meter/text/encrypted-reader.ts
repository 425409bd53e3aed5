/**
 * P1 telegrams that are encrypted with AES-128-GCM, as Luxembourg's Smarty sends them (P1 specification 1.1.3, part
 * 3.2.5): DB 08 <system title> 82 <length> 30 <frame counter> <telegram> <tag>.
 */
import { createDecipheriv } from "node:crypto";
import type { ReadOutcome, TelegramReader } from "../telegram.ts";
import { TextReader } from "./text-reader.ts";

const MARK = 0xdb;
const TITLE_BYTES = 8;
const LONG_LENGTH = 0x82;
/** Authenticated and encrypted, suite 0. */
const SECURITY = 0x30;
const HEAD_BYTES = 18;
const TAG_BYTES = 12;
/** Security byte and frame counter count as length, too. */
const COUNTED_HEAD_BYTES = 5;
const MAX_BYTES = 8_192;

export interface P1Keys {
  /** 16 bytes, from the grid operator. */
  readonly key: Uint8Array;
  /** 16 bytes; the same for all meters in Luxembourg. */
  readonly authenticationKey: Uint8Array;
}

export class EncryptedReader implements TelegramReader {
  readonly #keys: P1Keys;
  readonly #text = new TextReader();
  #bytes: number[] = [];

  constructor(keys: P1Keys) {
    this.#keys = keys;
  }

  push(bytes: Uint8Array): readonly ReadOutcome[] {
    const outcome: ReadOutcome[] = [];
    for (const byte of bytes) {
      this.#bytes.push(byte);
      this.#align();
      const length = this.#length();
      if (length !== null && this.#bytes.length >= length) {
        outcome.push(...this.#open(Uint8Array.from(this.#bytes.splice(0, length))));
      }
    }
    return outcome;
  }

  reset(): boolean {
    const hadBegun = this.#bytes.length > 0;
    this.#bytes = [];
    return hadBegun;
  }

  /** Throws bytes away until what is there may be the start of a telegram. */
  #align(): void {
    while (this.#bytes.length > 0 && !this.#isStart()) this.#bytes.shift();
  }

  #isStart(): boolean {
    const fits = (at: number, expected: number): boolean => this.#bytes.length <= at || this.#bytes[at] === expected;
    const length = this.#length();
    return (
      fits(0, MARK) &&
      fits(1, TITLE_BYTES) &&
      fits(10, LONG_LENGTH) &&
      fits(13, SECURITY) &&
      (length === null || (length > HEAD_BYTES + TAG_BYTES && length <= MAX_BYTES))
    );
  }

  /** Of the whole telegram; null while it is not known. */
  #length(): number | null {
    const [high, low] = this.#bytes.slice(11, 13);
    if (high === undefined || low === undefined) return null;
    return HEAD_BYTES - COUNTED_HEAD_BYTES + (high << 8) + low;
  }

  #open(frame: Uint8Array): readonly ReadOutcome[] {
    const { key, authenticationKey } = this.#keys;
    const nonce = Buffer.concat([frame.subarray(2, 2 + TITLE_BYTES), frame.subarray(14, HEAD_BYTES)]);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.concat([Uint8Array.of(SECURITY), authenticationKey]));
    decipher.setAuthTag(frame.subarray(-TAG_BYTES));
    const plain = decipher.update(frame.subarray(HEAD_BYTES, -TAG_BYTES));
    try {
      decipher.final();
    } catch {
      return [{ kind: "dropped", why: "it does not open with this key" }];
    }
    const outcome = this.#text.push(plain);
    // The tag authenticates the content; one that ends early is not waited for.
    this.#text.reset();
    return outcome;
  }
}
