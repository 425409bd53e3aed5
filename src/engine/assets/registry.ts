import type { Asset, AssetKind, AssetTypes } from "../../domain/assets/asset.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { AssetEntry, Assets } from "../contracts/engine.ts";

interface Shelf<Kind extends AssetKind> {
  readonly entries: Map<string, AssetEntry<Kind>>;
  /** The entries in order, until something in them changes. */
  sorted: readonly AssetEntry<Kind>[] | null;
}
type Shelves = { readonly [Kind in AssetKind]: Shelf<Kind> };
type Listener = (kind: AssetKind, id: string, asset: Asset | null) => void;

/** All assets in memory. Everything that reads them reads here; only their device's loop writes. */
export class AssetRegistry implements Assets {
  readonly #shelves: Shelves = {
    battery: newShelf(),
    charger: newShelf(),
    hvac: newShelf(),
    inverter: newShelf(),
    meter: newShelf(),
    vehicle: newShelf(),
  };
  readonly #listeners = new Listeners<Parameters<Listener>>();

  get<Kind extends AssetKind>(kind: Kind, id: string): AssetTypes[Kind] | null {
    return this.#shelves[kind].entries.get(id)?.asset ?? null;
  }

  /** The asset with when it was first known; null when there is none. */
  entry<Kind extends AssetKind>(kind: Kind, id: string): AssetEntry<Kind> | null {
    return this.#shelves[kind].entries.get(id) ?? null;
  }

  list<Kind extends AssetKind>(kind: Kind): readonly AssetEntry<Kind>[] {
    const shelf: Shelf<Kind> = this.#shelves[kind];
    shelf.sorted ??= [...shelf.entries.values()].sort(
      (a, b) => b.createdAtMs - a.createdAtMs || compareText(a.asset.id, b.asset.id),
    );
    return shelf.sorted;
  }

  observe(listener: Listener): Disposable {
    return this.#listeners.subscribe(listener);
  }

  /** Shows an asset from now on, or its new state. The same object again is no change. */
  set<Kind extends AssetKind>(kind: Kind, asset: AssetTypes[Kind], createdAtMs: number): void {
    const shelf: Shelf<Kind> = this.#shelves[kind];
    if (shelf.entries.get(asset.id)?.asset === asset) return;
    shelf.entries.set(asset.id, { asset, createdAtMs });
    shelf.sorted = null;
    this.#listeners.emit(kind, asset.id, asset);
  }

  /** The asset is gone. */
  remove(kind: AssetKind, id: string): void {
    const shelf = this.#shelves[kind];
    if (!shelf.entries.delete(id)) return;
    shelf.sorted = null;
    this.#listeners.emit(kind, id, null);
  }
}

function newShelf<Kind extends AssetKind>(): Shelf<Kind> {
  return { entries: new Map(), sorted: null };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
