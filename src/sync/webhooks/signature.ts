import { createHmac } from "node:crypto";

/** Returns the signatures of a delivery's bytes for the headers (rule S1.5). */
export function signaturesOf(body: Uint8Array, secret: string): { readonly sha1: string; readonly sha256: string } {
  return { sha1: `sha1=${hmac("sha1", body, secret)}`, sha256: `sha256=${hmac("sha256", body, secret)}` };
}

function hmac(algorithm: "sha1" | "sha256", body: Uint8Array, secret: string): string {
  return createHmac(algorithm, secret).update(body).digest("hex");
}
