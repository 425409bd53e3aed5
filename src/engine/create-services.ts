/** Makes the parts of the engine beside the devices, in the order in which they need each other. */

import type { ControllerRegistry } from "./actions/controllers.ts";
import { InstallationCheckService } from "./checks/installation-check-service.ts";
import { StoredLosses } from "./checks/storage-losses.ts";
import type { Discovery } from "./contracts/discovery.ts";
import type { Services } from "./contracts/services.ts";
import { DiscoveryService } from "./discovery/discovery-service.ts";
import type { EnginePart, PartContext } from "./engine-part.ts";
import { createForecasts } from "./forecast/create-forecasts.ts";
import { HemService } from "./hem/hem-service.ts";
import { HousePowerService } from "./hem/house-power-service.ts";
import { createLinking } from "./linking/create-linking.ts";
import { PairingService } from "./pairing/pairing-service.ts";
import { createPlaces } from "./places/create-places.ts";
import { createSimulated } from "./sandbox/simulated-service.ts";
import { ScheduleService } from "./schedules/schedule-service.ts";
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
  const housePowers = new HousePowerService(context, () => hemSystems.powered());
  const { forecasts, parts: forecastParts } = createForecasts(context, locations);
  const historyRemovals = new HistoryRemovals(context);
  context.users.onRemoved(historyRemovals);
  const pairing = new PairingService(context);
  context.users.onRemoved(pairing);
  const checks = new InstallationCheckService(context, context.corrections);
  context.users.onRemoved(checks);
  const discovery = new DiscoveryService(context, context.discovery);
  const linkable = { ...context, linkers: withSearch(context, discovery) };
  const { linking, vendors, parts: linkingParts } = createLinking(linkable, checks);
  return {
    services: {
      authorizations,
      controllers,
      fleet,
      discovery,
      linking,
      vendors,
      users,
      userRemovals,
      ...smart.services,
      locations,
      tariffs,
      prices,
      market: context.market,
      schedules,
      simulated,
      statistics,
      hemSystems,
      housePowers,
      forecasts,
      checks,
      losses: new StoredLosses(context),
    },
    parts: [
      ...(simulated === null ? [] : [simulated]),
      ...(context.market === null ? [] : [context.market]),
      ...linkingParts,
      ...smart.parts,
      locations,
      schedules,
      statistics.news,
      hemSystems,
      housePowers,
      ...forecastParts,
      historyRemovals,
      pairing,
      checks,
      discovery,
    ],
  };
}

/** On the link page, the house is searched for an adapter's devices where the adapter can. */
function withSearch({ linkers, discovery: { finders } }: PartContext, discovery: Discovery): PartContext["linkers"] {
  return linkers.map((linker) => {
    const { adapter, linking } = linker;
    if (linking.discover !== undefined || !finders.some((finder) => finder.adapter === adapter)) return linker;
    return {
      ...linker,
      linking: {
        take: (step, signal) => linking.take(step, signal),
        ...(linking.setup !== undefined && { setup: linking.setup }),
        discover: (vendorId, signal) => discovery.lookFor(adapter, vendorId, signal),
      },
    };
  });
}
