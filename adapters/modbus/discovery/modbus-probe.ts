/**
 * A polite look at one host: one connection at a time, one request at a time, few units, and the end as soon as somebody
 * answers for one of them. Many inverters and chargers serve a single client and are better left alone.
 */
import { type AdapterContext, DeviceError, type Fingerprint, type MissingDevice, type Sighting } from "hemgate/sdk";
import type { ProfileSummary } from "../profile/profile-summary.ts";
import { datagramDoors, framingsAt, isBehind, MODBUS_PORT, netWay, portsFor, unitsFor } from "./doors.ts";
import { introduceProfile, introduceSunSpec, type ProbedAddress } from "./introduce.ts";
import { type KnownDevice, matchProfiles } from "./match.ts";
import { ProbeLine } from "./probe-line.ts";
import { ProbedUnit } from "./probed-unit.ts";

const MARKER = [0x5375, 0x6e53] as const;
const SUNSPEC_BASES = [40_000, 50_000, 0] as const;
/** Growatt's inverters without a grid restart when they are asked for registers from 30000 on. */
const GROWATT_TYPE = { table: "holding", address: 43, type: "uint16" } as const;
const OFF_GRID_TYPES = { first: 3_400, last: 3_403 } as const;
/** For all that is asked of one host, ms. */
const HOST_MS = 60_000;
/** Ports in a row that nothing came back from: the host is not there. */
const MAX_SILENT_PORTS = 2;
/** A device that answers but is not known. */
const STRANGER = 0.1;

type World = Pick<AdapterContext, "clock" | "net" | "udp">;

/** Which devices are looked for. */
export interface ProbeTarget {
  readonly known: readonly KnownDevice[];
  /** Somebody said which brand it is: its own ports and units are asked, and no others but the polite units. */
  readonly isOneBrand: boolean;
}

/** Looks at a host's ports in their order. Answers the device; null when there is none. */
export async function probeHost(
  world: World,
  host: string,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<Sighting | null> {
  return await limited(world, signal, async (inTime) => {
    let silent = 0;
    for (const port of portsFor(target.known, target.isOneBrand)) {
      const line = await ProbeLine.open(world, { host, port }, inTime);
      silent = line === "silent" ? silent + 1 : 0;
      if (silent >= MAX_SILENT_PORTS) break;
      if (typeof line === "string") continue;
      using own = line;
      const seen = await askLine(world, own, { host, port }, target, inTime);
      if (seen !== null) return seen;
    }
    return await askDatagrams(world, host, target, inTime);
  });
}

type Place = Pick<ProbedAddress, "host" | "port">;

/** On one connection: first the frames that are usual there, then the others. */
async function askLine(
  world: World,
  line: ProbeLine,
  place: Place,
  { known, isOneBrand }: ProbeTarget,
  signal: AbortSignal,
): Promise<Sighting | null> {
  for (const framing of framingsAt(place.port)) {
    // Who said so much as that nobody is there speaks these frames and no others.
    if (line.hasAnswered) break;
    line.speak(framing);
    const fits = known.filter(({ profile }) => isBehind(profile, place.port, framing));
    for (const id of unitsFor(framing, fits, isOneBrand)) {
      if (line.isClosed) return null;
      const unit = new ProbedUnit(line, id);
      if (!(await unit.answers("holding", SUNSPEC_BASES[0], MARKER.length, signal))) continue;
      return await identify(world, { ...place, unit, ...framingOption(framing) }, fits, signal);
    }
  }
  return null;
}

/** One datagram a port, to the unit that the maker's modules answer as. */
async function askDatagrams(
  world: World,
  host: string,
  { known }: ProbeTarget,
  signal: AbortSignal,
): Promise<Sighting | null> {
  for (const { port, unit: id } of datagramDoors(known)) {
    using line = await ProbeLine.openDatagrams(world, { host, port });
    const unit = new ProbedUnit(line, id);
    const fits = known.filter(({ profile }) =>
      profile.transports.some((way) => way.kind === "udp" && way.port === port),
    );
    const [first] = fits[0]?.fingerprint.checks ?? [];
    if (first === undefined || (await unit.value(first, signal)) === null) continue;
    return await identify(world, { host, port, unit, framing: "udp" }, fits, signal);
  }
  return null;
}

/** Modbus TCP is the default. */
function framingOption(framing: "tcp" | "rtu"): Pick<ProbedAddress, "framing"> {
  return framing === "tcp" ? {} : { framing };
}

/** Whether a device that was lost is at a host now: asks for its serial number the way it was asked before. */
export async function seekMissing(
  world: World,
  host: string,
  { serial, options }: MissingDevice,
  { profile, fingerprint }: { readonly profile: ProfileSummary | null; readonly fingerprint: Fingerprint | null },
  signal: AbortSignal,
): Promise<Sighting | null> {
  return await limited(world, signal, async (inTime) => {
    const usual = profile === null ? null : netWay(profile);
    const framing = framingOf(options["framing"], usual?.kind);
    const port = numberIn(options["port"]) ?? usual?.port ?? MODBUS_PORT;
    const opened = await (framing === "udp"
      ? ProbeLine.openDatagrams(world, { host, port })
      : ProbeLine.open(world, { host, port }, inTime));
    if (typeof opened === "string") return null;
    using line = opened;
    const id = numberIn(options["unit"]) ?? usual?.unit ?? profile?.transports[0].unit ?? 1;
    for (const each of framing === null ? framingsAt(port) : [framing]) {
      line.speak(each);
      const unit = new ProbedUnit(line, id);
      const probed: ProbedAddress = { host, port, unit, ...(each === "tcp" ? {} : { framing: each }) };
      const seen =
        profile === null
          ? await orNothing(introduceSunSpec(probed, world, inTime))
          : await introduceKnown(world, { profile, fingerprint }, probed, inTime);
      if (seen?.serial === serial) return seen;
      if (line.hasAnswered || line.isClosed) break;
    }
    return null;
  });
}

/** Null: it may be either of the two that a connection can carry. */
function framingOf(option: unknown, usual: string | undefined): "tcp" | "rtu" | "udp" | null {
  if (option === "tcp" || option === "rtu" || option === "udp") return option;
  if (option === "auto") return null;
  if (usual === "rtu-over-tcp") return "rtu";
  return usual === "tcp" || usual === "udp" ? usual : null;
}

async function introduceKnown(
  world: World,
  { profile, fingerprint }: { readonly profile: ProfileSummary; readonly fingerprint: Fingerprint | null },
  probed: ProbedAddress,
  signal: AbortSignal,
): Promise<Sighting | null> {
  const { identity } = await profile.load();
  const match = fingerprint === null ? null : await matchProfiles(probed.unit, [{ profile, fingerprint }], signal);
  // What its fingerprint is not known by is still itself when it has the serial number.
  if (match === null && identity?.serial === undefined) return null;
  return await orNothing(introduceProfile(match ?? { profile, certainty: STRANGER, plate: {} }, probed, world, signal));
}

async function identify(
  world: World,
  probed: ProbedAddress,
  known: readonly KnownDevice[],
  signal: AbortSignal,
): Promise<Sighting> {
  const { unit } = probed;
  if (await isOffGrid(unit, signal)) return stranger(probed);
  const isSunSpec = await speaksSunSpec(unit, signal);
  const plain = isSunSpec ? await orNothing(introduceSunSpec(probed, world, signal)) : null;
  // A maker's own registers tell and take more than the standard's, so its profile is preferred.
  const maker = plain?.manufacturer?.toUpperCase() ?? null;
  const candidates =
    maker === null ? known : known.filter(({ profile }) => maker.includes(profile.brand.toUpperCase()));
  const match = await matchProfiles(unit, candidates, signal);
  const named = match === null ? null : await orNothing(introduceProfile(match, probed, world, signal));
  return named ?? plain ?? stranger(probed);
}

async function isOffGrid(unit: ProbedUnit, signal: AbortSignal): Promise<boolean> {
  const type = Number(await unit.value(GROWATT_TYPE, signal));
  return type >= OFF_GRID_TYPES.first && type <= OFF_GRID_TYPES.last;
}

async function speaksSunSpec(unit: ProbedUnit, signal: AbortSignal): Promise<boolean> {
  for (const address of SUNSPEC_BASES) {
    const marker = await unit.value({ table: "holding", address, type: "uint32" }, signal);
    if (marker === MARKER[0] * 0x1_0000 + MARKER[1]) return true;
  }
  return false;
}

function stranger({ host, port, unit }: ProbedAddress): Sighting {
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
    proof: { key: "proofModbus", values: { port: String(port), unit: String(unit.id) } },
    source: "modbus",
  };
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
