/** What a receiver of webhooks needs. */
import type { GatewayEvent } from "./events.ts";

export interface Delivery {
  /** The secret that the webhook was made with. */
  readonly secret: string;
  /** The bytes of the body as they came, before they are parsed. */
  readonly body: string | Uint8Array;
  /** The header `x-service-signature-256` (`service` is the gateway's `compat.namePrefix`); absent: not genuine. */
  readonly signature: string | null | undefined;
}

/** Returns true if a delivery is from the gateway: signed with the secret (HMAC-SHA256). Takes the same time for each guess. */
export async function verifyWebhook({ secret, body, signature }: Delivery): Promise<boolean> {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  if (hex === undefined || secret === "") return false;
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  const signed = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const bytes = typeof body === "string" ? encoder.encode(body) : new Uint8Array(body);
  return await crypto.subtle.verify("HMAC", key, signed, bytes);
}

/** Returns the events of a delivery, oldest first; `null` if it is not genuine. Throws a `SyntaxError` if it is not JSON. */
export async function readWebhook(delivery: Delivery): Promise<readonly GatewayEvent[] | null> {
  if (!(await verifyWebhook(delivery))) return null;
  const { body } = delivery;
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as GatewayEvent[];
}
