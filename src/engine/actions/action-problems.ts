/** What commands are answered with when there is no action to answer. */
import type { ControllerKind, RequestedSetting } from "../../domain/actions/action.ts";
import { type ProblemError, problem } from "../../domain/problem.ts";

/** No device carries the target. */
export function noTarget(setting: RequestedSetting, targetId: string): ProblemError {
  return problem("not-found", `No ${setting.targetType} has the id ${targetId}.`);
}

/** The target can do nothing until the user signs in again (rule I3.4). */
export function noCredentials(setting: RequestedSetting): ProblemError {
  return problem(
    "bad-request",
    `The credentials of this ${setting.targetType} are not accepted any more; link it again.`,
  );
}

/** The store does not take the action. */
export function diskRefuses(cause: unknown): ProblemError {
  const refused = problem("service-unavailable", "The command cannot be stored now, so it is not carried out.");
  return cause === null ? refused : Object.assign(refused, { cause });
}

/**
 * A client's command waits until no feature is in charge (rules I7 and S2.1). The energy manager takes it as what a person
 * asks for now, which overrides its mode.
 */
export function refuseControlled(controller: ControllerKind | null): void {
  if (controller === null || controller === "energy") return;
  const by = { schedule: "a schedule", "smart-charging": "smart charging", "smart-policy": "a smart policy" }[
    controller
  ];
  throw problem(
    "service-controlled-entity",
    `The device is controlled by ${by}; switch it off or use a smart override.`,
  );
}
