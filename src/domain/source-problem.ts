/** Why a price or forecast source on the internet delivers nothing new: one shape for all sources. */
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
  /** What is wrong, in English; without keys and locations. */
  readonly text: string;
  /** Since when the source has this kind of problem, wall-clock ms. */
  readonly sinceMs: number;
}

export const SourceProblemView = z
  .object({
    kind: z.enum(SOURCE_PROBLEMS).meta({
      description:
        "`not-set-up`: something is missing in the configuration. `clock-not-set`: the gateway does not know the time. `unreachable`: no connection. `unavailable`: the source reports a server error. `rate-limited`: too many requests. `malformed`: the answer cannot be read. `empty`: the source has no data. `refused`: the source rejects the request. `not-kept`: the data cannot be stored. With `refused` and `not-set-up` nothing is requested until the configuration changes.",
    }),
    text: z.string().meta({ description: "What is wrong, in English." }),
    since: Instant.meta({ description: "Time since which the source has this problem." }),
  })
  .meta({
    id: "SourceProblem",
    description: "Why the source delivers no new data. Data that it delivered before stays in use.",
  });
export type SourceProblemView = z.infer<typeof SourceProblemView>;

/** Converts a problem to the form of the API. */
export function sourceProblemView({ kind, text, sinceMs }: SourceProblem): SourceProblemView {
  return { kind, text, since: instant(sinceMs) };
}
