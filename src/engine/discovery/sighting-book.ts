import { hash } from "node:crypto";
import type { Sighting } from "../../sdk/discovery.ts";
import { serialNumber } from "../../sdk/serial-number.ts";
import { isSamePart } from "./channel-of.ts";

/** Devices that are kept; the one that was not seen for longest goes first. */
const MAX_DEVICES = 500;
const ID_LENGTH = 16;
const MAX_TEXT = 255;

/** A device that was seen, and where. */
export interface BookEntry {
  readonly id: string;
  readonly adapter: string;
  /** The surest one of the last search that saw it. */
  readonly sighting: Sighting;
  /** Addresses of others that claimed to be it in the same search. */
  readonly otherAddresses: readonly string[];
  /** Number of the search that saw it last. */
  readonly search: number;
  /** Wall-clock ms. */
  readonly seenAtMs: number;
  /** Whether the sighting is of a search that asked hosts. */
  readonly isActive: boolean;
}

/** What searches saw, one entry a device: by its key, or by its serial number where two keys tell the same one. */
export class SightingBook {
  readonly #entries = new Map<string, BookEntry>();
  #search = 0;

  /** From now on what is seen belongs to a new search. Answers its number. */
  turnPage(): number {
    this.#search += 1;
    return this.#search;
  }

  /** What only announced itself where it was asked before says less than its answer, which stays. */
  add(adapter: string, raw: Sighting, { atMs, isActive }: { readonly atMs: number; readonly isActive: boolean }): void {
    const sighting = tidy(raw);
    const known = this.#same(adapter, sighting);
    const id = known?.id ?? hash("sha256", `${adapter} ${sighting.key}`).slice(0, ID_LENGTH);
    const isSameSearch = known?.search === this.#search;
    const isLess = known?.isActive === true && !isActive && known.sighting.address === sighting.address;
    const mayReplace = !isSameSearch && !isLess;
    const isSurer = mayReplace || known === undefined || sighting.confidence > known.sighting.confidence;
    const chosen = isSurer ? sighting : known.sighting;
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
      isActive: isSurer ? isActive : known.isActive,
    });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_DEVICES && oldest !== undefined) this.#entries.delete(oldest);
  }

  all(): readonly BookEntry[] {
    return [...this.#entries.values()];
  }

  get(id: string): BookEntry | null {
    return this.#entries.get(id) ?? null;
  }

  #same(adapter: string, { key, serial, profile, options }: Sighting): BookEntry | undefined {
    for (const entry of this.#entries.values()) {
      if (entry.adapter !== adapter) continue;
      const known = entry.sighting;
      const isSerial = serial !== null && known.serial === serial && known.profile === profile;
      if (known.key === key || (isSerial && isSamePart(known.options, options))) return entry;
    }
    return undefined;
  }
}

/** What strangers in the network say is cut to what fits a page. */
function tidy(sighting: Sighting): Sighting {
  const { confidence, manufacturer, model, serial, firmware, name, proof } = sighting;
  return {
    ...sighting,
    confidence: Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0,
    manufacturer: textIn(manufacturer),
    model: textIn(model),
    serial: serialNumber(textIn(serial)),
    firmware: textIn(firmware),
    name: textIn(name),
    proof: textIn(proof),
  };
}

function textIn(value: string | null): string | null {
  const text = (value ?? "")
    .replaceAll(/\p{C}+/gu, " ")
    .trim()
    .slice(0, MAX_TEXT);
  return text === "" ? null : text;
}
