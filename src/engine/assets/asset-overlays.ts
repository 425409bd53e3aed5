import type { AssetKind, AssetTypes } from "../../domain/assets/asset.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";

/**
 * What a part of the engine knows about assets beside their readings: the location they are at, whether their
 * credentials are valid. Pure, quick, and idempotent: it answers the very same asset when it has nothing to change. It
 * also sees the device's last values, because an asset does not show what its scopes hide.
 */
export type AssetOverlay = {
  readonly [Kind in AssetKind]?: (asset: AssetTypes[Kind], values: Readonly<PointValues>) => AssetTypes[Kind];
};

/** The overlays in the order in which they were added. */
export class AssetOverlays {
  readonly #overlays: AssetOverlay[] = [];

  add(overlay: AssetOverlay): void {
    this.#overlays.push(overlay);
  }

  apply<Kind extends AssetKind>(
    kind: Kind,
    asset: AssetTypes[Kind],
    values: Readonly<PointValues> = {},
  ): AssetTypes[Kind] {
    let overlaid = asset;
    for (const overlay of this.#overlays) overlaid = overlay[kind]?.(overlaid, values) ?? overlaid;
    return overlaid;
  }
}
