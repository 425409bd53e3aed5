import type { ReasonCode } from "../cycle/energy-decision.ts";

/** What a reason names, for its text. */
export interface ReasonParts {
  /** The circuit, phase, source or device; `null` if there is nothing to name. */
  readonly subject: string | null;
  /** Time of day of the next change, HH:MM; `null` if none is known. */
  readonly until: string | null;
}

/** The texts of all reasons in one language. */
export type ReasonTexts = Readonly<Record<ReasonCode, (parts: ReasonParts) => string>>;
