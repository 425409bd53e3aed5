import type { LinkMethod } from "hemgate/sdk";
import type { Apps, CloudConnector } from "./connector.ts";

/** The part of a connector that is needed before somebody signs in: to check options and to offer the sign-in. */
export interface CloudVendor
  extends Pick<CloudConnector, "id" | "vendors" | "types" | "displayName" | "portalName" | "needsApp" | "publicKeyAt"> {
  readonly method: LinkMethod;
  /** The first form of the sign-in. */
  readonly fields: Extract<CloudConnector["login"], { readonly kind: "form" }>["fields"];
  /** Loads the whole connector. Rejects with a `LoadError`. */
  load(): Promise<CloudConnector>;
}

const METHODS: Readonly<Record<CloudConnector["login"]["kind"], LinkMethod>> = {
  code: "redirect",
  "device-code": "device-code",
  form: "sign-in",
};

/** Returns the summary of a connector that is loaded already. */
export function vendorOf(connector: CloudConnector): CloudVendor {
  const { id, vendors, types, displayName, portalName, login, needsApp, publicKeyAt } = connector;
  return {
    id,
    vendors,
    types,
    displayName,
    portalName,
    method: METHODS[login.kind],
    fields: login.kind === "form" ? login.fields : [],
    needsApp,
    ...(publicKeyAt === undefined ? {} : { publicKeyAt }),
    load: async () => connector,
  };
}

/** Returns the vendor that looks for a registration's public key at a path below `/.well-known/`; `null` if none does. */
export function keyVendor(
  path: string,
  { vendors, apps }: { readonly vendors: readonly CloudVendor[]; readonly apps: Apps },
): CloudVendor | null {
  return vendors.find(({ id, publicKeyAt }) => publicKeyAt === path && apps[id] !== undefined) ?? null;
}
