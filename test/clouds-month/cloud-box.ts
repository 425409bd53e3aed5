/** The gateway's box with the adapter of vendors' clouds, and nothing else. */
import { cloudAdapter } from "../../adapters/clouds/cloud-adapter.ts";
import { withCloudApps } from "../../src/cli/cloud/cloud-apps.ts";
import { configSchema } from "../../src/config/config.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import type { World } from "../../src/testing/world.ts";
import { GatewayBox } from "../long-run/gateway-box.ts";

const APP = { clientId: "client-1", clientSecret: "secret-1", apiKey: "key-1" };
const APPS = { ecobee: APP, enphase: APP, myuplink: APP, sma: APP, tesla: APP };

export function cloudBox(world: World): GatewayBox {
  // The options' type is the adapter's own business.
  const withoutApps = () => [cloudAdapter({ apps: {}, vendors: [] }) as unknown as Adapter];
  const config = configSchema(withoutApps()).parse({
    site: { timezone: "Europe/Berlin" },
    clouds: { apps: APPS },
    devices: [],
  });
  return new GatewayBox(world, { config, adapters: () => withCloudApps(withoutApps(), config) });
}
