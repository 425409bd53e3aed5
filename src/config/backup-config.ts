import { z } from "zod";
import { urlOf } from "../domain/fields.ts";

const MIN_PASSPHRASE = 12;
const MAX_CRON_CHARACTERS = 200;

/** Checks a cron expression; adds an issue if it is wrong. */
type CheckCron = (expression: string, context: z.RefinementCtx) => void;

/** A folder on a WebDAV server. */
const WebDav = z
  .strictObject({
    url: urlOf("http:", "https:")
      .refine((text) => URL.parse(text)?.username === "", { error: "put the account into username and password" })
      .refine((text) => !/[?#]/.test(text), { error: "expected the address of a folder, without ? and #" })
      .meta({
        description:
          "The folder for backups of this gateway alone, which is made if it is not there; http only in the house.",
        examples: ["https://cloud.example.com/remote.php/dav/files/anna/hemgate"],
      }),
    username: z.string().min(1).max(255).optional().meta({ description: "Account, if the server asks for one." }),
    password: z.string().min(1).max(1_000).optional().meta({
      description: "Of the account; best one that was made for this program alone.",
    }),
    fingerprint: z
      .string()
      .regex(/^(?:[0-9a-fA-F]{2}:?){31}[0-9a-fA-F]{2}$/, {
        error: "expected 64 hexadecimal digits, with or without colons",
      })
      .optional()
      .meta({ description: "SHA-256 of the server's certificate, where the server signs it itself." }),
  })
  .refine(({ username, password }) => (username === undefined) === (password === undefined), {
    path: ["username"],
    error: "username and password belong together",
  });

/**
 * The section as the API takes it. Schedule and passphrase are checked with the whole configuration: a stored passphrase is
 * sent as `[redacted]`, and may come from the environment.
 */
export const BackupSettings = z.strictObject({
  schedule: z.string().max(MAX_CRON_CHARACTERS).optional().meta({
    description:
      "When a backup is made: a cron expression (minute, hour, day of month, month, day of week) in site.timezone; never when absent.",
  }),
  folder: z
    .string()
    .regex(/^\//, { error: "expected an absolute path such as /mnt/backup" })
    .max(4_096)
    .optional()
    .meta({ description: "Where backups are written, best on another disk; default backups in the state folder." }),
  passphrase: z.string().max(1_000).optional().meta({
    description: "Encrypts them; who has it and a backup has everything. Keep a copy apart from the gateway.",
  }),
  keep: z.int().min(1).max(1_000).default(7).meta({
    description: "How many are kept, in the folder and on the WebDAV server; the oldest are removed.",
  }),
  webdav: WebDav.optional().meta({
    description:
      "A WebDAV server, such as a Nextcloud or a NAS, that each backup is uploaded to as well; none when absent.",
  }),
});

/** Scheduled backups. */
export function backupConfig(checkCron: CheckCron) {
  const { schedule, passphrase } = BackupSettings.shape;
  return BackupSettings.extend({
    schedule: z.string().superRefine(checkCron).optional().meta({ description: schedule.description }),
    passphrase: z.string().min(MIN_PASSPHRASE).max(1_000).optional().meta({ description: passphrase.description }),
  }).superRefine((section, context) => {
    if (section.schedule === undefined || section.passphrase !== undefined) return;
    const message = "a schedule needs a passphrase, because nobody is there to enter one";
    context.addIssue({ code: "custom", path: ["passphrase"], message });
  });
}
