/** When a job runs. */
export interface CronTime {
  /** Five fields: minute, hour, day of month, month, day of week, such as `17 3 * * *`. */
  readonly expression: string;
  /** IANA time zone of the hours and days in it, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/** Runs jobs at the times of cron expressions, by the wall clock. */
export interface Cron {
  /**
   * Calls `run` at each time that the expression names, until disposed. A local time that is skipped when summer time begins
   * is not run on that day; one that comes twice when it ends is run once. Times that the wall clock jumped over are run
   * late, once; times while the process was off are not. Throws a `RangeError` if the expression or the time zone is invalid.
   */
  schedule(time: CronTime, run: () => void): Disposable;
  /** Returns the next times after now, wall-clock ms, ascending. Throws a `RangeError` if the expression or the time zone is invalid. */
  nextRuns(time: CronTime, count: number): readonly number[];
}
