/** Makes what is smart: overrides, and smart charging of vehicles. */
import type { ControllerRegistry } from "../controllers.ts";
import type { EnginePart, PartContext } from "../engine-part.ts";
import type { ChargeShifts, SmartOverrides } from "../services/control.ts";
import type { Locations, Prices } from "../services/places.ts";
import type { VehicleSmartCharging } from "../services/smart.ts";
import { ChargeShiftBook } from "./charge-shifts.ts";
import { SmartOverrideService } from "./overrides/smart-overrides.ts";
import { SmartForgetter } from "./smart-forgetter.ts";
import type { SmartParts } from "./smart-parts.ts";
import { VehicleSmartService } from "./vehicles/vehicle-smart-charging.ts";

export interface SmartServices {
  readonly smartOverrides: SmartOverrides;
  readonly chargeShifts: ChargeShifts;
  readonly vehicleSmart: VehicleSmartCharging;
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
  context.users.onRemoved(
    new SmartForgetter(context.store, (assetIds) => {
      for (const id of assetIds) {
        smartOverrides.forget(id);
        vehicleSmart.forget(id);
      }
    }),
  );
  return { services: { smartOverrides, chargeShifts, vehicleSmart }, parts: [smartOverrides, vehicleSmart] };
}
