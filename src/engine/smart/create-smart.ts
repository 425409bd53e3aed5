/** Makes what is smart: overrides, smart charging of vehicles and chargers, and the policy of HVAC units. */
import type { Controllers } from "../contracts/control.ts";
import type { Locations, Prices } from "../contracts/places.ts";

import type { Feature } from "../feature.ts";
import { ChargeShiftBook } from "./charge-shifts.ts";
import { ChargerSmartService } from "./chargers/charger-smart-charging.ts";
import { HvacSmartService } from "./hvacs/hvac-smart.ts";
import { SmartOverrideService } from "./overrides/smart-overrides.ts";
import { SmartForgetter } from "./smart-forgetter.ts";
import type { SmartNeeds, SmartParts } from "./smart-parts.ts";
import { VehicleSmartService } from "./vehicles/vehicle-smart-charging.ts";

export interface SmartFeatures {
  /** What smart charging moved. Its forgetter is that of all smart features: their records go together. */
  readonly chargeShifts: Feature<ChargeShiftBook>;
  readonly smartOverrides: Feature<SmartOverrideService>;
  readonly vehicleSmart: Feature<VehicleSmartService>;
  readonly chargerSmart: Feature<ChargerSmartService>;
  readonly hvacSmart: Feature<HvacSmartService>;
}

export function createSmart(
  context: SmartNeeds,
  needs: { readonly locations: Locations; readonly prices: Prices; readonly controllers: Controllers },
): SmartFeatures {
  const overrides = new SmartOverrideService(context);
  const shifts = new ChargeShiftBook(context);
  const parts: SmartParts = { ...context, ...needs, overrides, shifts };
  const vehicles = new VehicleSmartService(parts);
  const chargers = new ChargerSmartService(parts);
  const hvacs = new HvacSmartService(parts);
  const forgetter = new SmartForgetter(context.store, (assetIds) => {
    for (const id of assetIds) for (const part of [overrides, vehicles, chargers, hvacs]) part.forget(id);
  });
  return {
    chargeShifts: { name: "chargeShifts", service: shifts, forgetter },
    smartOverrides: { name: "smartOverrides", service: overrides, loop: overrides },
    vehicleSmart: {
      name: "vehicleSmart",
      service: vehicles,
      overlay: vehicles.overlay,
      controller: vehicles,
      loop: vehicles,
    },
    chargerSmart: { name: "chargerSmart", service: chargers, controller: chargers, loop: chargers },
    hvacSmart: { name: "hvacSmart", service: hvacs, controller: hvacs, loop: hvacs },
  };
}
