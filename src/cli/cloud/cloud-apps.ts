import { cloudAdapter } from "../../../adapters/clouds/cloud-adapter.ts";
import { CLOUD_VENDORS } from "../../../adapters/clouds/cloud-vendors.generated.ts";
import type { Config } from "../../config/config.ts";
import type { Adapter } from "../../sdk/driver.ts";

const NAME = cloudAdapter({ apps: {}, vendors: CLOUD_VENDORS }).name;

/** The adapters with the owner's registrations; which vendors can be linked depends on them. */
export function withCloudApps(adapters: readonly Adapter[], { clouds }: Pick<Config, "clouds">): readonly Adapter[] {
  const apps = Object.fromEntries(
    Object.entries(clouds.apps).map(([vendor, { clientId, clientSecret = null, apiKey = null, domain }]) => {
      return [vendor, { clientId, clientSecret, apiKey, ...(domain !== undefined && { domain }) }];
    }),
  );
  return adapters.map((each) => (each.name === NAME ? cloudAdapter({ apps, vendors: CLOUD_VENDORS }) : each));
}

/** Registrations with vendors that nobody knows, a line each. */
export function unknownApps({ clouds }: Pick<Config, "clouds">): readonly string[] {
  const known = CLOUD_VENDORS.map(({ id }) => id);
  return Object.keys(clouds.apps)
    .filter((vendor) => !known.includes(vendor))
    .map(
      (vendor) =>
        `clouds.apps.${vendor}: there is no such vendor${known.length === 0 ? "" : `; there are ${known.join(", ")}`}`,
    );
}
