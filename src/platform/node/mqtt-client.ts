/** What connections by the MQTT library have in common. */
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
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

/**
 * Small packets leave at once: the library leaves Nagle's algorithm on, by which one waits for the other side's delayed
 * acknowledgement of the packet before, 40 ms on Linux.
 */
export function sendAtOnce({ stream }: Pick<MqttClient, "stream">): void {
  if (stream instanceof Socket) stream.setNoDelay(true);
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
