import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";

/** What the smart features keep of assets goes with them, in the same commit. Users have nothing here but by assets. */
export class SmartForgetter implements Forgetter {
  readonly #store: Pick<Store, "all">;
  readonly #onForgotten: (assetIds: ReadonlySet<string>) => void;

  constructor(store: Pick<Store, "all">, onForgotten: (assetIds: ReadonlySet<string>) => void) {
    this.#store = store;
    this.#onForgotten = onForgotten;
  }

  forget(removal: Removal): readonly Write[] {
    return removal.kind === "assets" ? smartRemovals(this.#store, removal.assetIds) : [];
  }

  onForgotten(removal: Removal): void {
    if (removal.kind === "assets") this.#onForgotten(removal.assetIds);
  }
}

/** Removals of all that the smart features keep of assets. */
export function smartRemovals(store: Pick<Store, "all">, assetIds: ReadonlySet<string>): readonly Write[] {
  const overrides = store.all("override").filter(({ override }) => assetIds.has(override.targetId));
  const vehicles = store.all("vehicle-smart").filter(({ vehicleId }) => assetIds.has(vehicleId));
  const chargers = store.all("charger-smart").filter(({ chargerId }) => assetIds.has(chargerId));
  const hvacs = store.all("hvac-smart").filter(({ hvacId }) => assetIds.has(hvacId));
  const plans = store.all("vehicle-plan").filter(({ plan }) => assetIds.has(plan.vehicleId));
  const shifts = store.all("charge-shift").filter(({ assetId }) => assetIds.has(assetId));
  return [
    ...overrides.map(({ id }): Write => ({ table: "override", key: id, remove: true })),
    ...vehicles.map(({ vehicleId }): Write => ({ table: "vehicle-smart", key: vehicleId, remove: true })),
    ...chargers.map(({ chargerId }): Write => ({ table: "charger-smart", key: chargerId, remove: true })),
    ...hvacs.map(({ hvacId }): Write => ({ table: "hvac-smart", key: hvacId, remove: true })),
    ...plans.map(({ plan }): Write => ({ table: "vehicle-plan", key: plan.id, remove: true })),
    ...shifts.map(({ id }): Write => ({ table: "charge-shift", key: id, remove: true })),
  ];
}
