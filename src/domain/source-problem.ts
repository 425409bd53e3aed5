/** Why a source on the internet, of prices or of forecasts, tells nothing new: one shape for all of them. */
import { z } from "zod";
import { Instant, instant } from "./fields.ts";

const SOURCE_PROBLEMS = [
  "not-set-up",
  "clock-not-set",
  "unreachable",
  "unavailable",
  "rate-limited",
  "malformed",
  "empty",
  "refused",
  "not-kept",
] as const;

export type SourceProblemKind = (typeof SOURCE_PROBLEMS)[number];

export interface SourceProblem {
  readonly kind: SourceProblemKind;
  /** In English; names no key and no place. */
  readonly text: string;
  /** Since when it is of this kind, wall-clock ms. */
  readonly sinceMs: number;
}

export const SourceProblemView = z
  .object({
    kind: z.enum(SOURCE_PROBLEMS).meta({
      description:
        "`refused` and `not-set-up`: nothing is asked until the configuration changes. `not-kept`: the disk does not take what was told.",
    }),
    text: z.string().meta({ description: "What is wrong, in English." }),
    since: Instant,
  })
  .meta({ id: "SourceProblem", description: "What keeps a source from being heard; what was known stays." });
export type SourceProblemView = z.infer<typeof SourceProblemView>;

export function sourceProblemView({ kind, text, sinceMs }: SourceProblem): SourceProblemView {
  return { kind, text, since: instant(sinceMs) };
}
