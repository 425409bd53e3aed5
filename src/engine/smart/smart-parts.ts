import type { Controllers, SmartOverrides } from "../contracts/control.ts";
import type { Locations, Prices } from "../contracts/places.ts";
import type { PartContext } from "../engine-part.ts";
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
