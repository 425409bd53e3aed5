/**
 * Detects which vehicle charges at which charger and shows it on both. A detected pair is stored, so that later its plugs
 * unambiguous identify it.
 */

import { HOUR_MS } from "../../domain/duration.ts";
import { isPowerAlike, isTogether, mayBePaired, type PlugSide } from "../../domain/pairing/charger-pairing.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { PairingRecord } from "../../store/records/pairing.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { AssetOverlay } from "../assets/asset-overlays.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";
import type { EnginePart, RefreshAssets } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import { withUpdate } from "./plug-track.ts";

/** Interval at which the powers of possible pairs are compared. */
const COMPARE_EVERY_MS = 60_000;
/** Interval of the checks without a possible pair. */
const IDLE_MS = 6 * HOUR_MS;

type Kind = "charger" | "vehicle";
/** The parts of the engine that pairing uses. */
export interface PairingNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly refresh: RefreshAssets;
}

/** A charger and a vehicle with their observed plugs and powers. */
interface Candidate {
  readonly chargerId: string;
  readonly vehicleId: string;
  readonly charger: PlugSide;
  readonly vehicle: PlugSide;
}

/** Detects pairs of chargers and vehicles, and stores them. */
export class PairingService implements EnginePart, Forgetter {
  readonly #context: PairingNeeds;
  readonly #wake: WakeSignal;
  readonly #seen: Readonly<Record<Kind, Map<string, PlugSide>>> = { charger: new Map(), vehicle: new Map() };
  /** The shown counterpart of each asset; `null` if it is known to have none now, absent if unknown. */
  #shown: ReadonlyMap<string, string | null> = new Map();

  constructor(context: PairingNeeds) {
    this.#context = context;
    this.#wake = new WakeSignal(context.clock);
    this.#shown = this.#counterparts();
  }

  readonly overlay: AssetOverlay = {
    charger: (charger) => withCounterpart(charger, "pluggedInVehicleId", this.#shown.get(charger.id)),
    vehicle: (vehicle) => withCounterpart(vehicle, "pluggedInChargerId", this.#shown.get(vehicle.id)),
  };

  /** Subscribes to changes of chargers and vehicles. */
  connect(): void {
    this.#context.assets.observe((kind, id) => {
      if (kind === "charger" || kind === "vehicle") this.#update(kind, id);
    });
  }

  forget(removal: Removal): readonly Write[] {
    if (removal.kind !== "assets") return [];
    return this.#pairs()
      .filter(({ chargerId, vehicleId }) => removal.assetIds.has(chargerId) || removal.assetIds.has(vehicleId))
      .map((record): Write => ({ table: "pairing", key: keyOf(record), remove: true }));
  }

  onForgotten(): void {
    this.#wake.notify();
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    for (const kind of ["charger", "vehicle"] as const) {
      for (const { asset } of this.#context.assets.list(kind)) this.#update(kind, asset.id);
    }
    while (!signal.aborted) {
      const waitMs = (await this.#detect()) ? COMPARE_EVERY_MS : IDLE_MS;
      await this.#wake.wait(waitMs, signal).catch(() => undefined);
    }
  }

  #pairs(): readonly PairingRecord[] {
    return this.#context.store.all("pairing");
  }

  #update(kind: Kind, id: string): void {
    const { assets, clock } = this.#context;
    const asset = assets.get(kind, id);
    const seen = this.#seen[kind];
    const before = seen.get(id) ?? null;
    if (asset === null) seen.delete(id);
    else seen.set(id, withUpdate(before, asset, clock.monotonicMs()));
    const after = seen.get(id) ?? null;
    const isMoved =
      before?.isPluggedIn !== after?.isPluggedIn ||
      before?.locationId !== after?.locationId ||
      before?.userId !== after?.userId;
    if (isMoved) this.#wake.notify();
  }

  /** Detects pairs and updates the known ones. Returns true while the powers of possible pairs have to be compared. */
  async #detect(): Promise<boolean> {
    const { store, clock, log } = this.#context;
    const known = new Set(this.#pairs().map(keyOf));
    const possible = this.#candidates().filter(({ charger, vehicle }) => mayBePaired(charger, vehicle));
    const open = possible.filter((candidate) => !known.has(keyOf(candidate)));
    const nowMs = clock.monotonicMs();
    const matching = possible.filter(
      ({ charger, vehicle }) => open.length > 0 && isPowerAlike(charger, vehicle, nowMs),
    );
    const found = unambiguous(matching).filter((candidate) => !known.has(keyOf(candidate)));
    const updated = this.#withActivity([
      // Powers that change together are stronger evidence than plugs.
      ...this.#pairs().map((record) => (found.some(sharesWith(record)) ? { ...record, isActive: false } : record)),
      ...found.map(({ chargerId, vehicleId }) => ({
        chargerId,
        vehicleId,
        establishedAtMs: clock.nowMs(),
        isActive: true,
      })),
    ]);
    const writes = updated
      .filter((record) => store.get("pairing", keyOf(record))?.isActive !== record.isActive)
      .map((record): Write => ({ table: "pairing", key: keyOf(record), put: record }));
    try {
      if (writes.length > 0) await store.commit(writes, []);
      for (const { chargerId, vehicleId } of found) log.info({ chargerId, vehicleId }, "charger and vehicle paired");
    } catch (err) {
      log.warn({ err }, "cannot store pairs; will retry in a minute");
      return true;
    }
    this.#show();
    return open.length > found.length;
  }

  /** Returns the records with `isActive` set by whether the pair is connected now. */
  #withActivity(records: readonly PairingRecord[]): readonly PairingRecord[] {
    const together = records.filter((record) => {
      const candidate = this.#candidateOf(record);
      return candidate !== null && isTogether(candidate.charger, candidate.vehicle, record.isActive) === true;
    });
    // Connected pairs stay connected. Of the others, a plug can belong to one pair only.
    const kept = together.filter(({ isActive }) => isActive);
    const others = together.filter((record) => !record.isActive && !kept.some(sharesWith(record)));
    const active = new Set([...kept, ...unambiguous(others)].map(keyOf));
    return records.map((record) => {
      const isActive = active.has(keyOf(record));
      return isActive === record.isActive ? record : { ...record, isActive };
    });
  }

  #show(): void {
    const before = this.#shown;
    this.#shown = this.#counterparts();
    for (const kind of ["charger", "vehicle"] as const) {
      for (const id of this.#seen[kind].keys()) {
        if (before.get(id) !== this.#shown.get(id)) this.#context.refresh({ kind, id });
      }
    }
  }

  /** Returns the counterpart to show on each asset; leaves out assets whose counterpart is unknown. */
  #counterparts(): ReadonlyMap<string, string | null> {
    const shown = new Map<string, string | null>();
    const unknown = new Set<string>();
    for (const record of this.#pairs()) {
      const { chargerId, vehicleId, isActive } = record;
      const candidate = this.#candidateOf(record);
      const verdict = isActive || (candidate === null ? null : isTogether(candidate.charger, candidate.vehicle, false));
      for (const [id, other] of [
        [chargerId, vehicleId],
        [vehicleId, chargerId],
      ] as const) {
        if (isActive) shown.set(id, other);
        else if (verdict === false) shown.set(id, shown.get(id) ?? null);
        else unknown.add(id);
      }
    }
    for (const id of unknown) if (shown.get(id) === null) shown.delete(id);
    return shown;
  }

  #candidateOf({ chargerId, vehicleId }: Pair): Candidate | null {
    const charger = this.#seen.charger.get(chargerId);
    const vehicle = this.#seen.vehicle.get(vehicleId);
    return charger === undefined || vehicle === undefined ? null : { chargerId, vehicleId, charger, vehicle };
  }

  #candidates(): readonly Candidate[] {
    return [...this.#seen.charger].flatMap(([chargerId, charger]) =>
      [...this.#seen.vehicle].map(([vehicleId, vehicle]) => ({ chargerId, vehicleId, charger, vehicle })),
    );
  }
}

export function createPairing(context: PairingNeeds): Feature<PairingService> {
  const service = new PairingService(context);
  const { overlay } = service;
  return { name: "pairing", service, connect: () => service.connect(), overlay, forgetter: service, loop: service };
}

type Pair = Pick<PairingRecord, "chargerId" | "vehicleId">;

/** Returns a filter for pairs with the same charger or the same vehicle. */
function sharesWith(one: Pair): (other: Pair) => boolean {
  return (other) => other.chargerId === one.chargerId || other.vehicleId === one.vehicleId;
}

/** Returns the pairs whose charger and vehicle appear in no other pair of the list. */
function unambiguous<Some extends Pair>(pairs: readonly Some[]): readonly Some[] {
  return pairs.filter((one) => pairs.filter(sharesWith(one)).length === 1);
}

function keyOf({ chargerId, vehicleId }: Pair): string {
  return `${chargerId}/${vehicleId}`;
}

/** Returns the asset with its counterpart, without the field if `undefined`; the same object if nothing changes. */
function withCounterpart<
  Field extends "pluggedInChargerId" | "pluggedInVehicleId",
  Kin extends { readonly chargeState: { readonly [Name in Field]?: string | null | undefined } },
>(asset: Kin, field: Field, counterpart: string | null | undefined): Kin {
  if (asset.chargeState[field] === counterpart) return asset;
  const { [field]: _before, ...rest } = asset.chargeState;
  return { ...asset, chargeState: counterpart === undefined ? rest : { ...rest, [field]: counterpart } };
}
