import { DeviceError, type DeviceErrorKind, type LinkRefusal, type ReadFault } from "hemgate/sdk";
import { CloudError, type CloudErrorKind } from "../session/cloud-error.ts";

const DEVICE_KINDS: Readonly<Record<CloudErrorKind, DeviceErrorKind>> = {
  "login-refused": "unauthorized",
  expired: "unreachable",
  forbidden: "rejected",
  refused: "rejected",
  "rate-limited": "unreachable",
  "no-budget": "unreachable",
  asleep: "unreachable",
  timeout: "unreachable",
  unavailable: "unreachable",
  malformed: "malformed",
};

const REASONS: Readonly<Record<CloudErrorKind, ReadFault | null>> = {
  "login-refused": null,
  expired: "unavailable",
  forbidden: null,
  refused: null,
  "rate-limited": "rate-limited",
  "no-budget": "rate-limited",
  asleep: "asleep",
  timeout: "timeout",
  unavailable: "unavailable",
  malformed: "unavailable",
};

const REFUSALS: Readonly<Record<CloudErrorKind, LinkRefusal>> = {
  "login-refused": "invalid-credentials",
  expired: "invalid-credentials",
  forbidden: "invalid-credentials",
  refused: "unavailable",
  "rate-limited": "rate-limited",
  "no-budget": "rate-limited",
  asleep: "unavailable",
  timeout: "unavailable",
  unavailable: "unavailable",
  malformed: "unavailable",
};

/** Converts a cloud's failure to the engine's errors; other errors are returned unchanged. */
export function asDeviceError<Failure>(error: Failure): Failure | DeviceError {
  if (!(error instanceof CloudError)) return error;
  return new DeviceError(DEVICE_KINDS[error.kind], error.message, { cause: error, reason: REASONS[error.kind] });
}

/** The error code that a person who links gets. */
export function linkRefusal({ kind }: CloudError): LinkRefusal {
  return REFUSALS[kind];
}
