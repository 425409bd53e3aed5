import { DeviceError } from "hemgate/sdk";
import type { LineAddress } from "./line-address.ts";

/** How a host that is there turns a client away; no code: it closes the connection. */
const TURNED_AWAY = new Set([null, "ECONNREFUSED", "ECONNRESET", "EPIPE"]);

/**
 * Adds to the error of a device that refuses a TCP connection, or ends it at once, that another program may be connected:
 * of a device that serves few clients (`maxClients`) that is the likely cause.
 */
export function crowdedError(error: unknown, { kind }: Pick<LineAddress, "kind">, maxClients: number | null): unknown {
  if (kind !== "tcp" && kind !== "rtu-over-tcp") return error;
  if (!(error instanceof DeviceError) || !isTurnedAway(error)) return error;
  const { message } = error;
  const clients = maxClients === 1 ? "one client" : `${maxClients} clients`;
  const hint = `it serves ${clients} at a time; another program is probably connected to it; it can reach the device through the gateway's Modbus proxy instead`;
  const text = maxClients === null ? message : `${message} (${hint})`;
  return new DeviceError(error.kind, text, { cause: error, mayBeInUse: true });
}

function isTurnedAway({ reason, cause }: DeviceError): boolean {
  return (reason === null || reason === "connection-refused") && TURNED_AWAY.has(codeOf(cause));
}

/** The system's code, which is that of the cause where a stream was lost. */
function codeOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  return "code" in cause ? String(cause.code) : codeOf(cause.cause);
}
