import { z } from "zod";

const version = z.string().min(1).max(100);
const reason = z.string().max(4_000);

/** How an update went, or what a look for one found; from the program that updates the package. */
export const UpdateReport = z.discriminatedUnion("outcome", [
  /** The repository has a later version, which is not installed yet. */
  z.strictObject({ outcome: z.literal("available"), from: version, to: version }),
  /** The new version was ready in time, and stays. */
  z.strictObject({ outcome: z.literal("kept"), from: version, to: version }),
  /** The previous version is back, with the state from before the update. */
  z.strictObject({ outcome: z.literal("rolled-back"), from: version, to: version, reason }),
  /** Nothing was changed. */
  z.strictObject({ outcome: z.literal("failed"), reason }),
]);
export type UpdateReport = z.infer<typeof UpdateReport>;
