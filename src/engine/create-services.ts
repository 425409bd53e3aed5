/** Makes the parts of the engine beside the devices, in the order in which they need each other. */

import { InstallationCheckService } from "./checks/installation-check-service.ts";
import type { ControllerRegistry } from "./controllers.ts";
import type { EnginePart, PartContext } from "./engine-part.ts";
import { HemService } from "./hem/hem-service.ts";
import { createLinking } from "./linking/create-linking.ts";
import { PairingService } from "./pairing/pairing-service.ts";
import { createPlaces } from "./places/create-places.ts";
import { createSimulated } from "./sandbox/simulated-service.ts";
import { ScheduleService } from "./schedules/schedule-service.ts";
import type { Services } from "./services/services.ts";
import { createSmart } from "./smart/create-smart.ts";
import { HistoryRemovals } from "./statistics/history-removals.ts";
import { StatisticsService } from "./statistics/statistics-service.ts";

export interface MadeServices {
  readonly services: Services;
  /** What works by itself. */
  readonly parts: readonly EnginePart[];
}

export function createServices(context: PartContext, controllers: ControllerRegistry): MadeServices {
  const { locations, tariffs, prices, removals } = createPlaces(context);
  const smart = createSmart(context, { locations, prices }, controllers);
  const { smartOverrides } = smart.services;
  const schedules = new ScheduleService(context, { controllers, locations, removals, smartOverrides });
  controllers.register(schedules);
  const { authorizations, fleet, users, userRemovals } = context;
  const statistics = new StatisticsService(context, { prices, shifts: smart.services.chargeShifts });
  const simulated = createSimulated(context);
  const hemSystems = new HemService(context, locations);
  const historyRemovals = new HistoryRemovals(context);
  context.users.onRemoved(historyRemovals);
  const pairing = new PairingService(context);
  context.users.onRemoved(pairing);
  const checks = new InstallationCheckService(context, context.corrections);
  context.users.onRemoved(checks);
  const { linking, vendors, parts: linkingParts } = createLinking(context, (assetId) => checks.isInDoubt(assetId));
  return {
    services: {
      authorizations,
      controllers,
      fleet,
      linking,
      vendors,
      users,
      userRemovals,
      ...smart.services,
      locations,
      tariffs,
      prices,
      schedules,
      simulated,
      statistics,
      hemSystems,
      checks,
    },
    parts: [
      ...(simulated === null ? [] : [simulated]),
      ...linkingParts,
      ...smart.parts,
      locations,
      schedules,
      statistics.news,
      hemSystems,
      historyRemovals,
      pairing,
      checks,
    ],
  };
}
