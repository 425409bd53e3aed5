import type { ActionOrigin } from "../../../domain/actions/action.ts";
import type { Store } from "../../../store/store.ts";
import { isOfEnergy, originOf, stateOf } from "../../actions/lease-records.ts";

/** Returns whose command the gateway holds a vehicle stopped by; `null` if it does not hold it stopped. */
export function stoppedBy(store: Pick<Store, "get" | "all">, vehicleId: string): ActionOrigin | null {
  const asset = store.get("asset", vehicleId);
  if (asset === null) return null;
  const stop = store
    .all("lease")
    .find(
      (lease) =>
        lease.deviceId === asset.deviceId &&
        lease.point === "vehicle.enabled" &&
        lease.value === false &&
        stateOf(lease) !== "released" &&
        !isOfEnergy(lease),
    );
  return stop === undefined ? null : originOf(stop);
}
