import type { Config } from "../../config/config.ts";
import type { BackupFiles } from "../../platform/ports/backup-files-port.ts";
import type { Cron } from "../../platform/ports/ports.ts";
import { BackupService, type BackupsParts } from "./backups.ts";

export interface OpenBackupsOptions extends Omit<BackupsParts, "files" | "settings" | "schedule"> {
  /** Absent: no backups are made. */
  readonly backups?: BackupFiles | undefined;
  readonly cron: Cron;
  readonly config: Pick<Config, "backup" | "site">;
}

/** Opens the service of backups, with its schedule until it is disposed; `null` if the platform has no files for them. */
export function openBackups(options: OpenBackupsOptions): BackupService | null {
  const { backups: files, cron, config } = options;
  if (files === undefined) return null;
  const { schedule: expression, ...settings } = config.backup;
  const schedule = expression === undefined ? null : { expression, timeZone: config.site.timezone };
  const service = new BackupService({ ...options, files, settings, schedule });
  if (schedule !== null) service.closeWith(cron.schedule(schedule, () => void service.createScheduled()));
  return service;
}
