import { scopesFor } from "../../domain/users/scope.ts";
import type { LinkOutcome } from "../../sdk/linking.ts";
import type { Fleet } from "../contracts/fleet.ts";
import type { EngineConfig } from "../engine-part.ts";
import type { Offer } from "../vendors/vendor-directory.ts";

const ID = "configuration";
/** Devices of the configuration have no sign-in, so the page never takes a step of one. */
const NO_SIGN_IN: LinkOutcome = { kind: "refused", why: "not-answering" };

/**
 * Returns an offer with the configured devices that the user unlinked, so that the user can link them again; `null` if
 * there are none. The configuration sets their scopes: the page shows them without a choice.
 */
export function configuredOffer(
  userId: string,
  { fleet, config }: { readonly fleet: Pick<Fleet, "unlinked">; readonly config: EngineConfig },
): Offer | null {
  const own = fleet.unlinked().filter((device) => device.userId === userId);
  if (own.length === 0) return null;
  const fixedScopes = own.flatMap(({ deviceId, kinds }) => {
    const scopes = config.devices.find(({ id }) => id === deviceId)?.scopes;
    return kinds.flatMap((kind) => scopesFor(kind, scopes));
  });
  const devices = own.map(({ deviceId, name, kinds }) => {
    return { key: deviceId, vendorTypes: kinds, name: name ?? deviceId, model: null, detail: null, options: {} };
  });
  return {
    id: ID,
    adapter: ID,
    entry: {
      id: ID,
      vendors: [],
      vendorTypes: [...new Set(own.flatMap(({ kinds }) => kinds))],
      displayName: config.site.name,
      portalName: config.site.name,
      method: "local",
      fields: [],
    },
    fixedScopes: [...new Set(fixedScopes)],
    linking: { take: async () => NO_SIGN_IN, discover: async () => devices },
  };
}

/** True if the offer links devices of the configuration. */
export function isConfigured({ adapter }: Offer): boolean {
  return adapter === ID;
}
