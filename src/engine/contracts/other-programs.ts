/** What the gateway does for other programs in the house: readings for an InfluxDB, and devices over Modbus TCP. */
import type { ModbusProxyState } from "../../domain/modbus-proxy/proxy-state.ts";

/** How the sending of readings to an InfluxDB goes; counts are since the start. */
export interface InfluxFigures {
  readonly host: string;
  /** Lines that the server took. */
  readonly sent: number;
  /** Lines that were dropped because too much waited. */
  readonly dropped: number;
  /** Lines that the server refused for good. */
  readonly rejected: number;
  /** Lines that wait, and their size. */
  readonly waiting: number;
  readonly waitingBytes: number;
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Why the last attempt failed, as text; `null` if it did not. */
  readonly lastError: string | null;
}

export interface InfluxLink {
  figures(): InfluxFigures;
}

/** The Modbus TCP server through which other programs reach devices. */
export interface ModbusProxy {
  state(): ModbusProxyState;
}
