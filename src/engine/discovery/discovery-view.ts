/** What was found, as the API shows it. */
import type { FoundOnNetwork, MovedDevice } from "../../domain/discovery/discovery.ts";
import { instant } from "../../domain/fields.ts";
import type { FoundDevice } from "../../sdk/linking.ts";
import type { MovedDeviceRecord } from "../../store/records.ts";
import type { DeviceStatus } from "../contracts/engine.ts";
import { channelOf, isSamePart } from "./channel-of.ts";
import { placeText } from "./moved-devices.ts";
import type { BookEntry } from "./sighting-book.ts";

/** A shorter serial number says too little to tell devices of two adapters for the same. */
const LEAST_SERIAL = 5;

/** A device of the gateway, and with which options it is run. */
export interface OwnDevice {
  readonly status: DeviceStatus;
  readonly options: Readonly<Record<string, unknown>> | null;
}

export function foundView(entry: BookEntry, own: readonly OwnDevice[]): FoundOnNetwork {
  const { id, adapter, otherAddresses, seenAtMs } = entry;
  const { profile, manufacturer, model, serial, firmware, name, vendorTypes, address, ...seen } = entry.sighting;
  return {
    id,
    adapter,
    profile,
    manufacturer,
    model,
    serial,
    firmware,
    name,
    kinds: [...vendorTypes],
    address,
    confidence: seen.confidence,
    proof: seen.proof,
    source: seen.source,
    needs: [...(seen.needs ?? [])],
    isAddable: seen.options !== null && otherAddresses.length === 0,
    otherAddresses: [...otherAddresses],
    knownAs: knownAs(entry, own),
    lastSeen: instant(seenAtMs),
  };
}

/** The device of the gateway that a sighting is of; null when it is none. */
export function knownAs({ adapter, sighting }: BookEntry, own: readonly OwnDevice[]): string | null {
  const { serial, options } = sighting;
  for (const { status, options: run } of own) {
    if (channelOf(run) !== channelOf(options)) continue;
    const isAdapter = status.adapter === adapter;
    if (isAdapter && run !== null && options !== null && isSamePlace(options, run)) return status.id;
    const known = status.identity?.serial ?? null;
    if (serial === null || known?.toUpperCase() !== serial.toUpperCase()) continue;
    // Sockets of one station tell its serial number; another profile may show the same device at another unit.
    if (isAdapter && run?.["profile"] === sighting.profile && !isSamePart(run, options)) continue;
    if (isAdapter || serial.length >= LEAST_SERIAL) return status.id;
  }
  return null;
}

/** For the link page; null for a device that cannot be linked as it was found. */
export function linkView({ sighting, otherAddresses }: BookEntry): FoundDevice | null {
  const { options, link, vendorTypes, name, manufacturer, model, serial, address, needs = [] } = sighting;
  if (options === null || link === undefined || otherAddresses.length > 0 || needs.length > 0) return null;
  const plate = [manufacturer, model].filter((part) => part !== null);
  const channel = channelOf(options);
  return {
    key: link.key,
    vendorTypes,
    name,
    model: plate.length === 0 ? null : plate.join(" "),
    detail: channel === 0 ? (serial ?? address) : `${serial ?? address} #${channel}`,
    options,
  };
}

export function movedView({ deviceId, serial, was, place, movedAtMs }: MovedDeviceRecord): MovedDevice {
  return { deviceId, serial, from: placeText(was), to: placeText(place), movedAt: instant(movedAtMs) };
}

/** The same host and, where both say so, the same profile and unit; other options do not tell devices apart. */
function isSamePlace(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const keys = ["host", "serialPort", "bridge", "topic", "channel", "prefix"];
  if (!keys.some((key) => one[key] !== undefined)) return false;
  const isSame = (key: string): boolean => one[key] === other[key];
  const isAlike = (key: string): boolean => isSame(key) || one[key] === undefined || other[key] === undefined;
  return keys.every(isSame) && ["port", "unit", "profile"].every(isAlike);
}
