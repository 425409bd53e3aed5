/**
 * Finds out which vehicle charges at which charger and shows it on both. A pair is kept for good once it was found, so
 * that the next time the plugs alone are enough.
 */

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
import { seenAgain } from "./plug-track.ts";

/** Powers of two that may be a pair are compared this often, ms. */
const COMPARE_EVERY_MS = 60_000;
/** Pause between looks when there is no such pair and no wake-up, ms. */
const IDLE_MS = 6 * 3_600_000;

type Kind = "charger" | "vehicle";
/** What pairing needs of the engine. */
export interface PairingNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly refresh: RefreshAssets;
}

/** A charger and a vehicle, as they are seen. */
interface Two {
  readonly chargerId: string;
  readonly vehicleId: string;
  readonly charger: PlugSide;
  readonly vehicle: PlugSide;
}

export class PairingService implements EnginePart, Forgetter {
  readonly #context: PairingNeeds;
  readonly #wake: WakeSignal;
  readonly #seen: Readonly<Record<Kind, Map<string, PlugSide>>> = { charger: new Map(), vehicle: new Map() };
  /** Assets whose counterpart is shown, with it; null: known to have none now. */
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

  /** Follows the plugs of assets, for as long as this lives. */
  connect(): void {
    this.#context.assets.observe((kind, id) => {
      if (kind === "charger" || kind === "vehicle") this.#look(kind, id);
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
      for (const { asset } of this.#context.assets.list(kind)) this.#look(kind, asset.id);
    }
    while (!signal.aborted) {
      const waitMs = (await this.#round()) ? COMPARE_EVERY_MS : IDLE_MS;
      await this.#wake.wait(waitMs, signal).catch(() => undefined);
    }
  }

  #pairs(): readonly PairingRecord[] {
    return this.#context.store.all("pairing");
  }

  #look(kind: Kind, id: string): void {
    const { assets, clock } = this.#context;
    const asset = assets.get(kind, id);
    const seen = this.#seen[kind];
    const before = seen.get(id) ?? null;
    if (asset === null) seen.delete(id);
    else seen.set(id, seenAgain(before, asset, clock.monotonicMs()));
    const after = seen.get(id) ?? null;
    const isMoved =
      before?.isPluggedIn !== after?.isPluggedIn ||
      before?.locationId !== after?.locationId ||
      before?.userId !== after?.userId;
    if (isMoved) this.#wake.notify();
  }

  /** Answers true while there are two whose powers are to be compared. */
  async #round(): Promise<boolean> {
    const { store, clock, log } = this.#context;
    const known = new Set(this.#pairs().map(keyOf));
    const possible = this.#twos().filter(({ charger, vehicle }) => mayBePaired(charger, vehicle));
    const open = possible.filter((two) => !known.has(keyOf(two)));
    const nowMs = clock.monotonicMs();
    const alike = possible.filter(({ charger, vehicle }) => open.length > 0 && isPowerAlike(charger, vehicle, nowMs));
    const found = alone(alike).filter((two) => !known.has(keyOf(two)));
    const judged = this.#judged([
      // What moves alike belongs together, whatever its plugs made believe before.
      ...this.#pairs().map((record) => (found.some(sharesWith(record)) ? { ...record, isActive: false } : record)),
      ...found.map(({ chargerId, vehicleId }) => ({
        chargerId,
        vehicleId,
        establishedAtMs: clock.nowMs(),
        isActive: true,
      })),
    ]);
    const writes = judged
      .filter((record) => store.get("pairing", keyOf(record))?.isActive !== record.isActive)
      .map((record): Write => ({ table: "pairing", key: keyOf(record), put: record }));
    try {
      if (writes.length > 0) await store.commit(writes, []);
      for (const { chargerId, vehicleId } of found) log.info({ chargerId, vehicleId }, "charger and vehicle paired");
    } catch (err) {
      log.warn({ err }, "pairs not stored yet");
      return true;
    }
    this.#show();
    return open.length > found.length;
  }

  /** The records with whether each pair is connected now. */
  #judged(records: readonly PairingRecord[]): readonly PairingRecord[] {
    const together = records.filter((record) => {
      const two = this.#twoOf(record);
      return two !== null && isTogether(two.charger, two.vehicle, record.isActive) === true;
    });
    // What was connected stays so; of others a plug fits one only.
    const kept = together.filter(({ isActive }) => isActive);
    const others = together.filter((record) => !record.isActive && !kept.some(sharesWith(record)));
    const active = new Set([...kept, ...alone(others)].map(keyOf));
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

  /** What is shown of each asset in a pair; nothing of those about which it cannot be told. */
  #counterparts(): ReadonlyMap<string, string | null> {
    const shown = new Map<string, string | null>();
    const unknown = new Set<string>();
    for (const record of this.#pairs()) {
      const { chargerId, vehicleId, isActive } = record;
      const two = this.#twoOf(record);
      const verdict = isActive || (two === null ? null : isTogether(two.charger, two.vehicle, false));
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

  #twoOf({ chargerId, vehicleId }: Pair): Two | null {
    const charger = this.#seen.charger.get(chargerId);
    const vehicle = this.#seen.vehicle.get(vehicleId);
    return charger === undefined || vehicle === undefined ? null : { chargerId, vehicleId, charger, vehicle };
  }

  #twos(): readonly Two[] {
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

/** Tells what has the charger or the vehicle of a pair. */
function sharesWith(one: Pair): (other: Pair) => boolean {
  return (other) => other.chargerId === one.chargerId || other.vehicleId === one.vehicleId;
}

/** Those whose charger and vehicle are in no other of them: where several fit, none is told. */
function alone<Some extends Pair>(pairs: readonly Some[]): readonly Some[] {
  return pairs.filter((one) => pairs.filter(sharesWith(one)).length === 1);
}

function keyOf({ chargerId, vehicleId }: Pair): string {
  return `${chargerId}/${vehicleId}`;
}

/** The asset with its counterpart; without a word on it when that is undefined. The same object when it shows that already. */
function withCounterpart<
  Field extends "pluggedInChargerId" | "pluggedInVehicleId",
  Kin extends { readonly chargeState: { readonly [Name in Field]?: string | null | undefined } },
>(asset: Kin, field: Field, counterpart: string | null | undefined): Kin {
  if (asset.chargeState[field] === counterpart) return asset;
  const { [field]: _before, ...rest } = asset.chargeState;
  return { ...asset, chargeState: counterpart === undefined ? rest : { ...rest, [field]: counterpart } };
}
