import { z } from "zod";

const MIN_PASSPHRASE = 12;

/** Checks a cron expression; adds an issue if it is wrong. */
type CheckCron = (expression: string, context: z.RefinementCtx) => void;

/** Scheduled backups. */
export function backupConfig(checkCron: CheckCron) {
  return z
    .strictObject({
      schedule: z.string().superRefine(checkCron).optional().meta({
        description:
          "When a backup is made: a cron expression (minute, hour, day of month, month, day of week) in site.timezone; never when absent.",
      }),
      folder: z
        .string()
        .regex(/^\//, { error: "expected an absolute path such as /mnt/backup" })
        .max(4_096)
        .optional()
        .meta({ description: "Where backups are written, best on another disk; default backups in the state folder." }),
      passphrase: z.string().min(MIN_PASSPHRASE).max(1_000).optional().meta({
        description: "Encrypts them; who has it and a backup has everything. Keep a copy apart from the gateway.",
      }),
      keep: z.int().min(1).max(1_000).default(7).meta({ description: "How many are kept; the oldest are removed." }),
    })
    .superRefine(({ schedule, passphrase }, context) => {
      if (schedule === undefined || passphrase !== undefined) return;
      const message = "a schedule needs a passphrase, because nobody is there to enter one";
      context.addIssue({ code: "custom", path: ["passphrase"], message });
    });
}
