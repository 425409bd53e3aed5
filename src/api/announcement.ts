/** Tells the network where the API is, by mDNS. */
import type { Config } from "../config/config.ts";
import type { Https } from "../engine/contracts/https/https.ts";
import type { Log, Mdns, Net, Random } from "../platform/ports/ports.ts";
import { gatewayId } from "../store/gateway-id.ts";
import type { Store } from "../store/store.ts";
import { httpsAddresses, isLoopback, lanAddresses, portOf } from "./lan-addresses.ts";
import { NEWEST_VERSION } from "./versions/served-versions.ts";

const TYPE = "_hemgate._tcp";
/** `hemgate.local`, whatever the machine calls itself. */
const HOST = "hemgate";
/** Instance names in mDNS have 63 bytes. */
const MAX_NAME_BYTES = 63;

export interface AnnouncementParts {
  readonly mdns: Mdns;
  readonly net: Pick<Net, "interfaces">;
  readonly store: Pick<Store, "get" | "commit">;
  readonly random: Pick<Random, "uuid">;
  readonly log: Log;
  readonly config: Config;
  readonly https: Pick<Https, "state">;
}

/**
 * Logs where the API is, and announces the API that listens at an address as `_hemgate._tcp`, with the gateway's `id`, the
 * newest `version` of the API, the `path` of its description, and the port of `https` if that is answered. An API that only this machine reaches is not announced. Nobody waits for it,
 * and it does not fail: a gateway works without being found.
 */
export function announceApi(address: string, parts: AnnouncementParts): AsyncDisposable {
  const { isAnnounced, host } = parts.config.http;
  const lan = lanAddresses(address, host, parts.net);
  const https = parts.https.state();
  const encrypted = https.isListening
    ? { https: httpsAddresses(lan, https), authority: https.authority?.fingerprint ?? null }
    : {};
  parts.log.info({ address, lan, ...encrypted }, "API listens");
  const announced = isAnnounced && !isLoopback(host) ? announce(address, parts) : Promise.resolve(null);
  return { [Symbol.asyncDispose]: async () => await (await announced)?.[Symbol.asyncDispose]() };
}

/** Null where it cannot be done. */
async function announce(address: string, parts: AnnouncementParts): Promise<AsyncDisposable | null> {
  const { mdns, log, config } = parts;
  const port = portOf(address);
  try {
    const { port: https } = parts.https.state();
    const secure = https === null ? {} : { https: String(https) };
    const txt = { id: await gatewayId(parts), version: NEWEST_VERSION.date, path: "/openapi.json", ...secure };
    return await mdns.announce({ type: TYPE, name: cut(`hemgate ${config.site.name}`), host: HOST, port, txt });
  } catch (err) {
    log.warn({ err }, "the gateway is not announced by mDNS");
    return null;
  }
}

/** Whole characters only. */
function cut(name: string): string {
  let kept = "";
  for (const character of name) {
    if (Buffer.byteLength(kept + character) > MAX_NAME_BYTES) break;
    kept += character;
  }
  return kept;
}
