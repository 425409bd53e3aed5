import { scopesFor } from "../../domain/users/scope.ts";
import type { LinkTurn } from "../../sdk/linking.ts";
import type { Fleet } from "../contracts/fleet.ts";
import type { EngineConfig } from "../engine-part.ts";
import type { Offer } from "../vendors/vendor-directory.ts";

const ID = "configuration";
/** What the configuration says needs no sign-in. */
const NO_SIGN_IN: LinkTurn = { kind: "refused", why: "not-answering" };

/**
 * The devices of the configuration that a user unlinked, as one more offer on the page: they come back as they were.
 * Null when there are none. The configuration says what they are granted, so the user sees that and cannot pick.
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

export function isConfigured({ adapter }: Offer): boolean {
  return adapter === ID;
}
