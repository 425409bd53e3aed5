/** A meter's line that somebody spoils: what is written on it arrives whole, damaged, in pieces, twice, or not at all. */
import type { ByteStream, SerialSettings, StreamEvents } from "../../src/platform/ports/ports.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import { flipped } from "./hostile-line.ts";
import { pieces } from "./mutate.ts";

/** A checksum of 16 bits finds as many wrong bits as these for certain; parity and block check do, too. */
const CERTAIN_FLIPS = 3;
const MAX_NOISE = 400;

type Line = (stream: ByteStream, settings?: SerialSettings) => StreamEvents;

/** `keptBytes`: so many at the end are left alone, because they are checked by nothing. */
export class Spoiler {
  isOn = false;
  readonly #random: SeededRandom;
  readonly #keptBytes: number;

  constructor(random: SeededRandom, keptBytes: number) {
    this.#random = random;
    this.#keptBytes = keptBytes;
  }

  /** What arrives, in order; null: the far end hangs up. Without damage when it is off. */
  spoilt(whole: Uint8Array): readonly (Uint8Array | null)[] {
    const random = this.#random;
    if (!this.isOn) return [whole];
    const checked = whole.slice(0, Math.max(1, whole.length - this.#keptBytes));
    const noise = (): Uint8Array => random.secretBytes(random.below(MAX_NOISE));
    switch (random.below(11)) {
      case 0:
        return [];
      case 1:
        return [flipped(checked, 1 + random.below(CERTAIN_FLIPS), random), whole.slice(checked.length)];
      case 2:
        return [whole.slice(0, random.below(checked.length))];
      case 3:
        return [noise(), whole];
      case 4:
        return [noise()];
      case 5:
        return [whole, whole];
      case 6:
        return [whole.slice(0, random.below(checked.length)), null];
      case 7:
        return Array.from({ length: 30 }, () => checked.slice(random.below(checked.length)));
      case 8:
        return pieces(whole, random);
      default:
        return [whole];
    }
  }

  /** The same line, spoilt. */
  line(honest: Line): Line {
    return (stream, settings) =>
      honest(
        {
          write: (bytes) => {
            for (const each of this.spoilt(bytes)) {
              if (each === null) stream[Symbol.dispose]();
              else stream.write(each);
            }
          },
          bufferedBytes: 0,
          [Symbol.dispose]: () => stream[Symbol.dispose](),
        },
        settings,
      );
  }
}
