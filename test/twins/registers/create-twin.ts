import { CHARGERS } from "./behaviours/chargers.ts";
import { HEAT_PUMPS } from "./behaviours/heat-pumps.ts";
import { LASTING_BATTERIES } from "./behaviours/lasting-batteries.ts";
import { TIMED_BATTERIES } from "./behaviours/timed-batteries.ts";
import { RegisterTwin, type TwinOptions } from "./register-twin.ts";
import type { TwinBehaviour } from "./twin-behaviour.ts";
import { loadTwinTable, type TwinId } from "./twin-maps.ts";

/** The others answer function 3 as well as 4; nothing moves behind their registers. */
const PLAIN: Readonly<Record<string, TwinBehaviour>> = {
  "sma-data-manager": { isReadByEither: true },
  "sma-pv": { isReadByEither: true },
  "sma-shm2": { isReadByEither: true },
  "victron-grid": { isReadByEither: true },
  "victron-heatpump": { isReadByEither: true },
  "victron-vebus": { isReadByEither: true },
};

const BEHAVIOURS = { ...PLAIN, ...CHARGERS, ...HEAT_PUMPS, ...LASTING_BATTERIES, ...TIMED_BATTERIES };

/** Makes a twin of a device family, as it behaves unless the options change some of that. */
export async function createTwin(id: TwinId, options: TwinOptions): Promise<RegisterTwin> {
  const behaviour = { ...BEHAVIOURS[id], ...options.behaviour };
  return new RegisterTwin(await loadTwinTable(id), { ...options, behaviour });
}
