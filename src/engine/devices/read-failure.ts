import { TimeoutError } from "../../platform/within.ts";
import { DeviceError, type ReachFault, type ReadFault } from "../../points/device-error.ts";
import type { ReadFailure } from "../contracts/engine.ts";

const OF_REASON: Readonly<Record<ReachFault | ReadFault, ReadFailure>> = {
  "rate-limited": "rate-limited",
  asleep: "asleep",
  timeout: "timeout",
  unavailable: "unavailable",
  "connection-refused": "unavailable",
  "no-such-host": "unavailable",
  "name-not-found": "unavailable",
  "outside-house": "unavailable",
  "no-serial-port": "unavailable",
  "wrong-unit": "unavailable",
};

/** Why a device could not be read, from what its driver or its loop failed with. */
export function readFailureOf(error: unknown): ReadFailure {
  if (error instanceof TimeoutError) return "timeout";
  if (!(error instanceof DeviceError)) return "unavailable";
  if (error.kind === "unauthorized" || error.kind === "rejected") return error.kind;
  if (error.reason !== null) return OF_REASON[error.reason];
  // No connection, or no answer: nothing says that anything is there.
  return error.kind === "unreachable" ? "timeout" : "unavailable";
}
