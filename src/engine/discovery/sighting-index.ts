import { hash } from "node:crypto";
import { MEASURED_TEXTS } from "../../domain/checks/measured-text.ts";
import type { Proof, Sighting } from "../../sdk/discovery.ts";
import { serialNumber } from "../../sdk/serial-number.ts";
import { isSamePart } from "./channel-of.ts";

/** Beyond it, the device that was seen longest ago is dropped. */
const MAX_DEVICES = 500;
const ID_LENGTH = 16;
const MAX_TEXT = 255;

/** A found device. */
export interface SightingEntry {
  readonly id: string;
  readonly adapter: string;
  /** The sighting with the highest confidence in the last search that saw the device. */
  readonly sighting: Sighting;
  /** Further addresses in the same search that identify themselves as this device. */
  readonly otherAddresses: readonly string[];
  /** The number of the last search that saw it. */
  readonly search: number;
  /** Wall-clock ms. */
  readonly seenAtMs: number;
  /** True if the sighting is from a search that asked hosts. */
  readonly isActive: boolean;
}

/** The found devices, one entry each, by key; two keys with the same serial number are one device. */
export class SightingIndex {
  readonly #entries = new Map<string, SightingEntry>();
  #search = 0;

  /** Begins a new search, to which all following sightings belong, and returns its number. */
  beginSearch(): number {
    this.#search += 1;
    return this.#search;
  }

  /** Adds a sighting. A mere announcement does not replace the answer of an active search at the same address. */
  add(adapter: string, raw: Sighting, { atMs, isActive }: { readonly atMs: number; readonly isActive: boolean }): void {
    const sighting = sanitized(raw);
    const known = this.#same(adapter, sighting);
    const id = known?.id ?? hash("sha256", `${adapter} ${sighting.key}`).slice(0, ID_LENGTH);
    const isSameSearch = known?.search === this.#search;
    const isAnnouncementOnly = known?.isActive === true && !isActive && known.sighting.address === sighting.address;
    const mayReplace = !isSameSearch && !isAnnouncementOnly;
    const replaces = mayReplace || known === undefined || sighting.confidence > known.sighting.confidence;
    const chosen = replaces ? sighting : known.sighting;
    const addresses = isSameSearch ? [...known.otherAddresses, known.sighting.address, sighting.address] : [];
    const others = addresses.filter((address) => address !== null && address !== chosen.address);
    this.#entries.delete(id);
    this.#entries.set(id, {
      id,
      adapter,
      sighting: chosen,
      otherAddresses: [...new Set(others.flatMap((address) => address ?? []))],
      search: this.#search,
      seenAtMs: atMs,
      isActive: replaces ? isActive : known.isActive,
    });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_DEVICES && oldest !== undefined) this.#entries.delete(oldest);
  }

  all(): readonly SightingEntry[] {
    return [...this.#entries.values()];
  }

  get(id: string): SightingEntry | null {
    return this.#entries.get(id) ?? null;
  }

  #same(adapter: string, sighting: Sighting): SightingEntry | undefined {
    const { key, serial, profile, options } = sighting;
    for (const entry of this.#entries.values()) {
      if (entry.adapter !== adapter) continue;
      const known = entry.sighting;
      const isSerial = serial !== null && known.serial === serial && known.profile === profile;
      if (known.key === key || (isSerial && isSamePart(known.options, options))) return entry;
      if (isAnnouncementOf(known, sighting)) return entry;
    }
    return undefined;
  }
}

/** True if a device announced itself without a serial number at the address where it now answers. */
function isAnnouncementOf({ source, serial, profile, address, options }: Sighting, answer: Sighting): boolean {
  return (
    source === "mdns" &&
    serial === null &&
    address !== null &&
    answer.address === address &&
    answer.profile === profile &&
    isSamePart(options, answer.options)
  );
}

/** Limits texts and numbers from the network to valid lengths and ranges. */
function sanitized(sighting: Sighting): Sighting {
  const { confidence, manufacturer, model, serial, firmware, name, proof } = sighting;
  return {
    ...sighting,
    confidence: Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0,
    manufacturer: textIn(manufacturer),
    model: textIn(model),
    serial: serialNumber(textIn(serial)),
    firmware: textIn(firmware),
    name: textIn(name),
    proof: proofIn(proof),
  };
}

/** Names in a sentence come from the network, too. A third party's adapter may name a sentence that there is not. */
function proofIn(proof: Proof | null): Proof | null {
  if (proof === null || typeof proof === "string") return textIn(proof);
  const { key, values } = proof;
  if (!Object.hasOwn(MEASURED_TEXTS["en-US"] ?? {}, key)) return null;
  const limited = Object.entries(values).map(([name, value]) => {
    return [name, typeof value === "string" ? (textIn(value) ?? "") : value] as const;
  });
  return { key, values: Object.fromEntries(limited) };
}

function textIn(value: string | null): string | null {
  const text = (value ?? "")
    .replaceAll(/\p{C}+/gu, " ")
    .trim()
    .slice(0, MAX_TEXT);
  return text === "" ? null : text;
}
