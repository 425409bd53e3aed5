import type { DeviceProfile } from "hemgate/sdk";
import { KEBA_P40 } from "../../../twins/registers/behaviours/chargers.ts";
import type { TwinBehaviour } from "../../../twins/registers/twin-behaviour.ts";
import { TWIN_IDS, type TwinId } from "../../../twins/registers/twin-maps.ts";

/** Which twin stands for a profile's device, and in what it differs from its family's first. */
export interface ProfileTwin {
  readonly id: TwinId;
  readonly behaviour?: TwinBehaviour;
}

/** Profiles that share a table with another model, or are the second connector of one. */
const SHARED: Readonly<Record<string, ProfileTwin>> = {
  "keba-p30": { id: "keba-p30-p40" },
  "keba-p40": { id: "keba-p30-p40", behaviour: KEBA_P40 },
  "my-pv-ac-elwa-2": { id: "my-pv-ac-thor" },
  "my-pv-ac-elwa-e": { id: "my-pv-ac-thor" },
  "my-pv-ac-thor-9s": { id: "my-pv-ac-thor" },
  "openwb-2-secondary-2": { id: "openwb-2-secondary", behaviour: { shift: { from: 10_000, by: 100 } } },
  "phoenix-charx-2": { id: "phoenix-charx", behaviour: { shift: { from: 200, by: 2_000 } } },
  "sigenergy-inverter": { id: "sigenergy-sigenstor" },
};

/** The twin of a profile's device; null when no table describes it. */
export function twinOf({ id }: Pick<DeviceProfile, "id">): ProfileTwin | null {
  const own = TWIN_IDS.find((twin) => twin === id);
  return SHARED[id] ?? (own === undefined ? null : { id: own });
}
