/** The times of scheduled backups as people set them, and as a cron expression. Pure. */

export interface BackupTimes {
  readonly rhythm: "never" | "daily" | "weekly" | "other";
  /** `HH:MM`, of a daily and a weekly one. */
  readonly time: string;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** The expression, for other times. */
  readonly cron: string;
}

/** At night, when little happens, and not on the hour, at which much is due elsewhere. */
const USUAL: BackupTimes = { rhythm: "never", time: "02:40", weekday: 0, cron: "" };
const SIMPLE = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7])$/;
const TIME = /^(\d{2}):(\d{2})/;

/** Reads a cron expression; absent: none are made. */
export function timesOf(expression: string | undefined): BackupTimes {
  if (expression === undefined) return USUAL;
  const [, minute = "", hour = "", day = ""] = SIMPLE.exec(expression.trim().replace(/\s+/g, " ")) ?? [];
  if (day === "") return { ...USUAL, rhythm: "other", cron: expression };
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  const times = { ...USUAL, time, cron: expression };
  return day === "*" ? { ...times, rhythm: "daily" } : { ...times, rhythm: "weekly", weekday: Number(day) % 7 };
}

/** Returns the cron expression; `null` for never. A time that is not typed whole makes one that the gateway refuses. */
export function cronOf({ rhythm, time, weekday, cron }: BackupTimes): string | null {
  if (rhythm === "never") return null;
  if (rhythm === "other") return cron.trim();
  const [, hour = "", minute = ""] = TIME.exec(time) ?? [];
  return `${Number(minute)} ${hour === "" ? "" : Number(hour)} * * ${rhythm === "daily" ? "*" : weekday}`;
}
