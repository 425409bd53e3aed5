import { DeviceError, type DeviceErrorKind, type LinkRefusal } from "hemgate/sdk";
import { CloudError, type CloudErrorKind } from "./cloud-error.ts";

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

/** A cloud's failure as the engine knows failures; what is none comes back as it is. */
export function asDeviceError(error: unknown): unknown {
  return error instanceof CloudError
    ? new DeviceError(DEVICE_KINDS[error.kind], error.message, { cause: error })
    : error;
}

/** What a person who links is told. */
export function linkRefusal({ kind }: CloudError): LinkRefusal {
  return REFUSALS[kind];
}
