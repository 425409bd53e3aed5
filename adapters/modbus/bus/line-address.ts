import type { SerialSettings, TcpAddress } from "hemgate/sdk";

/** Where a bus is and which frames it speaks. */
export type LineAddress = NetLine | SerialLine;

/** Modbus TCP, the frames of a serial line inside TCP, or inside UDP. */
export interface NetLine extends TcpAddress {
  readonly kind: "tcp" | "rtu-over-tcp" | "udp";
}

export interface SerialLine extends SerialSettings {
  readonly kind: "rtu" | "ascii";
}

export function isSerialLine(address: LineAddress): address is SerialLine {
  return address.kind === "rtu" || address.kind === "ascii";
}

/** What people call the line: `host:port`, or the serial port's path. */
export function lineName(address: LineAddress): string {
  return isSerialLine(address) ? address.path : `${address.host}:${address.port}`;
}

/** How it is spoken to there, such as `rtu, 9600 8N1`; two users of one line have to agree about it. */
export function lineManner(address: LineAddress): string {
  if (!isSerialLine(address)) return address.kind;
  const { kind, baudRate, dataBits, parity, stopBits } = address;
  return `${kind}, ${baudRate} ${dataBits}${parity.charAt(0).toUpperCase()}${stopBits}`;
}
