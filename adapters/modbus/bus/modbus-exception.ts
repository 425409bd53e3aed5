import { DeviceError, RegisterException } from "hemgate/sdk";

/** Names of the exception codes (Modbus application protocol V1.1b3, part 7). */
const NAMES: Readonly<Record<number, string>> = {
  1: "illegal function",
  2: "illegal data address",
  3: "illegal data value",
  4: "device failure",
  5: "acknowledge",
  6: "device busy",
  7: "negative acknowledge",
  8: "memory parity error",
  10: "gateway path unavailable",
  11: "gateway target did not answer",
};

/** The device answered that it will not. */
export class ModbusException extends RegisterException {
  constructor(code: number, asked: string) {
    const reason = code === 10 || code === 11 ? "wrong-unit" : null;
    super(code, `${asked}: exception ${code}, ${NAMES[code] ?? "unknown code"}`, reason);
  }

  /** The registers themselves are refused: the function, the address, or the count. */
  get isAboutRegisters(): boolean {
    return this.code >= 1 && this.code <= 3;
  }

  /** A gateway speaks for a unit behind it that did not answer. */
  get isFromGateway(): boolean {
    return this.code === 10 || this.code === 11;
  }

  /** It says nothing about the next time. */
  get isPassing(): boolean {
    return this.code === 5 || this.code === 6 || this.isFromGateway;
  }
}

/** Whether a device does not have what it was asked for; false for a silence, a broken answer or one in a bad moment. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof ModbusException) return !error.isPassing;
  return error instanceof DeviceError && error.kind === "rejected";
}
