/** Telegrams in text that a meter sends by itself: P1, and the D0 interface of IEC 62056-21. */
import { crcArc } from "../checksums.ts";
import type { ReadOutcome, TelegramReader } from "../telegram.ts";
import { type FoundText, type TextFrame, TextFrames } from "./text-frames.ts";
import { readText, type TextTelegram } from "./text-telegram.ts";

/** A form is known when so many telegrams in a row have it; another one takes its place later than the first. */
const ALIKE = { first: 2, later: 3 } as const;

/**
 * A telegram with a checksum counts when it fits. One without counts when it has the form that this meter's have, with
 * the same registers in the same widths: a lost byte or line shows so, where nothing else would tell.
 */
export class TextReader implements TelegramReader {
  readonly #frames = new TextFrames();
  /** Once a checksum was right, a telegram without one is damaged. */
  #hasChecksums = false;
  #form: string | null = null;
  #candidate: string | null = null;
  #alike = 0;

  push(bytes: Uint8Array): readonly ReadOutcome[] {
    return this.#frames.push(bytes).flatMap((found) => this.#judge(found) ?? []);
  }

  reset(): boolean {
    return this.#frames.reset();
  }

  #judge(found: FoundText): ReadOutcome | null {
    if (found.kind === "dropped") return found;
    const { frame } = found;
    return frame.checksum === "" ? this.#withoutChecksum(frame) : this.#withChecksum(frame);
  }

  #withChecksum({ bytes, checksum }: TextFrame): ReadOutcome {
    if (crcArc(bytes) !== Number.parseInt(checksum, 16)) return dropped("the checksum is wrong");
    this.#hasChecksums = true;
    return { kind: "telegram", telegram: readText(latin1(bytes)) };
  }

  #withoutChecksum({ bytes }: TextFrame): ReadOutcome | null {
    if (this.#hasChecksums) return dropped("the checksum is missing");
    const plain = withoutParity(bytes);
    if (plain === null) return dropped("the parity is wrong");
    const telegram: TextTelegram = readText(latin1(plain));
    if (telegram.needsChecksum) return dropped("the checksum is missing");
    return this.#hasForm(telegram.shape) ? { kind: "telegram", telegram } : this.#unlike();
  }

  #hasForm(shape: string): boolean {
    this.#alike = shape === this.#candidate ? this.#alike + 1 : 1;
    this.#candidate = shape;
    if (this.#alike >= (this.#form === null ? ALIKE.first : ALIKE.later)) this.#form = shape;
    return shape === this.#form;
  }

  /** The first of all is only put by. */
  #unlike(): ReadOutcome | null {
    if (this.#form === null && this.#alike === 1) return null;
    return dropped("it has no checksum, and another form than the telegrams before it");
  }
}

/** A line of 7 bits with even parity that is read as 8 bits leaves the parity in them. Null when it does not fit. */
export function withoutParity(bytes: Uint8Array): Uint8Array | null {
  if (bytes.every((byte) => byte < 0x80)) return bytes;
  return bytes.every(isEven) ? bytes.map((byte) => byte & 0x7f) : null;
}

function isEven(byte: number): boolean {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>>= 1) ones += rest & 1;
  return ones % 2 === 0;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function dropped(why: string): ReadOutcome {
  return { kind: "dropped", why };
}
