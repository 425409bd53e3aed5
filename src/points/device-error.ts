/**
 * Why a device did not do what was asked.
 * - `unreachable`: no connection, no answer in time, or the connection was lost.
 * - `rejected`: the device answered that it will not (a Modbus exception, an HTTP 4xx).
 * - `malformed`: the device answered with something that is not an answer.
 * - `unauthorized`: the device, or its maker's cloud, does not accept the credentials any more; only the user can help.
 */
export type DeviceErrorKind = "unreachable" | "rejected" | "malformed" | "unauthorized";

/**
 * What is wrong on the way to a device.
 * - `connection-refused`: a host is there, and takes no connection at the port.
 * - `no-such-host`: nothing is at the address, or no way leads there.
 * - `name-not-found`: the name has no address.
 * - `outside-house`: the address is not in the house, so nothing was sent.
 * - `no-serial-port`: the machine has no such serial port, or may not use it.
 * - `wrong-unit`: what was reached has nothing behind the unit's number.
 */
export type ReachFault =
  | "connection-refused"
  | "no-such-host"
  | "name-not-found"
  | "outside-house"
  | "no-serial-port"
  | "wrong-unit";

/**
 * Why a device that can be found was not read.
 * - `rate-limited`: its vendor, or the budget of requests to it, allows no further request now; nothing was sent, or it
 *   was refused.
 * - `asleep`: the device sleeps, or is not connected to its vendor; a read does not wake it.
 * - `timeout`: no answer came in time.
 * - `unavailable`: the vendor's server failed.
 */
export type ReadFault = "rate-limited" | "asleep" | "timeout" | "unavailable";

/** A failure of the outside world; never a bug of ours. The message says what was asked of whom. */
export class DeviceError extends Error {
  override readonly name = "DeviceError";
  readonly kind: DeviceErrorKind;
  /** Null where it is not known; as the cause has it, unless it is given. */
  readonly reason: ReachFault | ReadFault | null;

  constructor(
    kind: DeviceErrorKind,
    message: string,
    options?: ErrorOptions & { readonly reason?: ReachFault | ReadFault | null },
  ) {
    super(message, options);
    this.kind = kind;
    this.reason = options?.reason ?? (options?.cause instanceof DeviceError ? options.cause.reason : null);
  }
}

/** What answers at the device's address tells another serial number: it is neither read nor commanded as the device. */
export class OtherDeviceError extends DeviceError {
  constructor(expected: string, found: string, place: string) {
    super("unreachable", `another device (serial ${found}) answers at ${place}; expected serial ${expected}`);
  }
}
