/** The Modbus TCP server for other programs in the API. */
import { z } from "zod";

const Counts = z
  .object({
    cached: z.int().meta({ description: "Reads that were answered with what had just been read." }),
    read: z.int().meta({ description: "Reads that a device answered." }),
    written: z.int().meta({ description: "Writes that a device took." }),
    refused: z.int().meta({
      description:
        "Requests that the gateway refused: unknown units, functions that it does not pass on, writes, too many requests.",
    }),
    failed: z.int().meta({ description: "Requests that a device refused or did not answer." }),
  })
  .meta({ id: "ModbusProxyCounts", description: "Requests since the start, by what became of them." });
export type ProxyCounts = Readonly<z.infer<typeof Counts>>;

const Client = z
  .object({
    address: z.string().meta({
      description: "IP address; for a machine that has not connected yet, as the configuration names it.",
    }),
    name: z.string().nullable().meta({ description: "As the configuration calls it." }),
    connections: z.int().meta({ description: "Connections that are open." }),
    mayWrite: z.array(z.string()).meta({ description: "Ids of the devices whose registers it may write." }),
    counts: Counts,
  })
  .meta({ id: "ModbusProxyClient", description: "A machine whose programs use the proxy." });
export type ProxyClientState = z.infer<typeof Client>;

export const ModbusProxyState = z
  .object({
    listening: z
      .array(
        z.object({
          host: z.string().meta({ description: "Address of the machine; 0.0.0.0 or :: is every one." }),
          port: z.int().meta({ description: "TCP port." }),
        }),
      )
      .meta({ description: "Where it listens; empty: the configuration has no section `modbusProxy`." }),
    maxAgeMs: z.int().meta({ description: "A read is answered with what was read at most so long ago, ms." }),
    devices: z
      .array(
        z.object({
          deviceId: z.string(),
          name: z.string().nullable().meta({
            description: "As its owner calls it; `null` if it has no name, or if there is no such device.",
          }),
          unit: z.int().meta({ description: "Unit id under which programs ask for it here." }),
          isReachable: z.boolean().meta({ description: "`true` while it answers the gateway." }),
        }),
      )
      .meta({ description: "The devices, in the order of the configuration." }),
    clients: z.array(Client),
    counts: Counts,
    refusedConnections: z.int().meta({ description: "Connections of addresses that may not connect." }),
  })
  .meta({ id: "ModbusProxyState", description: "The Modbus TCP server through which other programs reach devices." });
export type ModbusProxyState = z.infer<typeof ModbusProxyState>;

export function noCounts() {
  return { cached: 0, read: 0, written: 0, refused: 0, failed: 0 };
}
