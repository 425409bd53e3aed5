/** What connections by the MQTT library have in common. */
import { readFile } from "node:fs/promises";
import type { MqttClient } from "mqtt";
import { DeviceError } from "../../sdk/device-error.ts";
import { PacketLengths } from "../packet-lengths.ts";

/** The PEM file of the authorities. Rejects with a `DeviceError("rejected")` that names it when it cannot be read. */
export async function authorities(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new DeviceError("rejected", `the authorities of the MQTT server cannot be read from ${path}`, { cause });
  }
}

/** The parser gathers a whole packet, whatever its length, before anybody sees it. */
export function limitPackets(client: MqttClient, maxBytes: number, blame: (error: Error) => void): void {
  const lengths = new PacketLengths(maxBytes);
  const { stream } = client;
  stream.on("data", (bytes: Uint8Array) => {
    try {
      lengths.take(bytes);
    } catch (error) {
      // The client keeps most errors of its stream to itself.
      blame(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
