import { MINUTE_MS } from "../../domain/duration.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import type { Controllers, SmartOverrides } from "../contracts/control.ts";
import type { Actions, Assets } from "../contracts/engine.ts";
import type { Locations, Prices } from "../contracts/places.ts";
import type { RefreshAssets } from "../engine-part.ts";

import type { ChargeShiftBook } from "./charge-shifts.ts";

/** What is paused waits this long after a start for a clock that can be trusted, ms. */
export const CLOCK_PATIENCE_MS = 30 * MINUTE_MS;

/** What the smart features need of the engine. */
export interface SmartNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly actions: Actions;
  readonly refresh: RefreshAssets;
}

/** What the smart features are made of. */
export interface SmartParts extends SmartNeeds {
  readonly controllers: Controllers;
  readonly overrides: SmartOverrides;
  readonly locations: Locations;
  readonly prices: Prices;
  readonly shifts: ChargeShiftBook;
}
