import type { Verdict } from "../kit/acknowledgement.ts";
import type { Command } from "../kit/bridge.ts";
import { valueIn } from "./gx-part.ts";

/** A value that was written is read back this often, ms. */
const READ_BACK_MS = 1_000;
/** So many answers with another value are a refusal. */
const REFUSALS = 4;

/** Topics of one GX, without `N/`, `W/` and `R/`. */
export interface GxWrite {
  /** `<portal id>/<service>/<instance>/<path>`. */
  readonly topic: string;
  readonly value: number | null;
  /** What else counts as the same value; absent: nothing. */
  isSame?(value: unknown): boolean;
}

/** Writes in their order; the last one is read back until the GX shows it. Nothing else answers a write. */
export function gxCommand(before: readonly GxWrite[], last: GxWrite): Command {
  const answer = `N/${last.topic}`;
  let others = 0;
  return {
    messages: [...before, last].map(({ topic, value }) => ({ topic: `W/${topic}`, text: JSON.stringify({ value }) })),
    acknowledgement: {
      style: "poll",
      topic: answer,
      ask: { topic: `R/${last.topic}`, text: "" },
      askEveryMs: READ_BACK_MS,
      judge: ({ topic, text }): Verdict => {
        if (topic !== answer || text === "") return null;
        const value = valueIn(text);
        if (value === last.value || last.isSame?.(value) === true) return "taken";
        others += 1;
        return others < REFUSALS ? null : { refusal: `the GX keeps ${JSON.stringify(value)}` };
      },
    },
  };
}
