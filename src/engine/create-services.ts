/** The features of the engine: made in the order in which they need each other, listed in the order of their hooks. */

import type { ControllerRegistry } from "./actions/controllers.ts";
import { AccountNoteRemovals } from "./adapters/account-notes.ts";
import type { Linker } from "./adapters/adapter-host.ts";
import { NoteRemovals } from "./adapters/device-notes.ts";
import type { Corrections } from "./checks/corrections.ts";
import { type CheckNeeds, createChecks } from "./checks/installation-check-service.ts";
import { StoredLosses } from "./checks/storage-losses.ts";
import type { Authorizations } from "./contracts/authorizations.ts";
import type { Discovery } from "./contracts/discovery.ts";
import type { MarketPrices } from "./contracts/market.ts";
import type { Services } from "./contracts/services.ts";
import type { Forgetter, UserRemovals, Users } from "./contracts/users.ts";
import { createDiscovery, type DiscoveryNeeds, type DiscoveryParts } from "./discovery/discovery-service.ts";
import { createEnergyLimits, type EnergyLimitNeeds } from "./energy/energy-limit-service.ts";
import { createEnergy, type EnergyNeeds, type EnergyService } from "./energy/energy-service.ts";
import { createPlans, type PlanNeeds } from "./energy/plan/plan-service.ts";
import { createSiteConnections, type SiteNeeds } from "./energy/site-connection-service.ts";
import type { EnginePart } from "./engine-part.ts";
import { createExports, type ExportNeeds } from "./export/export-service.ts";
import type { Feature, FeatureHooks } from "./feature.ts";
import type { Roster } from "./fleet/roster.ts";
import { createFlexEvents, type FlexEventNeeds } from "./flex/flex-event-service.ts";
import { createPowerLimits } from "./flex/power-limit-service.ts";
import { createSolarPolicies } from "./flex/solar-policy-service.ts";
import { createForecasts, type ForecastNeeds } from "./forecast/create-forecasts.ts";
import { createHemSystems, type HemNeeds } from "./hem/hem-service.ts";
import { createHousePowers, type HousePowerNeeds } from "./hem/house-power-service.ts";
import { createInterventions, type InterventionNeeds } from "./interventions/intervention-advice.ts";
import { createLinking, type LinkNeeds } from "./linking/link-service.ts";
import { createPairing, type PairingNeeds } from "./pairing/pairing-service.ts";
import { createPeople } from "./people/create-people.ts";
import type { PeopleNeeds } from "./people/people-service.ts";
import { createPlaces, type PlaceNeeds } from "./places/create-places.ts";
import { createSimulated, type SimulatedNeeds } from "./sandbox/simulated-service.ts";
import { createSchedules, type ScheduleNeeds } from "./schedules/schedule-service.ts";
import { createSetupImports } from "./setup/setup-imports.ts";
import { createSetup, type SetupNeeds } from "./setup/setup-service.ts";
import { createSmart } from "./smart/create-smart.ts";
import type { SmartNeeds } from "./smart/smart-parts.ts";
import { createHistoryRemovals } from "./statistics/history-removals.ts";
import { createStatistics, type StatisticsNeeds } from "./statistics/statistics-service.ts";
import { createCredentialsOverlay } from "./users/credentials-overlay.ts";
import { type DirectoryContext, VendorDirectory } from "./vendors/vendor-directory.ts";

/** What the features together need of the engine. */
export type FeatureNeeds = PlaceNeeds &
  SmartNeeds &
  ScheduleNeeds &
  SimulatedNeeds &
  StatisticsNeeds &
  HemNeeds &
  ExportNeeds &
  HousePowerNeeds &
  EnergyNeeds &
  PlanNeeds &
  ForecastNeeds &
  PairingNeeds &
  CheckNeeds &
  InterventionNeeds &
  DiscoveryNeeds &
  LinkNeeds &
  SiteNeeds &
  EnergyLimitNeeds &
  FlexEventNeeds &
  PeopleNeeds &
  SetupNeeds &
  DirectoryContext & {
    readonly users: Users & Forgetter;
    readonly userRemovals: UserRemovals;
    readonly authorizations: Authorizations;
    readonly isAuthorized: (userId: string, vendor: string) => boolean;
    readonly roster: Pick<Roster, "accounts">;
    /** What keeps the market prices, where the configuration says where they come from. */
    readonly market: (MarketPrices & EnginePart) | null;
    readonly corrections: Corrections;
    readonly discovery: DiscoveryParts;
  };

export interface MadeServices {
  readonly services: Services;
  readonly features: readonly Feature[];
}

export function createServices(
  context: FeatureNeeds,
  controllers: ControllerRegistry,
  hooks: Pick<FeatureHooks, "locationRemovals">,
): MadeServices {
  const made = withSetup(context, makeFeatures(context, controllers, hooks));
  return { features: inOrder(context, made), services: { ...servicesOf(made), ...coreServices(context, controllers) } };
}

/** Each feature is made of the core and of the features above it. */
function makeFeatures(
  context: FeatureNeeds,
  controllers: ControllerRegistry,
  hooks: Pick<FeatureHooks, "locationRemovals">,
) {
  const places = createPlaces(context, hooks);
  const at = { locations: places.locations.service, prices: places.prices.service };
  const smart = createSmart(context, { ...at, controllers });
  const smartOverrides = smart.smartOverrides.service;
  const schedules = createSchedules(context, { ...at, controllers, smartOverrides });
  const simulated = createSimulated(context);
  const statistics = createStatistics(context, { ...at, shifts: smart.chargeShifts.service });
  const exports = createExports(context);
  const siteConnections = createSiteConnections(context);
  const meterUses = () => siteConnections.service.current().meterUses ?? new Map();
  const hemSystems = createHemSystems(context, at.locations, meterUses);
  const systems = () => hemSystems.service.powered();
  const housePowers = createHousePowers(context, systems);
  const forecasts = createForecasts(context, at.locations);
  const historyRemovals = createHistoryRemovals(context);
  const pairing = createPairing(context);
  const checks = createChecks(context, context.corrections, () => siteConnections.service.current());
  const interventions = createInterventions(context, checks.service);
  const discovery = createDiscovery(context, context.discovery);
  const linkable = { ...context, linkers: withSearch(context, discovery.service) };
  const vendors: Feature<VendorDirectory> = { name: "vendors", service: new VendorDirectory(linkable) };
  const linking = createLinking(linkable, { ...context, directory: vendors.service });
  const energyLimits = createEnergyLimits(context, siteConnections.service);
  const site = { siteConnections, energyLimits };
  const siteLocations = { assets: context.assets, locations: at.locations, siteConnections: siteConnections.service };
  const flexEvents = createFlexEvents(context, {
    ...siteLocations,
    energyLimits: energyLimits.service,
    devices: () => energy.service.state().devices,
  });
  const energy: Feature<EnergyService> = createEnergy(context, {
    controllers,
    smartOverrides,
    systems,
    siteConnections: siteConnections.service,
    energyLimits: energyLimits.service,
    flexEvents: flexEvents.service,
    checks: checks.service,
    plans: () => energyPlans.service,
  });
  const energyPlans = createPlans(context, {
    ...at,
    systems,
    energy: energy.service,
    forecasts: forecasts.service,
    siteConnections: siteConnections.service,
    energyLimits: energyLimits.service,
  });
  const powerLimits = createPowerLimits({
    ...siteLocations,
    siteConnections: siteConnections.service,
    energyLimits: energyLimits.service,
    energy: energy.service,
  });
  const solarPolicies = createSolarPolicies({ assets: context.assets, energy: energy.service });
  const flex = { flexEvents, powerLimits, solarPolicies };
  const others = { schedules, simulated, statistics, exports, hemSystems, housePowers, forecasts, historyRemovals };
  const found = { pairing, checks, interventions, discovery, vendors, linking };
  return { ...places, ...smart, ...others, energy, energyPlans, ...site, ...flex, ...found, ...createPeople(context) };
}

/** The setup leads through what the other features do. */
function withSetup(context: FeatureNeeds, made: ReturnType<typeof makeFeatures>) {
  const setup = createSetup(context, {
    checks: made.checks.service,
    siteConnections: made.siteConnections.service,
    energyLimits: made.energyLimits.service,
    energy: made.energy.service,
    systems: () => made.hemSystems.service.powered(),
    people: made.people.service,
    hasMarket: context.market !== null,
    statuses: () => context.discovery.devices(),
  });
  const setupImports = createSetupImports(context, {
    setup: setup.service,
    siteConnections: made.siteConnections.service,
    discovery: made.discovery.service,
    people: made.people.service,
    statuses: () => context.discovery.devices(),
  });
  return { ...made, setup, setupImports };
}

type MadeFeatures = ReturnType<typeof withSetup>;

/** The order is that of overlays (a later one sees what an earlier one shows), of removals, and of the start. */
function inOrder(context: FeatureNeeds, made: MadeFeatures): readonly Feature[] {
  const { store, roster, users, market, authorizations, isAuthorized } = context;
  return [
    { name: "users", service: users, forgetter: users },
    { name: "deviceNotes", service: null, forgetter: new NoteRemovals(store) },
    { name: "accountNotes", service: null, forgetter: new AccountNoteRemovals(store, () => roster.accounts()) },
    made.simulated,
    { name: "market", service: market, ...(market !== null && { loop: market }) },
    made.vendors,
    made.linking,
    made.locations,
    made.tariffs,
    made.prices,
    made.chargeShifts,
    made.smartOverrides,
    made.vehicleSmart,
    made.chargerSmart,
    made.hvacSmart,
    made.schedules,
    made.statistics,
    made.exports,
    made.hemSystems,
    made.housePowers,
    made.energy,
    made.energyPlans,
    made.forecasts,
    made.historyRemovals,
    made.pairing,
    made.siteConnections,
    made.energyLimits,
    made.flexEvents,
    made.powerLimits,
    made.solarPolicies,
    made.checks,
    made.interventions,
    made.discovery,
    made.people,
    made.audit,
    made.setup,
    made.setupImports,
    { name: "credentials", service: authorizations, overlay: createCredentialsOverlay(isAuthorized) },
  ];
}

function servicesOf(made: MadeFeatures) {
  return {
    discovery: made.discovery.service,
    linking: made.linking.service,
    vendors: made.vendors.service,
    smartOverrides: made.smartOverrides.service,
    chargeShifts: made.chargeShifts.service,
    vehicleSmart: made.vehicleSmart.service,
    chargerSmart: made.chargerSmart.service,
    hvacSmart: made.hvacSmart.service,
    locations: made.locations.service,
    tariffs: made.tariffs.service,
    prices: made.prices.service,
    schedules: made.schedules.service,
    simulated: made.simulated.service,
    statistics: made.statistics.service,
    exports: made.exports.service,
    hemSystems: made.hemSystems.service,
    housePowers: made.housePowers.service,
    energy: made.energy.service,
    energyPlans: made.energyPlans.service,
    forecasts: made.forecasts.service,
    checks: made.checks.service,
    siteConnections: made.siteConnections.service,
    energyLimits: made.energyLimits.service,
    flexEvents: made.flexEvents.service,
    powerLimits: made.powerLimits.service,
    solarPolicies: made.solarPolicies.service,
    people: made.people.service,
    audit: made.audit.service,
    setup: made.setup.service,
    setupImports: made.setupImports.service,
  };
}

function coreServices(context: FeatureNeeds, controllers: ControllerRegistry) {
  const { authorizations, fleet, users, userRemovals, market } = context;
  return { authorizations, fleet, users, userRemovals, market, controllers, losses: new StoredLosses(context) };
}

/** On the link page, the house is searched for an adapter's devices where the adapter can. */
function withSearch({ linkers, discovery: { finders } }: FeatureNeeds, discovery: Discovery): readonly Linker[] {
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
