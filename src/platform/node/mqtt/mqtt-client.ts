/** What connections by the MQTT library have in common. */
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import type { MqttClient } from "mqtt";
import { DeviceError } from "../../../points/device-error.ts";
import { codeOf, connectionFault, errorText } from "../../error-text.ts";
import { PacketLengthError, PacketLengths } from "../../mqtt/packet-lengths.ts";
import { Mqtt5Error } from "../../ports/mqtt5-port.ts";

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

const PASSWORD = "the user name or the password is wrong";
const NOT_ALLOWED = "this user is not allowed to do that";

/** Reason codes of MQTT 5, and the return codes of 3.1.1, in words. */
const REASONS: Readonly<Record<number, string>> = {
  1: "it does not speak this version of MQTT",
  2: "it does not take this client id",
  3: "it is not available at the moment",
  4: PASSWORD,
  5: NOT_ALLOWED,
  129: "a packet was malformed",
  130: "a packet was against the protocol",
  132: "it does not speak this version of MQTT",
  133: "it does not take this client id",
  134: PASSWORD,
  135: NOT_ALLOWED,
  136: "it is not available at the moment",
  137: "it is busy",
  138: "this client is banned there",
  139: "it is shutting down",
  140: "the way to sign in is not known there",
  141: "it heard nothing from the gateway for too long",
  142: "another client took over with the same client id",
  143: "it does not allow this topic filter",
  144: "it does not allow this topic",
  147: "too many messages were under way",
  149: "a packet was too large for it",
  150: "messages came too fast for it",
  151: "a quota is used up",
  152: "its administrator ended it",
  154: "it keeps no retained messages",
  155: "it does not take this quality of service",
  156: "another server is to be used for now",
  157: "it has moved to another server",
  159: "connections came too fast for it",
  162: "it takes no wildcards",
};

/** A reason code in words, with its number; what has no words here is the number alone. */
export function mqttReason(code: number): string {
  const hex = `0x${code.toString(16).toUpperCase().padStart(2, "0")}`;
  const words = REASONS[code];
  return words === undefined ? hex : `${words} (${hex})`;
}

/** What the library calls what it noticed by itself. */
const NOTICES: Readonly<Record<string, string>> = {
  "connack timeout": "the server did not answer the sign-in in time; check that the port is one of MQTT",
  "Keepalive timeout": "the server does not answer any more",
  "Connection closed": "the connection is closed",
  "client disconnecting": "the connection is being closed",
  "client disconnected": "the connection is closed",
};

/** Why a connection or a request of the MQTT library failed, in words for people; the library's own are not shown. */
export function mqttFault(error: unknown): string {
  if (!(error instanceof Error)) return errorText(error);
  if (error instanceof DeviceError || error instanceof PacketLengthError || error instanceof Mqtt5Error)
    return error.message;
  const code: unknown = "code" in error ? error.code : null;
  if (typeof code === "number") return `the server refused: ${mqttReason(code)}`;
  if (codeOf(error) !== null || error.message === "") return connectionFault(error);
  return NOTICES[error.message] ?? "what the server sent is not MQTT; check its address and port";
}
