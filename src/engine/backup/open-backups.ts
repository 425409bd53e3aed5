import type { Config } from "../../config/config.ts";
import type { BackupFiles } from "../../platform/ports/backup-files-port.ts";
import type { Cron } from "../../platform/ports/ports.ts";
import { BackupService, type BackupsParts } from "./backups.ts";

export interface OpenBackupsOptions extends Omit<BackupsParts, "files" | "settings"> {
  /** Absent: no backups are made. */
  readonly backups?: BackupFiles | undefined;
  readonly cron: Cron;
  readonly config: Pick<Config, "backup" | "site">;
}

/** Opens the service of backups, with its schedule until it is disposed; `null` if the platform has no files for them. */
export function openBackups(options: OpenBackupsOptions): (BackupService & Disposable) | null {
  const { backups: files, cron, config } = options;
  if (files === undefined) return null;
  const { schedule, ...settings } = config.backup;
  const service = new BackupService({ ...options, files, settings });
  const job =
    schedule === undefined
      ? null
      : cron.schedule({ expression: schedule, timeZone: config.site.timezone }, () => void service.createScheduled());
  return Object.assign(service, { [Symbol.dispose]: () => job?.[Symbol.dispose]() });
}
