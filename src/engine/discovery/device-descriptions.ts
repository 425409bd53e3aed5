/** What devices that announce themselves by SSDP say of themselves in their description (UPnP Device Architecture 2.0, part 2.3). */
import { refuseAddress } from "../../platform/network/address-policy.ts";
import type { Clock, Http } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import type { Description, SeenService } from "../../sdk/discovery.ts";

const MAX_BYTES = 64 * 1_024;
/** For one description, ms. */
const ANSWER_MS = 3_000;
/** More are no devices of one house; the rest stays undescribed. */
const MAX_DESCRIPTIONS = 64;
const MAX_PARALLEL = 8;
const MAX_TEXT = 255;

/** Asks each device once. Answers what puts a description to its service; rejects only with the signal. */
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

/** Where a device's own description is; null for one elsewhere, which a stranger could have named to us. */
function placeOf({ source, address, txt }: SeenService): string | null {
  const location = txt["location"] ?? "";
  if (source !== "ssdp" || !URL.canParse(location)) return null;
  const { protocol, hostname, href } = new URL(location);
  const isOwn = hostname === address && refuseAddress(address, "house") === null;
  return protocol === "http:" && isOwn ? href : null;
}

/** Null for a device that does not answer with a description. */
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

/** Null for what names neither a maker nor a model. The first device of a document is the one that holds the others. */
export function readDescription(xml: string): Description | null {
  const manufacturer = textOf(xml, "manufacturer");
  const model = textOf(xml, "modelName");
  if (manufacturer === null && model === null) return null;
  return { manufacturer, model, serial: textOf(xml, "serialNumber"), name: textOf(xml, "friendlyName") };
}

/** Four flat elements of a document whose form is fixed need no parser of XML. */
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
