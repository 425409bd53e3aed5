/** What a datagram of SMA's group tells device discovery. */
import { DatagramError, readDatagram } from "./datagram.ts";

/** The group and port that SMA's meters send to. */
export const SPEEDWIRE = { group: "239.12.255.254", port: 9_522 } as const;

/** Kinds of meters by their SUSy-ID. */
const MODELS: Readonly<Record<number, string>> = {
  270: "Energy Meter",
  349: "Energy Meter 2",
  372: "Sunny Home Manager 2.0",
};

export interface SpeedwireSighting {
  readonly manufacturer: "SMA";
  /** Null for a kind that we have no name for. */
  readonly model: string | null;
  readonly serial: string;
  readonly version: string | null;
}

/** Who sent a datagram that came to the group; null when it was no meter, or the datagram is damaged. */
export function speedwireSighting(bytes: Uint8Array): SpeedwireSighting | null {
  try {
    const datagram = readDatagram(bytes);
    return datagram === null ? null : sightingOf(datagram);
  } catch (error) {
    if (error instanceof DatagramError) return null;
    throw error;
  }
}

export function sightingOf(meter: {
  readonly susyId: number;
  readonly serial: number;
  readonly version: string | null;
}): SpeedwireSighting {
  return {
    manufacturer: "SMA",
    model: MODELS[meter.susyId] ?? null,
    serial: String(meter.serial),
    version: meter.version,
  };
}
