/** The progress of the telemetry stream. */
export interface CloudTelemetryRecord {
  readonly epoch: string;
  /** Wall-clock ms at which number 1 starts; each number is a quarter of an hour. */
  readonly startMs: number;
  readonly acked: number;
  /** Earlier epochs that were not repeated by a later one, oldest first. Absent: none. */
  readonly earlier?: readonly { readonly epoch: string; readonly startMs: number; readonly acked: number }[];
}
