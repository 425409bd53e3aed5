/** The sections of the configuration that were set over the API. */
export interface HouseConfigurationRecord {
  readonly sections: Readonly<Record<string, unknown>>;
  /** The sections before the last change; `null` once the gateway has started with the present ones. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** Wall-clock ms of the last change. */
  readonly changedAtMs: number;
}
