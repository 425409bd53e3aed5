/**
 * A polite look at one host: one connection, one request at a time, few units, and the end as soon as somebody answers
 * for one of them. Many inverters and chargers serve a single client and are better left alone.
 */
import {
  type AdapterContext,
  DeviceError,
  type DeviceProfile,
  type Fingerprint,
  type MissingDevice,
  type Sighting,
} from "hemgate/sdk";
import { introduceProfile, introduceSunSpec, type Meeting } from "./introduce.ts";
import { type KnownDevice, matchProfiles } from "./match.ts";
import { ProbeLine } from "./probe-line.ts";
import { ProbedUnit } from "./probed-unit.ts";

/** The units that devices in a house answer as. */
const POLITE_UNITS: readonly number[] = [1, 2, 3, 71, 100, 126, 247];
const MODBUS_PORT = 502;
const MARKER = [0x5375, 0x6e53] as const;
const SUNSPEC_BASES = [40_000, 50_000, 0] as const;
/** For all that is asked of one host, ms. */
const HOST_MS = 60_000;
/** A device that answers but is none that is known. */
const STRANGER = 0.1;

type World = Pick<AdapterContext, "clock" | "net">;

/** Looks at a host's ports in their order. Answers the device; null when there is none. */
export async function probeHost(
  world: World,
  host: string,
  { ports, known }: { readonly ports: readonly number[]; readonly known: readonly KnownDevice[] },
  signal: AbortSignal,
): Promise<Sighting | null> {
  return await limited(world, signal, async (inTime) => {
    for (const port of ports) {
      using line = await ProbeLine.open(world, { host, port }, inTime);
      if (line === null) continue;
      const fits = known.filter((device) => portsOf(device).includes(port));
      for (const id of unitsFor(port, fits)) {
        if (line.isClosed) break;
        const unit = new ProbedUnit(line, id);
        if (!(await unit.answers("holding", SUNSPEC_BASES[0], MARKER.length, inTime))) continue;
        return await identify(world, { host, port, unit }, fits, inTime);
      }
    }
    return null;
  });
}

/** Whether a device that was lost is at a host now: asks for its serial number the way it was asked before. */
export async function seekMissing(
  world: World,
  host: string,
  { serial, options }: MissingDevice,
  { profile, fingerprint }: { readonly profile: DeviceProfile | null; readonly fingerprint: Fingerprint | null },
  signal: AbortSignal,
): Promise<Sighting | null> {
  return await limited(world, signal, async (inTime) => {
    const usual = profile === null ? null : netWay({ profile });
    const port = numberIn(options["port"]) ?? usual?.port ?? MODBUS_PORT;
    using line = await ProbeLine.open(world, { host, port }, inTime);
    if (line === null) return null;
    const unit = new ProbedUnit(line, numberIn(options["unit"]) ?? usual?.unit ?? 1);
    const meeting: Meeting = { host, port, unit };
    const seen =
      profile === null
        ? await orNothing(introduceSunSpec(meeting, world, inTime))
        : await introduceKnown(world, { profile, fingerprint }, meeting, inTime);
    return seen?.serial === serial ? seen : null;
  });
}

async function introduceKnown(
  world: World,
  { profile, fingerprint }: { readonly profile: DeviceProfile; readonly fingerprint: Fingerprint | null },
  meeting: Meeting,
  signal: AbortSignal,
): Promise<Sighting | null> {
  const hasSerial = profile.identity?.serial !== undefined;
  const match = fingerprint === null ? null : await matchProfiles(meeting.unit, [{ profile, fingerprint }], signal);
  // What its fingerprint is not known by is still itself when it has the serial number.
  if (match === null && !hasSerial) return null;
  return await orNothing(
    introduceProfile(match ?? { profile, certainty: STRANGER, plate: {} }, meeting, world, signal),
  );
}

async function identify(
  world: World,
  meeting: Meeting,
  known: readonly KnownDevice[],
  signal: AbortSignal,
): Promise<Sighting> {
  const { unit } = meeting;
  const isSunSpec = await speaksSunSpec(unit, signal);
  const plain = isSunSpec ? await orNothing(introduceSunSpec(meeting, world, signal)) : null;
  // A maker's own registers tell and take more than the standard's, so its profile is preferred.
  const maker = plain?.manufacturer?.toUpperCase() ?? null;
  const candidates =
    maker === null ? known : known.filter(({ profile }) => maker.includes(profile.brand.toUpperCase()));
  const match = await matchProfiles(unit, candidates, signal);
  const named = match === null ? null : await orNothing(introduceProfile(match, meeting, world, signal));
  return named ?? plain ?? stranger(meeting);
}

async function speaksSunSpec(unit: ProbedUnit, signal: AbortSignal): Promise<boolean> {
  for (const address of SUNSPEC_BASES) {
    const marker = await unit.value({ table: "holding", address, type: "uint32" }, signal);
    if (marker === MARKER[0] * 0x1_0000 + MARKER[1]) return true;
  }
  return false;
}

function stranger({ host, port, unit }: Meeting): Sighting {
  return {
    key: `${host}:${port}/${unit.id}`,
    options: null,
    place: {},
    manufacturer: null,
    model: null,
    serial: null,
    firmware: null,
    name: null,
    vendorTypes: [],
    vendors: [],
    profile: null,
    address: host,
    confidence: STRANGER,
    proof: `speaks Modbus on port ${port}, unit ${unit.id}`,
    source: "modbus",
  };
}

/** Units that profiles name for this port come first; only polite ones are asked. */
function unitsFor(port: number, known: readonly KnownDevice[]): readonly number[] {
  const named = known.flatMap(({ profile }) =>
    profile.transports.flatMap((way) => ("port" in way && way.port === port && way.kind !== "udp" ? [way.unit] : [])),
  );
  const count = (unit: number): number => named.filter((each) => each === unit).length;
  return POLITE_UNITS.toSorted((one, other) => count(other) - count(one));
}

/** The TCP ports where a device may be: its own, and the usual one of gateways to serial lines. */
export function portsOf({ profile }: Pick<KnownDevice, "profile">): readonly number[] {
  const way = netWay({ profile });
  return way === null || way.port === MODBUS_PORT ? [MODBUS_PORT] : [way.port, MODBUS_PORT];
}

function netWay({ profile }: Pick<KnownDevice, "profile">): { readonly port: number; readonly unit: number } | null {
  for (const way of profile.transports) if ("port" in way && way.kind !== "udp") return way;
  return null;
}

/** Null for a device that does not do what a first look needs. */
async function orNothing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DeviceError) return null;
    throw error;
  }
}

/** What does not end in its time is nothing. Rejects with the signal's reason. */
async function limited<T>(
  { clock }: World,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T | null>,
): Promise<T | null> {
  const own = new AbortController();
  using _ = clock.timer(HOST_MS, () => own.abort(new DeviceError("unreachable", "the host takes too long")));
  try {
    return await work(AbortSignal.any([signal, own.signal]));
  } catch (error) {
    signal.throwIfAborted();
    if (own.signal.aborted) return null;
    throw error;
  }
}

function numberIn(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
