import type { HttpsView } from "../../../domain/https/https-view.ts";

/** Where the authority's certificate is downloaded. */
export const AUTHORITY_PATH = "/local/https/authority.crt";

/** The gateway's https, as other parts see it. */
export interface Https {
  state(): Omit<HttpsView, "isThisEncrypted">;
  /** The certificate of the authority that was made here, DER; `null` if none is in use. */
  authority(): Uint8Array | null;
  /** Where a browser that asked for a host is sent to have its answer encrypted; `null`: it is not sent anywhere. */
  pageFor(host: string): string | null;
}
