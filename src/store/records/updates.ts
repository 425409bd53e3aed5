/** The later version that a look for updates found, until it is installed. The key is `current`. */
export interface AvailableUpdateRecord {
  readonly version: string;
}
