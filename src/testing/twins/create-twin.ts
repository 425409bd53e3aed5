import { CHARGERS } from "./behaviours/chargers.ts";
import { LASTING_BATTERIES } from "./behaviours/lasting-batteries.ts";
import { TIMED_BATTERIES } from "./behaviours/timed-batteries.ts";
import { RegisterTwin, type TwinOptions } from "./register-twin.ts";
import type { TwinBehaviour } from "./twin-behaviour.ts";
import { loadTwinTable, type TwinId } from "./twin-maps.ts";

/** The others answer function 16 only, or function 3 as well as 4; nothing moves behind their registers. */
const PLAIN: Readonly<Record<string, TwinBehaviour>> = {
  "idm-navigator": { stored: ["hvac.control.mode", "hvac.control.dhw"] },
  "lambda-eul": { writeCodes: [16] },
  "sma-data-manager": { isReadByEither: true },
  "sma-pv": { isReadByEither: true },
  "sma-shm2": { isReadByEither: true },
  "victron-grid": { isReadByEither: true },
  "victron-heatpump": { isReadByEither: true },
  "victron-vebus": { isReadByEither: true },
  "weishaupt-wpm": { stored: ["hvac.control."] },
};

const BEHAVIOURS = { ...PLAIN, ...CHARGERS, ...LASTING_BATTERIES, ...TIMED_BATTERIES };

/** Makes a twin of a device family, as it behaves unless told otherwise. */
export async function createTwin(id: TwinId, options: TwinOptions): Promise<RegisterTwin> {
  const behaviour = BEHAVIOURS[id];
  return new RegisterTwin(await loadTwinTable(id), { ...(behaviour === undefined ? {} : { behaviour }), ...options });
}
