/** A meter that speaks by itself: what its line carries, and what goes wrong on it. */
import type { ByteStream, Clock, SerialSettings, StreamEvents } from "../../../src/platform/ports/ports.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";

/**
 * What happens to telegrams: `cut` ends them early, `noise` changes bits, `garbage` stands between them,
 * `wrong-checksum` changes a digit before it, `slow` brings them in pieces over most of the interval, `endless` never
 * ends one.
 */
export type LineFault = "none" | "silent" | "cut" | "noise" | "garbage" | "wrong-checksum" | "slow" | "endless";

export interface TalkingMeterParts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly everyMs: number;
  /** How the line has to be set; whoever sets it in another way reads nonsense. */
  readonly settings?: Omit<SerialSettings, "path">;
  telegram(): Uint8Array;
}

const PIECES = 8;

export class TalkingMeter {
  fault: LineFault = "none";
  /** Lines that are open now. */
  openLines = 0;
  /** Lines that were opened so far. */
  opened = 0;
  readonly #parts: TalkingMeterParts;

  constructor(parts: TalkingMeterParts) {
    this.#parts = parts;
  }

  /** What hangs at a serial port or behind a TCP address. */
  readonly line = (stream: ByteStream, settings?: SerialSettings): StreamEvents => {
    const { clock, everyMs } = this.#parts;
    const isRight = settings === undefined || this.#fits(settings);
    let isOpen = true;
    this.openLines += 1;
    this.opened += 1;
    const turn = (): void => {
      if (!isOpen) return;
      this.#speak(stream, isRight, (delayMs, callback) => clock.timer(delayMs, () => isOpen && callback()));
      clock.timer(everyMs, turn);
    };
    clock.timer(everyMs / 2, turn);
    return {
      data: () => undefined,
      closed: () => {
        isOpen = false;
        this.openLines -= 1;
      },
    };
  };

  #fits(settings: SerialSettings): boolean {
    const wanted = this.#parts.settings;
    if (wanted === undefined) return true;
    return (
      wanted.baudRate === settings.baudRate &&
      wanted.dataBits === settings.dataBits &&
      wanted.parity === settings.parity &&
      wanted.stopBits === settings.stopBits
    );
  }

  #speak(stream: ByteStream, isRight: boolean, later: (delayMs: number, callback: () => void) => void): void {
    const { random, everyMs } = this.#parts;
    const whole = this.#parts.telegram();
    if (this.fault === "silent") return;
    if (!isRight) {
      stream.write(random.secretBytes(whole.length));
      return;
    }
    if (this.fault === "slow") {
      const size = Math.ceil(whole.length / PIECES);
      for (let piece = 0; piece < PIECES; piece += 1) {
        const part = whole.slice(piece * size, (piece + 1) * size);
        later((piece * everyMs * 0.8) / PIECES, () => stream.write(part));
      }
      return;
    }
    stream.write(this.#spoilt(whole));
  }

  #spoilt(whole: Uint8Array): Uint8Array {
    const { random } = this.#parts;
    const place = (): number => Math.floor(random.between(0, whole.length - 1));
    switch (this.fault) {
      case "cut":
        return whole.slice(0, place());
      case "garbage":
        return Buffer.concat([random.secretBytes(300), whole, random.secretBytes(40)]);
      case "noise": {
        const changed = whole.slice();
        for (let count = 0; count < 3; count += 1) {
          const at = place();
          changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random.between(0, 7.99)));
        }
        return changed;
      }
      case "wrong-checksum": {
        const at = Math.floor(whole.length / 2);
        return whole.map((byte, index) => (index === at ? byte ^ 0x01 : byte));
      }
      case "endless":
        return whole.map((byte, index) => (index > whole.length / 2 ? 0x35 : byte));
      default:
        return whole;
    }
  }
}
