import type { Asset, AssetKind, AssetTypes } from "../../domain/assets/asset.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { AssetEntry, Assets } from "../contracts/engine.ts";

interface KindEntries<Kind extends AssetKind> {
  readonly byId: Map<string, AssetEntry<Kind>>;
  /** The ids in the order of `list`; `null` after one came or went. */
  order: readonly string[] | null;
  /** The entries in that order; `null` after a change. */
  sorted: readonly AssetEntry<Kind>[] | null;
}
type EntriesByKind = { readonly [Kind in AssetKind]: KindEntries<Kind> };
type Listener = (kind: AssetKind, id: string, asset: Asset | null) => void;

/** All assets in memory. Only the loops of their devices write to it. */
export class AssetRegistry implements Assets {
  readonly #kinds: EntriesByKind = {
    battery: noEntries(),
    charger: noEntries(),
    hvac: noEntries(),
    inverter: noEntries(),
    meter: noEntries(),
    vehicle: noEntries(),
  };
  readonly #listeners = new Listeners<Parameters<Listener>>();

  get<Kind extends AssetKind>(kind: Kind, id: string): AssetTypes[Kind] | null {
    return this.#kinds[kind].byId.get(id)?.asset ?? null;
  }

  /** Returns the asset with its time of creation; `null` if it is unknown. */
  entry<Kind extends AssetKind>(kind: Kind, id: string): AssetEntry<Kind> | null {
    return this.#kinds[kind].byId.get(id) ?? null;
  }

  list<Kind extends AssetKind>(kind: Kind): readonly AssetEntry<Kind>[] {
    const ofKind: KindEntries<Kind> = this.#kinds[kind];
    if (ofKind.sorted !== null) return ofKind.sorted;
    const { byId } = ofKind;
    ofKind.order ??= [...byId.values()].sort(newestFirst).map(({ asset }) => asset.id);
    ofKind.sorted = ofKind.order.flatMap((id) => byId.get(id) ?? []);
    return ofKind.sorted;
  }

  observe(listener: Listener): Disposable {
    return this.#listeners.subscribe(listener);
  }

  /** Adds or replaces an asset. Setting the same object again is not a change. */
  set<Kind extends AssetKind>(kind: Kind, asset: AssetTypes[Kind], createdAtMs: number): void {
    const ofKind: KindEntries<Kind> = this.#kinds[kind];
    const known = ofKind.byId.get(asset.id);
    if (known?.asset === asset) return;
    if (known?.createdAtMs !== createdAtMs) ofKind.order = null;
    ofKind.byId.set(asset.id, { asset, createdAtMs });
    ofKind.sorted = null;
    this.#listeners.emit(kind, asset.id, asset);
  }

  /** Removes an asset. */
  remove(kind: AssetKind, id: string): void {
    const ofKind = this.#kinds[kind];
    if (!ofKind.byId.delete(id)) return;
    ofKind.order = null;
    ofKind.sorted = null;
    this.#listeners.emit(kind, id, null);
  }
}

function noEntries<Kind extends AssetKind>(): KindEntries<Kind> {
  return { byId: new Map(), order: null, sorted: null };
}

function newestFirst(a: AssetEntry<AssetKind>, b: AssetEntry<AssetKind>): number {
  return b.createdAtMs - a.createdAtMs || compareText(a.asset.id, b.asset.id);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
