import type { AdoptBody, FoundSetup, NetworkSearch, NetworkSearchBody } from "../../domain/discovery/discovery.ts";
import type { FoundDevice } from "../../sdk/linking.ts";

/** The devices that are in the house, whether the gateway runs them or not. */
export interface Discovery {
  state(): NetworkSearch;
  /**
   * Begins a search; `state` tells how it goes. Throws `conflict` while another one runs, and `bad-request` for an
   * address outside of the private networks.
   */
  begin(search: NetworkSearchBody): NetworkSearch;
  /** What its owner decides when a found device is added. Throws `not-found`, `bad-request` and `timeout`. */
  setup(id: string): Promise<FoundSetup>;
  /**
   * Adds a found device for a user, as linked ones are. Throws `not-found`, `conflict`, `timeout`, and `bad-request`
   * with an issue for each setting, confirmation and option that is missing or wrong.
   */
  adopt(id: string, body: AdoptBody): Promise<{ readonly deviceId: string }>;
  /** Devices of one of an adapter's linkable vendors, for the link page; it asks hosts. */
  lookFor(adapter: string, vendorId: string, signal: AbortSignal): Promise<readonly FoundDevice[]>;
}
