/** Where a device may be asked: ports, the frames that are spoken there, and units. */
import type { ProfileTransport } from "hemgate/sdk";
import type { ProfileSummary } from "../profile/profile-summary.ts";
import type { KnownDevice } from "./match.ts";
import type { ProbeFraming } from "./probe-line.ts";

export const MODBUS_PORT = 502;
/**
 * The usual one, Kostal's and SolarEdge's, that of a Huawei inverter's own access point, and those of boxes that pass the
 * frames of a serial line on: Solarman's loggers and Elfin's boxes, and Waveshare's.
 */
const USUAL_PORTS = [MODBUS_PORT, 1_502, 6_607, 8_899, 4_196] as const;
const SERIAL_PORTS: readonly number[] = [8_899, 4_196];
/** The units that devices in a house answer as; 255 is that of wall boxes (KEBA, Bender, Webasto). */
const POLITE_UNITS: readonly number[] = [1, 2, 3, 71, 100, 126, 247, 255];

type NetKind = Exclude<ProbeFraming, "rtu"> | "rtu-over-tcp";
type Known = readonly Pick<KnownDevice, "profile">[];

/** The TCP ports of any device, or the usual ones of some. */
export function portsFor(known: Known, isOneBrand: boolean): readonly number[] {
  const own = known.flatMap(({ profile }) => tcpPorts(profile));
  if (!isOneBrand) return [...new Set([...USUAL_PORTS, ...own])];
  return own.length === 0 ? [MODBUS_PORT] : [...new Set(own)];
}

/** The port of datagrams that some of them answer at, and as which unit. */
export function datagramDoors(known: Known): readonly { readonly port: number; readonly unit: number }[] {
  const ways = known.flatMap(({ profile }) => profile.transports.flatMap((way) => (way.kind === "udp" ? [way] : [])));
  return ways.filter(({ port }, at) => ways.findIndex((way) => way.port === port) === at);
}

/** What is tried on one connection, in its order. Frames of the other kind are noise to both sides. */
export function framingsAt(port: number): readonly ("tcp" | "rtu")[] {
  return SERIAL_PORTS.includes(port) ? ["rtu", "tcp"] : ["tcp", "rtu"];
}

/** Whether a device may be behind a port that speaks so. */
export function isBehind(profile: Pick<ProfileSummary, "transports">, port: number, framing: "tcp" | "rtu"): boolean {
  const hasSerial = profile.transports.some(({ kind }) => kind === "rtu" || kind === "rtu-over-tcp");
  if (framing === "rtu") return hasSerial;
  return tcpPorts(profile).includes(port) || (hasSerial && SERIAL_PORTS.includes(port));
}

/** Units that the most profiles name come first. Those that are not polite are asked only for a brand that has them. */
export function unitsFor(framing: "tcp" | "rtu", known: Known, isOneBrand: boolean): readonly number[] {
  const named = known.flatMap(({ profile: { transports } }) => {
    const ways = transports.filter(({ kind }) => kind === "tcp");
    // What has a serial line only answers behind a gateway as it does on its line.
    const usual = framing === "tcp" && ways.length > 0 ? ways : transports.filter(({ kind }) => kind !== "udp");
    return [...new Set(usual.map(({ unit }) => unit))];
  });
  const count = (unit: number): number => named.filter((each) => each === unit).length;
  const units = [...new Set([...(isOneBrand ? named : []), ...POLITE_UNITS])];
  return units.toSorted((one, other) => count(other) - count(one));
}

/** The first way by the network of a profile's device; null for one on a serial line only. */
export function netWay(
  profile: Pick<ProfileSummary, "transports">,
): Extract<ProfileTransport, { readonly kind: NetKind }> | null {
  for (const way of profile.transports) if ("port" in way) return way;
  return null;
}

/** Its own, and the usual one of gateways to serial lines. */
function tcpPorts({ transports }: Pick<ProfileSummary, "transports">): readonly number[] {
  const own = transports.flatMap((way) => ("port" in way && way.kind !== "udp" ? [way.port] : []));
  return [...own, MODBUS_PORT];
}
