/** How everything is now, as the events that would tell of a change. */
import { ASSET_KINDS } from "../../domain/assets/asset.ts";
import type { NewJournalEntry } from "../../store/store.ts";
import type { Engine } from "../contracts/engine.ts";
import { assetUpdated } from "../events.ts";

/** All assets and energy systems, for somebody who was told nothing yet. */
export function snapshotEvents({ assets, services }: Pick<Engine, "assets" | "services">): readonly NewJournalEntry[] {
  const ofAssets = ASSET_KINDS.flatMap((kind) => assets.list(kind).map(({ asset }) => assetUpdated(kind, asset, [])));
  const ofSystems = services.hemSystems.list(undefined).map(({ system }): NewJournalEntry => {
    const payload = { user: { id: system.userId }, hemSystem: system, updatedFields: [] };
    return { event: "user:hem-system:updated", payload };
  });
  return [...ofAssets, ...ofSystems];
}
