import { CLOUD_VENDORS } from "./cloud-vendors.generated.ts";
import type { CloudConnector } from "./kit/connector.ts";

/** Loads the connector of every vendor, for those that show or check them all. */
export async function allConnectors(): Promise<readonly CloudConnector[]> {
  return await Promise.all(CLOUD_VENDORS.map((vendor) => vendor.load()));
}
