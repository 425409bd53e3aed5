import type { DeviceProfile } from "hemgate/sdk";

type Line = Extract<DeviceProfile["transports"][number], { parity: unknown }>;
type LineChanges = Partial<Pick<Line, "unit" | "parity" | "stopBits">>;

/** An RS-485 line with eight data bits, no parity and one stop bit where nothing else is said. */
export function rtu(baudRate: number, changes: LineChanges = {}): Line {
  return { kind: "rtu", unit: 1, baudRate, parity: "none", dataBits: 8, stopBits: 1, ...changes };
}

/** Most meters on a line shared with others miss a frame that follows another one too closely. */
export const SERIAL_GAP_MS = 50;
