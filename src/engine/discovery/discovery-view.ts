/** The found devices as the API shows them. */
import { measuredIn } from "../../domain/checks/measured-text.ts";
import type { FoundOnNetwork, MovedDevice } from "../../domain/discovery/discovery.ts";
import { instant } from "../../domain/fields.ts";
import type { FoundDevice } from "../../domain/linking/link-form.ts";
import type { Proof } from "../../sdk/discovery.ts";
import type { MovedDeviceRecord } from "../../store/records.ts";
import type { DeviceStatus } from "../contracts/engine.ts";
import { channelOf, isSamePart } from "./channel-of.ts";
import { placeText } from "./moved-devices.ts";
import type { SightingEntry } from "./sighting-index.ts";

/** Shorter serial numbers are too weak to identify a device across two adapters. */
const MIN_SERIAL_LENGTH = 5;

/** A device of the gateway with its options. */
export interface OwnDevice {
  readonly status: DeviceStatus;
  readonly options: Readonly<Record<string, unknown>> | null;
}

/** Returns a proof in a language; what an adapter has no sentence for is English. */
export function proofText(proof: Proof | null, language: string): string | null {
  return proof === null || typeof proof === "string" ? proof : measuredIn(proof, language);
}

export function foundView(entry: SightingEntry, own: readonly OwnDevice[], language = "en-US"): FoundOnNetwork {
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
    proof: proofText(seen.proof, language),
    source: seen.source,
    needs: [...(seen.needs ?? [])],
    isAddable: seen.options !== null && otherAddresses.length === 0,
    otherAddresses: [...otherAddresses],
    knownAs: knownAs(entry, own),
    lastSeen: instant(seenAtMs),
  };
}

/** Returns the id of the gateway's device that a sighting shows; `null` if the gateway does not have it. */
export function knownAs({ adapter, sighting }: SightingEntry, own: readonly OwnDevice[]): string | null {
  const { serial, options } = sighting;
  for (const { status, options: run } of own) {
    if (channelOf(run) !== channelOf(options)) continue;
    const isAdapter = status.adapter === adapter;
    if (isAdapter && run !== null && options !== null && isSamePlace(options, run)) return status.id;
    const known = status.identity?.serial ?? null;
    if (serial === null || known?.toUpperCase() !== serial.toUpperCase()) continue;
    // Sockets of one station share its serial number; another profile may show the same device at another unit.
    if (isAdapter && run?.["profile"] === sighting.profile && !isSamePart(run, options)) continue;
    if (isAdapter || serial.length >= MIN_SERIAL_LENGTH) return status.id;
  }
  return null;
}

/** Returns the found device for the link page; `null` if it cannot be linked. */
export function linkView({ sighting, otherAddresses }: SightingEntry): FoundDevice | null {
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

/** True if two options mean the same host and, if both name them, the same port, profile and unit. */
function isSamePlace(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const keys = ["host", "serialPort", "bridge", "topic", "channel", "prefix"];
  if (!keys.some((key) => one[key] !== undefined)) return false;
  const isSame = (key: string): boolean => one[key] === other[key];
  const isAlike = (key: string): boolean => isSame(key) || one[key] === undefined || other[key] === undefined;
  return keys.every(isSame) && ["port", "unit", "profile"].every(isAlike);
}
