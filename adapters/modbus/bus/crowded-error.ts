import { DeviceError } from "hemgate/sdk";

/** The machine or its network is not there at all: no other client is to blame. */
const ABSENT = new Set(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTDOWN"]);

/**
 * What to tell when a device refuses a connection or ends it at once: of one that serves few clients the likely cause
 * is that another program is one of them.
 */
export function crowdedError(error: unknown, maxClients: number | null): unknown {
  if (maxClients === null || !(error instanceof DeviceError) || ABSENT.has(codeOf(error.cause))) return error;
  const clients = maxClients === 1 ? "one client" : `${maxClients} clients`;
  const hint = `it serves ${clients} at a time; another program is probably connected to it; it can reach the device through the gateway's Modbus proxy instead`;
  return new DeviceError(error.kind, `${error.message} (${hint})`, { cause: error });
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}
