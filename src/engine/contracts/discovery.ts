import type {
  AdoptBody,
  Adopted,
  FoundSetup,
  NetworkSearch,
  NetworkSearchBody,
} from "../../domain/discovery/discovery.ts";
import type { FoundDevice } from "../../domain/linking/link-form.ts";

/** Finds the devices in the house, whether the gateway has them already or not. */
export interface Discovery {
  /** Returns the progress of the last search, all found devices and all moved devices; proofs in a language or in English. */
  state(language?: string): NetworkSearch;
  /**
   * Starts a search and returns its state. Throws `conflict` while another search runs, and `bad-request` for an address
   * outside of the private networks.
   */
  begin(search: NetworkSearchBody): NetworkSearch;
  /**
   * Returns the settings to decide when a found device is added, in a language or in English. Throws `not-found`,
   * `bad-request` and `timeout`.
   */
  setup(id: string, language?: string): Promise<FoundSetup>;
  /**
   * Adds a found device as a linked device of a user; its proof is in a language or in English. Throws `not-found`, `conflict`, `timeout`, and `bad-request` with an
   * issue for each setting, confirmation and option that is missing or wrong.
   */
  adopt(id: string, body: AdoptBody, language?: string): Promise<Adopted>;
  /** Searches actively for devices of one of an adapter's linkable vendors, for the link page. */
  lookFor(adapter: string, vendorId: string, signal: AbortSignal): Promise<readonly FoundDevice[]>;
}
