import { DeviceError } from "hemgate/sdk";
import type { Exchange } from "./exchange.ts";
import type { ModbusException } from "./modbus-exception.ts";

/** The events of a link, for its owner. */
export interface LinkEvents {
  /** An answer came, `latencyMs` after its request was sent or after the answer before it. */
  answered(nowMs: number, latencyMs: number, exception: ModbusException | null): void;
  /** The open exchange came to nothing and has been rejected; the link goes on. */
  failed(nowMs: number, error: DeviceError): void;
  /** The link can take more; once per segment that held answers. */
  drained(): void;
  /** Once; what is open may still be taken back, and is rejected else. `isPeer`: the peer or the network ended it, with nothing wrong said. */
  closed(error: DeviceError, isPeer: boolean): void;
}

/** An open line to the units of one bus. An answer is given to the request that it belongs to, or to none. */
export interface BusLink extends Disposable {
  /** Most exchanges that may be open. */
  readonly maxOpen: number;
  /** Exchanges sent and not answered. */
  readonly openCount: number;
  readonly isClosed: boolean;
  /** Monotonic instant of the last traffic. */
  readonly lastTrafficMs: number;
  /** Sends exchanges. Each must be answered within `timeoutMs` for itself and each one before it. */
  send(exchanges: readonly Exchange[], timing: SendTiming): void;
  /** Ends the waiting of requests whose caller gave up; their answers are still awaited and then dropped. */
  abandon(signal: AbortSignal): void;
  /** Takes back what is open, unsettled: to be sent again over another link. */
  takeOpen(): readonly Exchange[];
}

export interface SendTiming {
  readonly timeoutMs: number;
  /** After this long without an answer the request is sent once more, ms; null: never. */
  readonly resendAfterMs: number | null;
}

/** A unit that did not answer a request that reached the line. */
export class NoAnswer extends DeviceError {
  constructor(message: string, mayBeInUse = false) {
    super("unreachable", message, { mayBeInUse });
  }
}
