/** Makes a sighting of a unit that is known: connects to it as it would be run, and reads it once. */
import {
  type Clock,
  DeviceError,
  type DeviceProfile,
  type LinkableType,
  type Proof,
  type Reading,
  type Sighting,
  serialNumber,
} from "hemgate/sdk";
import { SUNSPEC } from "../connect-options.ts";
import type { DeviceMap } from "../driver/device-map.ts";
import { ModbusDriver } from "../driver/modbus-driver.ts";
import { linkKey } from "../modbus-linking.ts";
import { sunSpecVendor } from "../modbus-vendors.ts";
import { connectProfile } from "../profile/profile-map.ts";
import { connectSunSpec } from "../sunspec/connect-sunspec.ts";
import type { Match } from "./match.ts";
import type { ProbedUnit } from "./probed-unit.ts";

const TYPES: readonly LinkableType[] = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"];
/** What shows best that a device is read right. */
const PROOFS = [
  "inverter.power",
  "meter.power",
  "battery.power",
  "charger.power",
  "hvac.power",
  "battery.soc",
] as const;
const HOLD_SECONDS = 300;
/** A device that describes itself by a public standard is what it says. */
const SUNSPEC_CERTAINTY = 0.95;
/** Confidence in a known device that reported no value of its profile. */
const UNPROVEN = 0.5;

/** Where a unit was met. */
export interface ProbedAddress {
  readonly host: string;
  readonly port: number;
  readonly unit: ProbedUnit;
  /** How frames are passed on; Modbus TCP when absent. */
  readonly framing?: "rtu" | "udp";
}

type World = { readonly clock: Pick<Clock, "monotonicMs" | "sleep"> };

/** A unit that one of the profiles fits. */
export async function introduceProfile(
  { profile: summary, certainty, plate }: Match,
  probed: ProbedAddress,
  world: World,
  signal: AbortSignal,
): Promise<Sighting> {
  const profile = await summary.load();
  const map = await connectProfile(profile, probed.unit, { ...world, confirmUnverified: false }, signal);
  const sighting = await introduce(map, profile, probed, world, signal);
  const { manufacturer, model, serial, firmware } = sighting;
  const named = {
    manufacturer: plate.manufacturer ?? manufacturer,
    model: namedModel(plate.model, model),
    serial: serial ?? serialNumber(plate.serial ?? null),
    firmware: firmware ?? plate.version ?? null,
  };
  return keyed(
    { ...sighting, ...named, confidence: sighting.proof === null ? certainty * UNPROVEN : certainty },
    probed,
  );
}

/** A unit that describes itself. */
export async function introduceSunSpec(probed: ProbedAddress, world: World, signal: AbortSignal): Promise<Sighting> {
  const map = await connectSunSpec(probed.unit, { holdSeconds: HOLD_SECONDS, confirmUnverified: false }, signal);
  return keyed(await introduce(map, null, probed, world, signal), probed);
}

async function introduce(
  map: DeviceMap,
  profile: DeviceProfile | null,
  { host, port, unit, framing }: ProbedAddress,
  { clock }: World,
  signal: AbortSignal,
): Promise<Sighting> {
  const driver = new ModbusDriver({ clock, unit, map, pollMs: {}, resources: unit });
  const readings = await readOnce(driver, signal);
  const reported = readings
    .filter(({ point, value }) => value !== null && map.parts?.has(point) !== false)
    .map(({ point }) => point);
  const { manufacturer, model, serial, version } = map.identity;
  const id = profile?.id ?? SUNSPEC;
  const place = { host, port };
  return {
    key: "",
    options: { ...place, unit: unit.id, profile: id, ...(framing === undefined ? {} : { framing }) },
    place,
    manufacturer,
    model,
    serial,
    firmware: version,
    name: null,
    vendorTypes: TYPES.filter((type) => reported.some((point) => point.startsWith(`${type}.`))),
    vendors: map.vendors,
    profile: id,
    address: host,
    confidence: reported.length === 0 ? SUNSPEC_CERTAINTY * UNPROVEN : SUNSPEC_CERTAINTY,
    proof: proofOf(readings),
    source: "modbus",
  };
}

/** A device that takes no read now is there all the same. */
async function readOnce(driver: ModbusDriver, signal: AbortSignal): Promise<readonly Reading[]> {
  try {
    return await driver.read("all", signal);
  } catch (error) {
    if (error instanceof DeviceError) return [];
    throw error;
  }
}

function proofOf(readings: readonly Reading[]): Proof | null {
  for (const proof of PROOFS) {
    const value = readings.find(({ point }) => point === proof)?.value;
    if (typeof value !== "number") continue;
    return {
      key: "proofReads",
      values: { value: { amount: value, unit: proof.endsWith("soc") ? "%" : "W", decimals: 0 } },
    };
  }
  return readings.some(({ value }) => value !== null) ? { key: "proofAnswers", values: {} } : null;
}

/** SMA tells its model by a number that says little without the name of the series. */
function namedModel(reported: string | undefined, usual: string | null): string | null {
  if (reported === undefined) return usual;
  return /^\d+$/.test(reported) && usual !== null ? `${usual} (${reported})` : reported;
}

function keyed(sighting: Sighting, { host, port, unit }: ProbedAddress): Sighting {
  const profile = sighting.profile ?? SUNSPEC;
  const key = linkKey(sighting.serial, { host, port, unit: unit.id, profile });
  const vendorId = profile === SUNSPEC ? sunSpecVendor(sighting.manufacturer) : profile;
  return { ...sighting, key, link: { vendorId, key } };
}
