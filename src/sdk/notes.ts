/**
 * What an adapter keeps of its devices on the gateway's disk, over restarts: a few short texts for each, such as the
 * certificate that was trusted first. They go with the device.
 */
export interface DeviceNotes {
  /** Null when there is none of that name. It answers from memory. */
  get(deviceId: string, name: string): string | null;
  /**
   * Resolved: it is on disk. Rejects when the disk refuses, and with a `DeviceError("rejected")` when the name has more
   * than 40 characters, the text more than 4,000, or the device eight other notes.
   */
  put(deviceId: string, name: string, text: string): Promise<void>;
}
