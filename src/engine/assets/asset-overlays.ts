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

/** Applies the overlays of all features, in their order. */
export class AssetOverlays {
  readonly #hooks: { readonly overlays: readonly AssetOverlay[] };

  constructor(hooks: { readonly overlays: readonly AssetOverlay[] }) {
    this.#hooks = hooks;
  }

  apply<Kind extends AssetKind>(
    kind: Kind,
    asset: AssetTypes[Kind],
    values: Readonly<PointValues> = {},
  ): AssetTypes[Kind] {
    let overlaid = asset;
    for (const overlay of this.#hooks.overlays) overlaid = overlay[kind]?.(overlaid, values) ?? overlaid;
    return overlaid;
  }
}
