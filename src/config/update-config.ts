import { z } from "zod";

/** Checks a cron expression; adds an issue if it is wrong. */
type CheckCron = (expression: string, context: z.RefinementCtx) => void;

/** Updates of the Debian package. */
export function updateConfig(checkCron: CheckCron) {
  return z.strictObject({
    check: z.string().superRefine(checkCron).optional().meta({
      description:
        "When a later version is looked for: a cron expression (minute, hour, day of month, month, day of week) in site.timezone; never when absent.",
    }),
    window: z.string().superRefine(checkCron).optional().meta({
      description: "When a later version is installed: a cron expression in site.timezone; never when absent.",
    }),
  });
}
