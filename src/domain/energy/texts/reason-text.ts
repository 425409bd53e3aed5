import type { ReasonCode } from "../cycle/energy-decision.ts";
import type { NoPlanCode, PlanReasonCode } from "../plan/energy-plan.ts";

/** What a reason names, for its text. */
export interface ReasonParts {
  /** The circuit, phase, source or device; `null` if there is nothing to name. */
  readonly subject: string | null;
  /** Time of day of the next change, HH:MM; `null` if none is known. */
  readonly until: string | null;
}

/** The texts of all reasons in one language. */
export type ReasonTexts = Readonly<Record<ReasonCode, (parts: ReasonParts) => string>>;

/** What the reason of a plan names. Times and amounts are texts by now; `when` and `alternative` begin with a space, or are empty. */
export interface PlanReasonParts {
  readonly when: string;
  /** Money per kWh; `null` if there is nothing to compare with. */
  readonly difference: string | null;
  readonly alternative: string;
  /** kWh. */
  readonly short: string;
}

/** The texts of a plan's reasons in one language, and how it says a stretch of time. */
export type PlanTexts = Readonly<Record<PlanReasonCode | NoPlanCode, (parts: PlanReasonParts) => string>> & {
  readonly between: (from: string, to: string) => string;
  readonly and: string;
};
