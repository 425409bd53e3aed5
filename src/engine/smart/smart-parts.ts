import type { PartContext } from "../engine-part.ts";
import type { Controllers, SmartOverrides } from "../services/control.ts";
import type { Locations, Prices } from "../services/places.ts";
import type { ChargeShiftBook } from "./charge-shifts.ts";

/** What the smart features are made of. */
export interface SmartParts
  extends Pick<PartContext, "clock" | "random" | "log" | "store" | "assets" | "actions" | "overlays" | "refresh"> {
  readonly controllers: Controllers;
  readonly overrides: SmartOverrides;
  readonly locations: Locations;
  readonly prices: Prices;
  readonly shifts: ChargeShiftBook;
}
