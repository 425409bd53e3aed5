import { z } from "zod";

const version = z.string().min(1).max(100);
const reason = z.string().max(4_000);

/** How an update goes, or what a look for one found; from the program that updates the package. */
export const UpdateReport = z.discriminatedUnion("outcome", [
  /** The repository has a later version, which is not installed yet. */
  z.strictObject({ outcome: z.literal("available"), from: version, to: version }),
  /** The repository has no later version than this one, which is installed. */
  z.strictObject({ outcome: z.literal("newest"), from: version }),
  /** The later version is on disk, and the gateway will be stopped for it. */
  z.strictObject({ outcome: z.literal("prepared"), from: version, to: version }),
  /** The new version was ready in time, and stays. */
  z.strictObject({ outcome: z.literal("kept"), from: version, to: version }),
  /** The previous version is back, with the state from before the update. */
  z.strictObject({ outcome: z.literal("rolled-back"), from: version, to: version, reason }),
  /** There is a later version, and it is not installed by itself. */
  z.strictObject({ outcome: z.literal("skipped"), reason }),
  /** Nothing was changed. */
  z.strictObject({ outcome: z.literal("failed"), reason }),
]);
export type UpdateReport = z.infer<typeof UpdateReport>;
