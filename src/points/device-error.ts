/**
 * Why a device did not carry out a request.
 * - `unreachable`: no connection, no response in time, or the connection was lost.
 * - `rejected`: the device refused the request (a Modbus exception, an HTTP 4xx).
 * - `malformed`: the response is not valid.
 * - `unauthorized`: the device, or its vendor's cloud, no longer accepts the credentials; only the user can solve that.
 */
export type DeviceErrorKind = "unreachable" | "rejected" | "malformed" | "unauthorized";

/**
 * Why a device could not be reached.
 * - `connection-refused`: the host refuses connections to the port.
 * - `no-such-host`: there is no host with the address, or no route to it.
 * - `name-not-found`: the host name cannot be resolved.
 * - `outside-house`: the address is not in the local network, so nothing was sent.
 * - `no-serial-port`: the machine has no such serial port, or the gateway may not use it.
 * - `wrong-unit`: no device answers to the unit number on this connection.
 */
export type ReachFault =
  | "connection-refused"
  | "no-such-host"
  | "name-not-found"
  | "outside-house"
  | "no-serial-port"
  | "wrong-unit";

/**
 * Why a device was not read although it can be reached.
 * - `rate-limited`: the vendor's quota allows no further request now; nothing was sent, or the vendor refused it.
 * - `asleep`: the device sleeps, or is not connected to its vendor; a read does not wake it.
 * - `timeout`: there was no response in time.
 * - `unavailable`: the vendor's server failed.
 */
export type ReadFault = "rate-limited" | "asleep" | "timeout" | "unavailable";

/** A failure of a device or of the way to it, never a bug of the gateway. The message says which request failed. */
export class DeviceError extends Error {
  override readonly name = "DeviceError";
  readonly kind: DeviceErrorKind;
  /** The reason in the options, else the one of the cause; `null` if not known. */
  readonly reason: ReachFault | ReadFault | null;
  /**
   * True if the device behaves as one that serves another program now: it refuses or ends a connection, or answers nothing
   * on it. From the options, else from the cause.
   */
  readonly mayBeInUse: boolean;

  constructor(
    kind: DeviceErrorKind,
    message: string,
    options?: ErrorOptions & { readonly reason?: ReachFault | ReadFault | null; readonly mayBeInUse?: boolean },
  ) {
    super(message, options);
    const cause = options?.cause instanceof DeviceError ? options.cause : null;
    this.kind = kind;
    this.reason = options?.reason ?? cause?.reason ?? null;
    this.mayBeInUse = options?.mayBeInUse ?? cause?.mayBeInUse ?? false;
  }
}

/** Another device, with another serial number, answers at the device's address. It is neither read nor commanded. */
export class OtherDeviceError extends DeviceError {
  constructor(expected: string, found: string, place: string) {
    super("unreachable", `another device (serial ${found}) answers at ${place}; expected serial ${expected}`);
  }
}
