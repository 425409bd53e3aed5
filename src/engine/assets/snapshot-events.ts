/** The present state of all assets and energy systems, as events. */
import { ASSET_KINDS } from "../../domain/assets/asset.ts";
import type { NewJournalEntry } from "../../store/store.ts";
import type { Engine } from "../contracts/engine.ts";
import { assetUpdated, userEvent } from "../events.ts";

/** Returns an `updated` event without changed fields for each asset and energy system. */
export function snapshotEvents({ assets, services }: Pick<Engine, "assets" | "services">): readonly NewJournalEntry[] {
  const ofAssets = ASSET_KINDS.flatMap((kind) => assets.list(kind).map(({ asset }) => assetUpdated(kind, asset, [])));
  const ofSystems = services.hemSystems
    .list(undefined)
    .map(({ system }) => userEvent("hem-system:updated", system.userId, { hemSystem: system, updatedFields: [] }));
  return [...ofAssets, ...ofSystems];
}
