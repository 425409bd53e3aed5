import type { AssetKind, AssetTypes } from "../../domain/assets/asset.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";

/**
 * Adds to assets what a feature knows beside their readings, such as their location. Pure, quick and idempotent: it
 * returns the same object if nothing changes. It gets the device's last values too, because scopes may hide them in the
 * asset.
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

  /** Returns the asset with all overlays; the same object if nothing changes. */
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
