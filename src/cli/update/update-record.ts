/** What is written down of an update. */
import { z } from "zod";

/** What has been done. Each name is written after its work; what comes between two of them can be done again. */
const UPDATE_STEPS = [
  /** The packages of both versions and the program that does the rest are on disk. */
  "prepared",
  /** The gateway is stopped, and its state is copied. */
  "copied",
  /** The new version is installed. It may run, and is watched. */
  "installed",
  /** The new version stays. */
  "kept",
  /** The previous version is to come back. */
  "reverting",
  /** The previous version is installed again. */
  "reinstalled",
  /** Its state is as it was before the update. */
  "restored",
  /** The previous version stays. */
  "rolled-back",
] as const;

export const UpdateRecord = z.object({
  /** The version before the update. */
  from: z.string(),
  to: z.string(),
  step: z.enum(UPDATE_STEPS),
  /** When it was begun, ISO 8601. */
  beganAt: z.string(),
  /** `null` while it goes on. */
  endedAt: z.string().nullable(),
  /** Ids of the devices that answered before the update. */
  answering: z.array(z.string()),
  /** What the previous version itself reported as not in order. */
  failures: z.array(z.string()),
  /** Time in which the new version has to be ready, ms. */
  readyWithinMs: z.number().positive(),
  /** Time for which it has to stay ready without a break, ms. */
  settleMs: z.number().nonnegative(),
  /** How often the new version was started by the update: more than once after power cuts. */
  starts: z.int().nonnegative(),
  /** Whether there is a copy of the state from before the update. */
  isCopied: z.boolean(),
  /** Why the previous version comes back; `null` if it does not. */
  reason: z.string().nullable(),
});
export type UpdateRecord = z.infer<typeof UpdateRecord>;

/** Returns true if nothing is left to be done but to clean up. */
export function isEnded({ step }: Pick<UpdateRecord, "step">): boolean {
  return step === "kept" || step === "rolled-back";
}
