import type { Client } from "../../client/index.ts";

/** Returns the names of the devices by their ids; one without a name is not in it. */
export async function deviceNames(client: Client): Promise<ReadonlyMap<string, string>> {
  const devices = await client.get("/local/devices");
  return new Map(devices.flatMap(({ deviceId, name }) => (name === null ? [] : [[deviceId, name]])));
}
