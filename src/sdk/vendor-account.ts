/** How an account with a vendor's cloud does, for the owner to see. */

/** What is left of a vendor's quota. */
export interface VendorQuota {
  readonly name: string;
  /** The site or device that it counts for, where that is not the whole account. */
  readonly subject: string | null;
  /** Requests in a window. */
  readonly limit: number;
  readonly left: number;
  /** Of those, what polling may use: the rest is kept for commands and the login. */
  readonly leftForPolls: number;
}

/** The stream on which a vendor tells what changes. Times are wall-clock ms. */
export interface VendorStream {
  /** True: the vendor let us in, and the connection lives. */
  readonly isConnected: boolean;
  /** Since when it is, or is not; null: no device listens. */
  readonly sinceMs: number | null;
  /** Of whatever kind, signs of life included; null: none since the start. */
  readonly lastMessageMs: number | null;
  /** Why it is not connected, `kind` in words of the adapter as in `failed`; null: it is, or was never lost. */
  readonly problem: { readonly kind: string; readonly text: string } | null;
}

/** One account at work. Times are wall-clock ms. */
export interface VendorAccount {
  /** The `id` of the `LinkableVendor`. */
  readonly vendorId: string;
  readonly account: string;
  /** Devices that are connected by it now. */
  readonly connected: number;
  /** False: the vendor refuses the login; somebody has to link the account anew. */
  readonly isSignedIn: boolean;
  /** Requests of the last hour that were answered. */
  readonly answered: number;
  /** Those that were not, by what became of them, in words of the adapter such as `rate-limited`. */
  readonly failed: Readonly<Record<string, number>>;
  /** Of `failed`, what is the vendor's doing and not the device's or the owner's. */
  readonly vendorsFault: number;
  /** Null: none since the start. */
  readonly lastAnswerMs: number | null;
  /** When the next request for values may be sent; null: at once. */
  readonly nextPollMs: number | null;
  readonly quotas: readonly VendorQuota[];
  /** Null: the vendor has none that is listened to. */
  readonly stream: VendorStream | null;
}
