import type { ReadOutcome, TelegramReader } from "../telegram.ts";
import { type FoundSml, SmlFrames } from "./sml-frames.ts";
import { readSmlFile } from "./sml-telegram.ts";
import { SmlError } from "./sml-value.ts";

/** SML files that a meter sends by itself. */
export class SmlReader implements TelegramReader {
  readonly #frames = new SmlFrames();

  push(bytes: Uint8Array): readonly ReadOutcome[] {
    return this.#frames.push(bytes).map(telegramOf);
  }

  reset(): boolean {
    return this.#frames.reset();
  }
}

function telegramOf(found: FoundSml): ReadOutcome {
  if (found.kind === "dropped") return found;
  try {
    return { kind: "telegram", telegram: readSmlFile(found.bytes) };
  } catch (error) {
    if (!(error instanceof SmlError)) throw error;
    return { kind: "dropped", why: error.message };
  }
}
