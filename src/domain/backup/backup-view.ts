/** Backups in the API: the responses of `/local/backups`. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import { BackupCauseView } from "./backup-cause.ts";

const Name = z.string().meta({ description: "Name of the file.", examples: ["hemgate-20260621T024000Z.hgbackup"] });

export const BackupTaskView = z
  .object({
    kind: z.enum(["create", "verify"]).meta({
      description:
        "`create`: a backup is written, then read to its end, then uploaded where a WebDAV server is set. `verify`: one of the list is read to its end.",
    }),
    isScheduled: z.boolean().meta({ description: "`false` if a person or a program asked for it." }),
    name: Name,
    step: z.enum(["write", "read", "upload"]).meta({
      description:
        "What is done now, or was done last. From `upload` on the backup is in the folder, whatever follows.",
    }),
    state: z.enum(["running", "done", "failed"]),
    doneBytes: z.int().meta({ description: "Bytes of the file that are written, read or uploaded in this step." }),
    expectedBytes: z.int().nullable().meta({
      description:
        "What `doneBytes` is at the end of the step: exact while reading and uploading; while writing the size of the newest backup, `null` if there is none.",
    }),
    startedAt: Instant,
    endedAt: NullableInstant.meta({ description: "`null` while it runs." }),
    failure: z
      .string()
      .nullable()
      .meta({
        description: "What went wrong, in English, with what to do; `null` if nothing did.",
        examples: [null],
      }),
    cause: BackupCauseView,
  })
  .meta({ id: "BackupTask" });
export type BackupTaskView = z.infer<typeof BackupTaskView>;

const BackupView = z
  .object({
    name: Name,
    bytes: z.int().meta({ description: "Size of the file, bytes." }),
    writtenAt: Instant.meta({ description: "When it was written." }),
    verified: z
      .object({
        at: Instant,
        failure: z
          .string()
          .nullable()
          .meta({
            description: "What is wrong with the file, in English, with what to do; `null` if it is whole.",
            examples: [null],
          }),
        cause: BackupCauseView,
      })
      .nullable()
      .meta({
        description: "How it was when it was last read to its end; `null` if it was not, or was changed since.",
      }),
  })
  .meta({ id: "Backup" });

const BackupScheduleView = z
  .object({
    expression: z.string().meta({ description: "`backup.schedule` of the configuration.", examples: ["40 2 * * *"] }),
    timeZone: z.string().meta({ description: "`site.timezone`, in which it counts.", examples: ["Europe/Berlin"] }),
    nextAt: Instant.meta({ description: "When the next one is made." }),
    last: z
      .object({
        at: Instant,
        failure: z
          .string()
          .nullable()
          .meta({
            description: "Why it was not made or not uploaded, in English; `null` if it was, or if one was since.",
            examples: [null],
          }),
        cause: BackupCauseView,
        isStored: z.boolean().meta({ description: "`false` if it was not made; `true` after a failed upload too." }),
      })
      .nullable()
      .meta({ description: "The last scheduled one; `null` if none was due yet." }),
  })
  .meta({ id: "BackupSchedule" });

export const BackupsView = z
  .object({
    folder: z.string().meta({
      description: "Where backups are: `backup.folder` of the configuration, else `backups` in the state folder.",
      examples: ["/mnt/backup"],
    }),
    keep: z.int().meta({ description: "How many of the backups that it made the gateway keeps there: `backup.keep`." }),
    hasPassphrase: z.boolean().meta({
      description:
        "The configuration has `backup.passphrase`, which counts where a request names none. It is never shown.",
    }),
    schedule: BackupScheduleView.nullable().meta({
      description: "`null` if the configuration has no `backup.schedule`.",
    }),
    webdav: z
      .string()
      .nullable()
      .meta({
        description:
          "The folder on a WebDAV server that each backup is uploaded to as well, `backup.webdav`; `null` for none.",
        examples: ["https://cloud.example.com/remote.php/dav/files/anna/hemgate"],
      }),
    task: BackupTaskView.nullable().meta({
      description: "What runs now, else what ran last since the start of the gateway; `null` if nothing did.",
    }),
    backups: z.array(BackupView).meta({ description: "The backups in the folder, newest first." }),
  })
  .meta({ id: "Backups" });
export type BackupsView = z.infer<typeof BackupsView>;

export const UploadedBackupsView = z
  .object({
    backups: z
      .array(
        z.object({
          name: Name,
          bytes: z
            .int()
            .nullable()
            .meta({ description: "Size of the file, bytes; `null` if the server does not say." }),
        }),
      )
      .meta({ description: "The backups of this gateway there, newest first." }),
  })
  .meta({ id: "UploadedBackups" });
export type UploadedBackupsView = z.infer<typeof UploadedBackupsView>;
