/** A meter that answers the sign-on of IEC 62056-21, on a serial line in memory or of the machine. */
import type { ByteStream, Clock, SerialSettings, StreamEvents } from "../../../src/platform/ports/ports.ts";

export interface IecTwinParts {
  readonly clock: Clock;
  /** Without `/` and line end, such as `LGZ4ZMF100AC.M23`: the fourth character names the speed. */
  readonly identification: string;
  /** The data lines. */
  lines(): readonly string[];
  /** Silence before an answer, ms. */
  readonly reactionMs?: number;
  /** A number that the sign-on has to name; default: any is answered. */
  readonly address?: string;
}

export type IecFault =
  | "none"
  | "silent"
  | "silent-after-acknowledgement"
  | "wrong-block-check"
  | "cut"
  | "echo"
  | "endless";

const SPEEDS: Readonly<Record<string, number>> = {
  0: 300,
  1: 600,
  2: 1_200,
  3: 2_400,
  4: 4_800,
  5: 9_600,
  6: 19_200,
  A: 600,
  B: 1_200,
  C: 2_400,
  D: 4_800,
  E: 9_600,
  F: 19_200,
};
const REACTION_MS = 250;
/** How long the meter waits for an answer to its identification, ms. */
const PATIENCE_MS = 1_500;
/** A character at 300 bits a second, 7E1. */
const CHARACTER_MS = 10_000 / 300;

export class IecTwin {
  fault: IecFault = "none";
  /** What it was asked, in order. */
  readonly asked: string[] = [];
  /** Speeds at which the line was opened, in order. */
  readonly speeds: number[] = [];
  readonly #parts: IecTwinParts;
  #stream: ByteStream | null = null;
  /** Null on a line without speeds, such as a pseudo-terminal. */
  #speed: number | null = null;
  #input = "";
  /** The speed agreed upon for the data message; null while the meter is idle. */
  #agreed: number | null = null;
  #turn = 0;

  constructor(parts: IecTwinParts) {
    this.#parts = parts;
  }

  readonly line = (stream: ByteStream, settings?: SerialSettings): StreamEvents => {
    this.#stream = stream;
    this.#speed = settings?.baudRate ?? null;
    if (this.#speed !== null) this.speeds.push(this.#speed);
    return {
      data: (bytes) => this.#hear(Buffer.from(bytes).toString("latin1"), stream),
      closed: () => {
        if (this.#stream === stream) this.#stream = null;
      },
    };
  };

  #hear(text: string, stream: ByteStream): void {
    if (this.fault === "echo") stream.write(Buffer.from(text, "latin1"));
    this.#input += text;
    if (!this.#input.endsWith("\r\n")) return;
    const asked = this.#input;
    this.#input = "";
    this.asked.push(JSON.stringify(asked).slice(1, -1));
    if (this.fault === "silent") return;
    const { address = "" } = this.#parts;
    const isSignOn = asked.startsWith("/?") && (asked === "/?!\r\n" || asked === `/?${address}!\r\n`);
    if (isSignOn && (this.#speed ?? 300) === 300) this.#signOn();
    else if (asked.startsWith("\u0006") && this.#agreed !== null) this.#acknowledged(asked);
  }

  #signOn(): void {
    const { identification } = this.#parts;
    const mark = identification.charAt(3);
    const turn = this.#next();
    this.#later(turn, this.#reactionMs(), () => this.#say(`/${identification}\r\n`, 300));
    const sentMs = this.#reactionMs() + (identification.length + 3) * CHARACTER_MS;
    this.#agreed = 300;
    // In mode C the meter goes on at 300 when nobody answers; in mode B it changes its speed by itself.
    if (/[A-F]/.test(mark)) {
      this.#agreed = SPEEDS[mark] ?? 300;
      this.#later(turn, sentMs + this.#reactionMs(), () => this.#sayData());
    } else if (/\d/.test(mark)) {
      this.#later(turn, sentMs + PATIENCE_MS, () => this.#sayData());
    } else {
      this.#later(turn, sentMs + this.#reactionMs(), () => this.#sayData());
    }
  }

  #acknowledged(asked: string): void {
    const turn = this.#next();
    this.#agreed = SPEEDS[asked.charAt(2)] ?? 300;
    if (this.fault === "silent-after-acknowledgement") return;
    this.#later(turn, this.#reactionMs(), () => this.#sayData());
  }

  #sayData(): void {
    const block = `${this.#parts.lines().join("\r\n")}\r\n!\r\n\u0003`;
    let check = 0;
    for (const character of block) check ^= character.charCodeAt(0);
    if (this.fault === "wrong-block-check") check ^= 0x10;
    const message = `\u0002${block}${String.fromCharCode(check)}`;
    const speed = this.#agreed ?? 300;
    this.#agreed = null;
    if (this.fault === "cut") this.#say(message.slice(0, message.length / 2), speed);
    else if (this.fault === "endless") this.#say(message.slice(0, -2).repeat(300), speed);
    else this.#say(message, speed);
  }

  /** Whoever listens at another speed reads nonsense. */
  #say(text: string, speed: number): void {
    const bytes = Buffer.from(text, "latin1");
    this.#stream?.write(speed === (this.#speed ?? speed) ? bytes : bytes.map((byte) => (byte * 7 + 3) & 0x7f));
  }

  #reactionMs(): number {
    return this.#parts.reactionMs ?? REACTION_MS;
  }

  #next(): number {
    this.#turn += 1;
    return this.#turn;
  }

  #later(turn: number, delayMs: number, callback: () => void): void {
    this.#parts.clock.timer(delayMs, () => {
      if (turn === this.#turn) callback();
    });
  }
}
