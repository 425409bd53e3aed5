/** The registers of a device as other programs reach them through the gateway. */
import { DeviceError, type ReachFault } from "../points/device-error.ts";
import type { RegisterTable } from "./profile.ts";

/** Registers, or coils, that one request asks for. */
export interface RegisterRange {
  readonly table: RegisterTable;
  /** On the wire, from 0. */
  readonly address: number;
  readonly count: number;
}

/**
 * A write of a coil (5) or of 1 to 1,968 coils (15), each 0 or 1; of one register (6) or of 1 to 123 registers (16); of single
 * bits of a register (22, whose values are the mask of the bits that stay and the bits that are set); or of 1 to 121 registers
 * before others are read (23).
 */
export interface RegisterWrite {
  readonly code: 5 | 6 | 15 | 16 | 22 | 23;
  /** On the wire, from 0. */
  readonly address: number;
  /** Each from 0 to 65,535. */
  readonly values: readonly number[];
  /** The 1 to 125 holding registers that function 23 reads. */
  readonly reads?: Pick<RegisterRange, "address" | "count">;
}

/** A Modbus exception: a device refused a request, or the gateway refuses it in the device's place. */
export class RegisterException extends DeviceError {
  /** Code of the Modbus application protocol V1.1b3, part 7. */
  readonly code: number;

  constructor(code: number, message: string, reason: ReachFault | null = null) {
    super("rejected", message, { reason });
    this.code = code;
  }
}

/**
 * The registers of one connected device, for requests that are not the gateway's own. They share the device's connection
 * and its pauses: they take turns with the gateway's polls and wait for its commands.
 */
export interface DeviceRegisters {
  /** Returns registers (coils: one a word) that were read together at most `maxAgeMs` ago; `null` if they were not. */
  recent(range: RegisterRange, maxAgeMs: number): Uint16Array | null;
  /** Reads 1 to 125 registers, or 1 to 2,000 coils, one a word. Rejects with a `DeviceError`, or the signal's reason. */
  read(range: RegisterRange, signal: AbortSignal): Promise<Uint16Array>;
  /**
   * Writes. `refusal` is asked right before the request is sent: what it returns is the rejection, and nothing is sent;
   * `null` lets the write pass. Rejects with a `DeviceError`, or the signal's reason; unless it was refused or the device
   * answered with an exception, the device may have the values all the same. Returns the registers that function 23 read.
   */
  write(write: RegisterWrite, refusal: () => RegisterException | null, signal: AbortSignal): Promise<Uint16Array>;
}
