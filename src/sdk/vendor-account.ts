/** The state of an account with a vendor's cloud, for its owner. */

/** A quota of a vendor. */
export interface VendorQuota {
  readonly name: string;
  /** The site or device that the quota is for; `null` for the whole account. */
  readonly subject: string | null;
  /** Number of requests that the vendor allows. */
  readonly limit: number;
  /** Number of requests that are left. */
  readonly left: number;
  /** Number of requests that are left for polls; the rest is reserved for commands and the login. */
  readonly leftForPolls: number;
}

/** The stream on which a vendor sends changes. Times are wall-clock ms. */
export interface VendorStream {
  /** True while the gateway is signed in and the connection works. */
  readonly isConnected: boolean;
  /** Since when `isConnected` has this value; `null` if no device uses the stream. */
  readonly sinceMs: number | null;
  /** Time of the last message, heartbeats included; `null` if there was none since the start. */
  readonly lastMessageMs: number | null;
  /** Why it is not connected, with a `kind` as in `failed`; `null` if it is connected or was never disconnected. */
  readonly problem: { readonly kind: string; readonly text: string } | null;
}

/** An account in use. Times are wall-clock ms. */
export interface VendorAccount {
  /** The `id` of the `LinkableVendor`. */
  readonly vendorId: string;
  readonly account: string;
  /** Number of devices that are connected through the account now. */
  readonly connected: number;
  /** False if the vendor refuses the login; the user has to link the account again. */
  readonly isSignedIn: boolean;
  /** Number of successful requests in the last hour. */
  readonly answered: number;
  /** Number of failed requests in the last hour by kind of failure, such as `rate-limited`. */
  readonly failed: Readonly<Record<string, number>>;
  /** Number of failed requests that the vendor caused, not the device or the owner. */
  readonly vendorsFault: number;
  /** Time of the last response; `null` if there was none since the start. */
  readonly lastAnswerMs: number | null;
  /** When the next poll may be sent; `null` if it may be sent now. */
  readonly nextPollMs: number | null;
  readonly quotas: readonly VendorQuota[];
  /** `null` if the vendor has no stream, or the gateway does not use it. */
  readonly stream: VendorStream | null;
}
