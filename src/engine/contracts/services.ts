/** The services of the engine's features. */

import type { Authorizations } from "./authorizations.ts";
import type { InstallationChecks } from "./checks.ts";
import type { ChargeShifts, Controllers, SmartOverrides } from "./control.ts";
import type { Discovery } from "./discovery.ts";
import type { EnergyLimits, SiteConnections } from "./energy/energy.ts";
import type { EnergyManager } from "./energy/energy-manager.ts";
import type { EnergyPlans } from "./energy/energy-plans.ts";
import type { FlexEvents, PowerLimits, SolarPolicies } from "./energy/flex.ts";
import type { Forecasts } from "./energy/forecast.ts";
import type { Exports } from "./export.ts";
import type { Fleet } from "./fleet.ts";
import type { HemSystems, HousePowers } from "./hem.ts";
import type { Linking } from "./linking.ts";
import type { StorageLosses } from "./losses.ts";
import type { MarketPrices } from "./market.ts";
import type { Audit, People } from "./people.ts";
import type { Locations, Prices, Tariffs } from "./places.ts";
import type { Schedules } from "./schedules.ts";
import type { Setup, SetupImports } from "./setup.ts";
import type { Simulated } from "./simulated.ts";
import type { ChargerSmartCharging, HvacSmart, VehicleSmartCharging } from "./smart.ts";
import type { Statistics } from "./statistics.ts";
import type { UserRemovals, Users } from "./users.ts";
import type { Vendors } from "./vendors.ts";

export interface Services {
  readonly authorizations: Authorizations;
  readonly fleet: Fleet;
  readonly discovery: Discovery;
  readonly linking: Linking;
  readonly vendors: Vendors;
  readonly users: Users;
  readonly userRemovals: UserRemovals;
  /** `null` outside of a sandbox. */
  readonly simulated: Simulated | null;
  readonly controllers: Controllers;
  readonly smartOverrides: SmartOverrides;
  readonly chargeShifts: ChargeShifts;
  readonly vehicleSmart: VehicleSmartCharging;
  readonly chargerSmart: ChargerSmartCharging;
  readonly hvacSmart: HvacSmart;
  readonly locations: Locations;
  readonly tariffs: Tariffs;
  readonly prices: Prices;
  /** `null` if no market is configured. */
  readonly market: MarketPrices | null;
  readonly schedules: Schedules;
  readonly statistics: Statistics;
  readonly exports: Exports;
  readonly hemSystems: HemSystems;
  readonly housePowers: HousePowers;
  readonly energy: EnergyManager;
  readonly energyPlans: EnergyPlans;
  readonly forecasts: Forecasts;
  readonly checks: InstallationChecks;
  readonly losses: StorageLosses;
  readonly siteConnections: SiteConnections;
  readonly energyLimits: EnergyLimits;
  readonly powerLimits: PowerLimits;
  readonly solarPolicies: SolarPolicies;
  readonly flexEvents: FlexEvents;
  readonly people: People;
  readonly audit: Audit;
  readonly setup: Setup;
  readonly setupImports: SetupImports;
}
