/** What devices with an HTTP interface announce by mDNS, and the profile that each would be run by. */
import type { SeenService } from "hemgate/sdk";

/** A device as its announcement tells it. */
export interface Announced {
  readonly profile: string;
  readonly model: string | null;
  readonly serial: string | null;
  readonly name: string | null;
  /** Options that it asks for. */
  readonly needs: readonly string[];
}

type Reader = (service: SeenService) => Announced | null;

const NO_DETAILS = { model: null, serial: null, name: null, needs: [] } as const;

/** By mDNS type. TXT keys as HomeWizard's and Enphase's documents and Shelly's API have them. */
const READERS: Readonly<Record<string, Reader>> = {
  "_hwenergy._tcp": ({ txt }) => ({
    profile: txt["product_type"] === "HWE-BAT" ? "homewizard-v1-battery" : "homewizard-v1",
    model: txt["product_name"] ?? null,
    serial: txt["serial"] ?? null,
    name: null,
    // The owner has to switch the interface on in the app first.
    needs: txt["api_enabled"] === "0" ? ["localApi"] : [],
  }),
  "_homewizard._tcp": ({ txt }) => ({
    profile: txt["product_type"] === "HWE-BAT" ? "homewizard-v2-battery" : "homewizard-v2",
    model: txt["product_name"] ?? null,
    serial: txt["serial"] ?? null,
    name: null,
    needs: ["token"],
  }),
  "_shelly._tcp": ({ name, txt }) => (txt["gen"] === "1" ? null : shelly(name, txt["app"] ?? "")),
  "_http._tcp": ({ name }) => oldShelly(name),
  "_enphase-envoy._tcp": ({ txt }) => ({
    profile: "enphase-envoy",
    model: null,
    serial: txt["serialnum"] ?? null,
    name: null,
    needs: ["token"],
  }),
  "_go-e._tcp": () => ({ ...NO_DETAILS, profile: "go-e-http" }),
  "_openevse._tcp": () => ({ ...NO_DETAILS, profile: "openevse-http" }),
};

export const ANNOUNCED_TYPES: readonly string[] = Object.keys(READERS);

/** Null for what is no device that a profile runs. */
export function readAnnounced(service: SeenService): Announced | null {
  return service.source === "mdns" ? (READERS[service.type]?.(service) ?? null) : null;
}

/** From the second generation on: `app` names the model, such as Pro3EM. */
function shelly(name: string, app: string): Announced {
  const kind = /3EM/i.test(app) ? "3em" : /EM/i.test(app) ? "em" : "switch";
  return { profile: `shelly-gen2-${kind}`, model: app === "" ? null : app, serial: macIn(name), name: null, needs: [] };
}

/** The first generation announces a plain web server by a name such as shellyem3-A4CF12345678. */
function oldShelly(name: string): Announced | null {
  const [, kind] = /^shelly(em3|em|1pm|plug|plug-s|switch25)-[0-9a-f]{6,12}$/i.exec(name) ?? [];
  if (kind === undefined) return null;
  const meter = kind === "em3" ? "shelly-3em" : kind === "em" ? "shelly-em" : "shelly-gen1-relay";
  return { profile: meter, model: kind, serial: macIn(name), name: null, needs: [] };
}

function macIn(name: string): string | null {
  return /-([0-9a-f]{12})$/i.exec(name)?.[1]?.toUpperCase() ?? null;
}
