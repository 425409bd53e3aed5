import type { HouseSection, SectionOrigin } from "../../domain/configuration/configuration-view.ts";

/** Where a section of the configuration comes from. */
export interface SectionState {
  readonly origin: SectionOrigin;
  readonly isSettable: boolean;
  /** Names of environment variables that set values of the section. */
  readonly variables: readonly string[];
}

/** The sections of the configuration that are set over the API, where neither the file nor the fleet sets them. */
export interface HouseSettings {
  stateOf(section: string): SectionState;
  /** The sources that the configuration can name. */
  readonly sources: { readonly prices: readonly string[]; readonly forecasts: readonly string[] };
  /**
   * Stores a section and restarts the gateway with it; it is on disk when the promise resolves. A secret that is
   * `[redacted]` keeps its value. Throws `bad-request` with all mistakes, and `conflict` if the section is set elsewhere.
   */
  set(section: HouseSection, value: Readonly<Record<string, unknown>>): Promise<void>;
  /** Removes a section and restarts the gateway. Throws `not-found` if it is not set here, and `conflict` as `set`. */
  remove(section: HouseSection): Promise<void>;
}
