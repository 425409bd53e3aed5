/**
 * Why a device did not do what was asked.
 * - `unreachable`: no connection, no answer in time, or the connection was lost.
 * - `rejected`: the device answered that it will not (a Modbus exception, an HTTP 4xx).
 * - `malformed`: the device answered with something that is not an answer.
 * - `unauthorized`: the device, or its maker's cloud, does not accept the credentials any more; only the user can help.
 */
export type DeviceErrorKind = "unreachable" | "rejected" | "malformed" | "unauthorized";

/** A failure of the outside world; never a bug of ours. The message says what was asked of whom. */
export class DeviceError extends Error {
  override readonly name = "DeviceError";
  readonly kind: DeviceErrorKind;

  constructor(kind: DeviceErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
