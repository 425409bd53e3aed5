/** How far the cloud service has been told what devices measured. */
export interface CloudTelemetryRecord {
  readonly epoch: string;
  /** Wall-clock ms at which number 1 begins; each number is a quarter of an hour. */
  readonly startMs: number;
  readonly acked: number;
  /** Epochs before that no other told again, oldest first. Absent: none. */
  readonly earlier?: readonly { readonly epoch: string; readonly startMs: number; readonly acked: number }[];
}
