import type { FlexEvent, NewFlexEvent } from "../../../domain/energy/flex/flex-event.ts";
import type { PowerLimit, PowerLimitUpdate } from "../../../domain/energy/site/power-limit.ts";
import type { SolarPolicy, SolarPolicyUpdate } from "../../../domain/energy/surplus-rule.ts";

/** The limit of the grid connection, seen from the location that has it. */
export interface PowerLimits {
  /** Throws `not-found` for an unknown location, and `conflict` for one whose connection is not the gateway's. */
  get(locationId: string): PowerLimit;
  /** Changes the settings of the connection. Throws as `get`, and `conflict` for what the configuration file sets. */
  set(locationId: string, update: PowerLimitUpdate): Promise<PowerLimit>;
  /** Removes what the configuration file does not set. Throws as `get`, and `conflict` if it sets all. */
  remove(locationId: string): Promise<void>;
}

/** The surplus charging of chargers: their energy mode, and when they start and stop. */
export interface SolarPolicies {
  /** Throws `not-found`. */
  get(chargerId: string): SolarPolicy;
  /** Throws `not-found`, `forbidden` without the scope, `service-unavailable` if the disk refuses. */
  set(chargerId: string, update: SolarPolicyUpdate): Promise<SolarPolicy>;
}

export interface FlexEventEntry {
  readonly event: FlexEvent;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/** Events of the grid. */
export interface FlexEvents {
  /** Newest first. */
  list(): readonly FlexEventEntry[];
  /** `null` if it is unknown. */
  get(id: string): FlexEvent | null;
  /** Throws `bad-request`, `not-found` and `conflict` for the location, `service-unavailable` if the disk refuses. */
  create(event: NewFlexEvent): Promise<FlexEvent>;
  /** Takes an event back. Returns `null` if it is unknown. Throws `conflict` if it is over. */
  cancel(id: string): Promise<FlexEvent | null>;
  /** What devices are to take now: at most so many W, `null` for as much as they can; `null` without such an event. */
  absorbing(): { readonly watts: number | null; readonly endMs: number } | null;
  /** Calls the listener after an event began or ended. Disposing the result unsubscribes. */
  observe(listener: () => void): Disposable;
}
