/** Device descriptions of devices that announce themselves by SSDP (UPnP Device Architecture 2.0, part 2.3). */
import { refuseAddress } from "../../platform/network/address-policy.ts";
import type { Clock, Http } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import type { Description, SeenService } from "../../sdk/discovery.ts";

const MAX_BYTES = 64 * 1_024;
/** Time limit of one request. */
const ANSWER_MS = 3_000;
/** No house has more such devices; further descriptions are not requested. */
const MAX_DESCRIPTIONS = 64;
const MAX_PARALLEL = 8;
const MAX_TEXT = 255;

/**
 * Requests the description of each device once. Returns a function that adds the description to a service. Rejects only
 * if the signal is aborted.
 */
export async function describeDevices(
  world: { readonly http: Http; readonly clock: Clock },
  services: readonly SeenService[],
  signal: AbortSignal,
): Promise<(service: SeenService) => SeenService> {
  const places = [...new Set(services.flatMap((service) => placeOf(service) ?? []))].slice(0, MAX_DESCRIPTIONS);
  const known = new Map<string, Description>();
  const rest = [...places];
  const worker = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      const description = await ask(world, next, signal);
      if (description !== null) known.set(next, description);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, places.length) }, worker));
  return (service) => {
    const description = known.get(placeOf(service) ?? "");
    return description === undefined ? service : { ...service, description };
  };
}

/** Returns the URL of the description; `null` if it is not on the announcing host, since anyone can announce any URL. */
function placeOf({ source, address, txt }: SeenService): string | null {
  const location = txt["location"] ?? "";
  if (source !== "ssdp" || !URL.canParse(location)) return null;
  const { protocol, hostname, href } = new URL(location);
  const isOwn = hostname === address && refuseAddress(address, "house") === null;
  return protocol === "http:" && isOwn ? href : null;
}

/** Returns the description; `null` if the device does not answer with one. */
async function ask(
  { http, clock }: { readonly http: Http; readonly clock: Clock },
  place: string,
  signal: AbortSignal,
): Promise<Description | null> {
  using client = http.open({ refuse: (address) => refuseAddress(address, "house") });
  const request = { method: "GET", url: new URL(place), headers: {}, body: null, maxBodyBytes: MAX_BYTES } as const;
  try {
    const answer = await within(clock, ANSWER_MS, signal, (inner) => client.request(request, inner));
    return answer.status === 200 ? readDescription(Buffer.from(answer.body).toString("utf8")) : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/**
 * Returns the description of a document's first device, which contains all others; `null` without manufacturer and model.
 */
export function readDescription(xml: string): Description | null {
  const manufacturer = textOf(xml, "manufacturer");
  const model = textOf(xml, "modelName");
  if (manufacturer === null && model === null) return null;
  return { manufacturer, model, serial: textOf(xml, "serialNumber"), name: textOf(xml, "friendlyName") };
}

/** Returns the text of an element, `null` if it is absent. The four elements are flat, so no XML parser is needed. */
function textOf(xml: string, element: string): string | null {
  const [, text = ""] = new RegExp(`<${element}>([^<]{0,${MAX_TEXT}})</${element}>`).exec(xml) ?? [];
  const plain = text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&")
    .trim();
  return plain === "" ? null : plain;
}
