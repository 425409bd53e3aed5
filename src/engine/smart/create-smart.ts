/** Makes what is smart: overrides, smart charging of vehicles and chargers, and the policy of HVAC units. */
import type { ControllerRegistry } from "../actions/controllers.ts";
import type { ChargeShifts, SmartOverrides } from "../contracts/control.ts";
import type { Locations, Prices } from "../contracts/places.ts";
import type { ChargerSmartCharging, HvacSmart, VehicleSmartCharging } from "../contracts/smart.ts";
import type { EnginePart, PartContext } from "../engine-part.ts";
import { ChargeShiftBook } from "./charge-shifts.ts";
import { ChargerSmartService } from "./chargers/charger-smart-charging.ts";
import { HvacSmartService } from "./hvacs/hvac-smart.ts";
import { SmartOverrideService } from "./overrides/smart-overrides.ts";
import { SmartForgetter } from "./smart-forgetter.ts";
import type { SmartParts } from "./smart-parts.ts";
import { VehicleSmartService } from "./vehicles/vehicle-smart-charging.ts";

export interface SmartServices {
  readonly smartOverrides: SmartOverrides;
  readonly chargeShifts: ChargeShifts;
  readonly vehicleSmart: VehicleSmartCharging;
  readonly chargerSmart: ChargerSmartCharging;
  readonly hvacSmart: HvacSmart;
}

export function createSmart(
  context: PartContext,
  places: { readonly locations: Locations; readonly prices: Prices },
  controllers: ControllerRegistry,
): { readonly services: SmartServices; readonly parts: readonly EnginePart[] } {
  const smartOverrides = new SmartOverrideService(context);
  const chargeShifts = new ChargeShiftBook(context);
  const parts: SmartParts = { ...context, ...places, controllers, overrides: smartOverrides, shifts: chargeShifts };
  const vehicleSmart = new VehicleSmartService(parts);
  const chargerSmart = new ChargerSmartService(parts);
  const hvacSmart = new HvacSmartService(parts);
  const services = { smartOverrides, chargeShifts, vehicleSmart, chargerSmart, hvacSmart };
  context.users.onRemoved(
    new SmartForgetter(context.store, (assetIds) => {
      for (const id of assetIds) {
        for (const part of [smartOverrides, vehicleSmart, chargerSmart, hvacSmart]) part.forget(id);
      }
    }),
  );
  return { services, parts: [smartOverrides, vehicleSmart, chargerSmart, hvacSmart] };
}
