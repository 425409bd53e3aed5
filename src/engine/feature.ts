import type { AssetOverlay } from "./assets/asset-overlays.ts";
import type { Controller } from "./contracts/control.ts";
import type { Forgetter } from "./contracts/users.ts";
import type { EnginePart } from "./engine-part.ts";
import type { RemovalStep } from "./places/location-removals.ts";

/**
 * A feature of the engine: its service, and the hooks by which it takes part in what the engine does. Making a feature
 * has no effect; `FeatureHooks.install` puts the hooks of all features into effect, in the order of their list.
 */
export interface Feature<Service = unknown> {
  readonly name: string;
  readonly service: Service;
  /** Subscribes to what the feature follows for as long as the engine lives. Called once, before any device is read. */
  connect?(): void;
  /** What the feature shows on assets. */
  readonly overlay?: AssetOverlay;
  /** Removes what the feature keeps of users and assets, in the commit that removes them. */
  readonly forgetter?: Forgetter;
  /** Removes what the feature keeps of a location, in the commit that removes it. */
  readonly locationRemoval?: RemovalStep;
  /** Decides about targets; while it does, clients' commands for them are refused. */
  readonly controller?: Controller;
  /** Works by itself from the engine's start to its end. */
  readonly loop?: EnginePart;
}

/** The hooks of all features, each kind in the order of the features. There are none until the features are installed. */
export class FeatureHooks {
  #features: readonly Feature[] = [];
  #overlays: readonly AssetOverlay[] = [];

  /** Once, when all features are made. */
  install(features: readonly Feature[]): void {
    this.#features = features;
    this.#overlays = features.flatMap(({ overlay }) => overlay ?? []);
    for (const feature of features) feature.connect?.();
  }

  get overlays(): readonly AssetOverlay[] {
    return this.#overlays;
  }

  get controllers(): readonly Controller[] {
    return this.#features.flatMap(({ controller }) => controller ?? []);
  }

  get locationRemovals(): readonly RemovalStep[] {
    return this.#features.flatMap(({ locationRemoval }) => locationRemoval ?? []);
  }

  /** The forgetters of all features, as one. */
  readonly forgetters: Required<Forgetter> = {
    forget: (removal) => this.#features.flatMap(({ forgetter }) => forgetter?.forget(removal) ?? []),
    onForgotten: (removal) => {
      for (const { forgetter } of this.#features) forgetter?.onForgotten?.(removal);
    },
  };
}
