import type { Action, FailureType } from "../../../src/domain/actions/action.ts";
import type { JournalEntry } from "../../../src/store/records.ts";

/** Why an action may have ended so (rule I3.1). */
const REASONS: Readonly<Record<Exclude<Action["state"], "PENDING">, readonly (FailureType | null)[]>> = {
  CONFIRMED: [null],
  FAILED: ["NO_RESPONSE"],
  CANCELLED: ["FAILED_PRECONDITION", "CONFLICT", "REQUESTED_CANCELLATION", "UNNECESSARY", "NOT_FOUND"],
};

type Told = Pick<Action, "id" | "state" | "completedAt" | "failureReason">;

/** Each action is told as pending first and as ended once, with a reason that fits; nothing is told of it after that. */
export class ActionLife {
  readonly #states = new Map<string, Action["state"]>();

  /** Actions that were told of so far. */
  get count(): number {
    return this.#states.size;
  }

  /** Takes the journal's entries in their order. */
  take(entries: readonly Pick<JournalEntry, "event" | "payload">[]): readonly string[] {
    return entries
      .filter(({ event }) => event === "user:vendor-action:updated")
      .flatMap(({ payload }) => this.#judge((payload as { readonly vendorAction: Told }).vendorAction));
  }

  #judge(action: Told): readonly string[] {
    const before = this.#states.get(action.id);
    this.#states.set(action.id, action.state);
    const name = `action ${action.id}`;
    if (before === undefined) return action.state === "PENDING" ? [] : [`${name} was first told as ${action.state}`];
    if (before !== "PENDING") return [`${name} was told as ${action.state} after it was ${before}`];
    if (action.state === "PENDING") return [`${name} was told as pending twice`];
    if (action.completedAt === null) return [`${name} is ${action.state} and has no end`];
    const reason = action.failureReason?.type ?? null;
    return REASONS[action.state].includes(reason) ? [] : [`${name} is ${action.state} because of ${reason}`];
  }
}
