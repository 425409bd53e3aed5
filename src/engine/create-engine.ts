import { ACTION_TIMINGS, type ActionTimings } from "../domain/actions/action-timing.ts";
import type { Target } from "../domain/actions/desired-setting.ts";
import type { AssetKind } from "../domain/assets/asset.ts";
import type { MqttLinks, Platform } from "../platform/ports/ports.ts";
import type { Adapter } from "../sdk/driver.ts";
import type { ForecastSource } from "../sdk/forecast-source.ts";
import type { MarketSource } from "../sdk/market-source.ts";
import type { Store } from "../store/store.ts";
import { ActionService, type ActionTargets } from "./actions/actions.ts";
import { ControllerRegistry } from "./actions/controllers.ts";
import { ACCOUNT_NOTES } from "./adapters/account-notes.ts";
import { AdapterHost } from "./adapters/adapter-host.ts";
import { DEVICE_NOTES } from "./adapters/device-notes.ts";
import { StoredNotes } from "./adapters/stored-notes.ts";
import { AssetJournal } from "./assets/asset-journal.ts";
import { AssetOverlays } from "./assets/asset-overlays.ts";
import { AssetRegistry } from "./assets/registry.ts";
import { Corrections } from "./checks/corrections.ts";
import type { EnergySources } from "./contracts/energy/energy-manager.ts";
import type { PriceSource } from "./contracts/places.ts";
import { createServices, type FeatureNeeds } from "./create-services.ts";
import type { Device } from "./devices/device.ts";
import { ReadingTally } from "./devices/reading-tally.ts";
import { retireDevices } from "./devices/retirement.ts";
import type { EngineConfig, RefreshAssets } from "./engine-part.ts";
import { FeatureHooks } from "./feature.ts";
import { createDevice } from "./fleet/create-device.ts";
import { DeviceSet } from "./fleet/device-set.ts";
import { FleetService } from "./fleet/fleet-service.ts";
import { Roster } from "./fleet/roster.ts";
import { openMarket } from "./market/open-market.ts";
import { RunningEngine } from "./running-engine.ts";
import { AuthorizationService } from "./users/authorization-service.ts";
import { UserRemovalService } from "./users/user-removals.ts";
import { UserService } from "./users/user-service.ts";

type EngineWorld = Pick<
  Platform,
  "clock" | "random" | "net" | "serial" | "udp" | "mdns" | "http" | "webSockets" | "optimizer" | "log"
>;

export interface EngineOptions extends EngineWorld {
  readonly mqtt: MqttLinks;
  readonly store: Store;
  readonly config: EngineConfig;
  readonly adapters: readonly Adapter[];
  /** Market prices of the caller's own, instead of those that the configuration asks for. */
  readonly priceSource?: PriceSource;
  /** Where the configuration's market prices can come from. */
  readonly markets?: readonly MarketSource[];
  /** Who can be asked what the panels will give. */
  readonly forecastSources?: readonly ForecastSource[];
  /** What the energy manager decides from, instead of the engine's own sources. */
  readonly energySources?: Partial<EnergySources>;
  /** How actions of an adapter's devices are driven, where not as usual. */
  readonly timings?: Readonly<Record<string, ActionTimings>>;
}

/** Makes the engine and starts it; no device has to answer for that. The caller disposes it before the store. */
export async function createEngine(options: EngineOptions): Promise<RunningEngine> {
  const world = { ...options, adapters: servedAdapters(options), log: options.log.child({ part: "engine" }) };
  const people = createPeople(world);
  await people.users.welcome(people.roster.owners());
  const core = createCore({ ...world, ...people });
  const { hooks, fleet, devices, roster, store } = core;
  fleet.begin();
  const { services, features } = createServices(contextOf(options, core), core.controllers, hooks);
  hooks.install(features);
  // The features are installed, so what they keep about assets of devices that are gone goes along.
  const known = new Set([...roster.ids(), ...lockedDevices(store)]);
  await retireDevices(known, { ...core, owner: options.config.site.owner, forgetters: hooks.forgetters });
  for (const device of devices.all()) device.assets.rebase();
  const engine = new RunningEngine({ ...core, services, features });
  engine.begin();
  return engine;
}

/** Whose devices there are, and what of theirs may be reached and shown. */
function createPeople(options: EngineOptions) {
  const { clock, random, config, adapters, log, store } = options;
  const isDeauthorized = (userId: string): boolean => store.get("user", userId)?.isDeauthorized ?? false;
  const registry = new AssetRegistry();
  const devices = new DeviceSet({ clock, random, log });
  const refresh: RefreshAssets = (asset) => refreshAssets(devices.all(), asset);
  const roster = new Roster({ config, adapters, store, isDeauthorized });
  const isPresent = (deviceId: string): boolean => roster.userOf(deviceId) !== null;
  const authorizations = new AuthorizationService({ store, clock, log, isPresent, refresh });
  const users = new UserService({ store, clock, log, assets: registry, authorizations });
  const isAuthorized = (userId: string, vendor: string): boolean =>
    !isDeauthorized(userId) && authorizations.isValid(userId, vendor);
  return { store, registry, devices, refresh, roster, users, authorizations, isAuthorized };
}

/** The devices, their assets and actions, and what adapters keep; no device is there before `fleet.begin()`. */
function createCore(options: EngineOptions & ReturnType<typeof createPeople>) {
  const { clock, random, log, config, store, registry, devices, roster, users, authorizations, isAuthorized } = options;
  const hooks = new FeatureHooks();
  const overlays = new AssetOverlays(hooks);
  const controllers = new ControllerRegistry(hooks);
  const journal = new AssetJournal({ store, clock, log, current: (kind, id) => registry.get(kind, id) });
  const host = hostOf(options);
  const targets = actionTargets({ ...options, controllers });
  const actions = new ActionService({ store, clock, random, log, targets });
  const corrections = new Corrections(store);
  const readings = new ReadingTally();
  const own = { clock, store, log, registry, devices, roster, users, authorizations, isAuthorized };
  const core = { ...own, refresh: options.refresh, hooks, controllers, journal, host, actions, corrections, readings };
  const shared = { ...core, random, overlays, targets };
  const { forgetters } = hooks;
  const fleet = new FleetService({
    ...core,
    owner: config.site.owner,
    forgetters,
    make: (lacks) => (entry, deviceLog) => createDevice({ ...shared, lacks }, entry, deviceLog),
    reauthorize: (userIds) => users.reauthorization(userIds),
  });
  const userRemovals = new UserRemovalService({ store, assets: registry, users, fleet, roster, forgetters });
  return { ...core, fleet, userRemovals };
}

/** What the features are made of. */
function contextOf(options: EngineOptions, core: ReturnType<typeof createCore>): FeatureNeeds {
  const { log, registry, devices, journal, host, roster } = core;
  const { random, config, http, optimizer, forecastSources = [] } = options;
  return {
    ...core,
    ...host.parts(),
    ...marketOf({ ...options, log }),
    random,
    config,
    optimizer,
    mqtt: options.mqtt,
    assets: registry,
    devices: () => devices.all(),
    amend: (assetId, fields) => journal.amend(assetId, fields),
    forecast: { http, sources: forecastSources },
    discovery: {
      ...options,
      roster,
      finders: host.finders(),
      devices: () => devices.all().map((device) => device.status()),
    },
    regulated: {
      all: () => devices.all(),
      wake: (deviceId) => wakeById(devices, deviceId),
    },
    ...(options.energySources !== undefined && { energySources: options.energySources }),
    refreshHint: (kind, id) => devices.hintAt(kind, id),
  };
}

function wakeById(devices: DeviceSet, deviceId: string): void {
  const device = devices.byId(deviceId);
  if (device !== null) devices.wake(device);
}

/** Keeps the prices that the configuration asks for, unless the caller has a price source. */
function marketOf({
  priceSource,
  markets = [],
  ...parts
}: EngineOptions): Pick<FeatureNeeds, "priceSource" | "market"> {
  const market = priceSource === undefined ? openMarket({ ...parts, sources: markets }) : null;
  return { priceSource: priceSource ?? market, market };
}

/** Devices whose record cannot be opened now: their assets keep their ids until it can be. */
function lockedDevices(store: Pick<Store, "locked">): readonly string[] {
  return store.locked.filter(({ table }) => table === "device").map(({ key }) => key);
}

/** The adapters at work, with what they keep of devices and accounts. */
function hostOf(parts: EngineOptions): AdapterHost {
  const { clock, random, net, serial, udp, http, webSockets, mqtt, log, adapters, store } = parts;
  const ports = { clock, random, net, serial, udp, http, webSockets, mqtt, log };
  return new AdapterHost(adapters, ports, (adapter) => {
    return {
      notes: new StoredNotes(store, adapter, DEVICE_NOTES),
      accounts: new StoredNotes(store, adapter, ACCOUNT_NOTES),
    };
  });
}

/** Made-up devices are for a sandbox. */
function servedAdapters({ adapters, config }: EngineOptions): readonly Adapter[] {
  return adapters.filter(({ isSandbox }) => isSandbox !== true || config.sandbox?.isEnabled === true);
}

/** What actions see of the devices. */
function actionTargets(parts: {
  readonly registry: AssetRegistry;
  readonly timings?: Readonly<Record<string, ActionTimings>>;
  readonly isAuthorized: (userId: string, vendor: string) => boolean;
  readonly controllers: Pick<ControllerRegistry, "inChargeOf">;
  readonly devices: DeviceSet;
}): ActionTargets {
  const { registry, timings = {}, isAuthorized, controllers, devices } = parts;
  return {
    deviceOf: (type, assetId) => devices.carrierOf(type, assetId),
    device: (deviceId) => devices.byId(deviceId),
    target: (type, assetId) => targetOf(registry, type, assetId),
    wake: (device) => devices.wake(device),
    timings: (adapter) => timings[adapter] ?? ACTION_TIMINGS,
    isAuthorized: ({ userId, vendor }) => isAuthorized(userId, vendor),
    inChargeOf: (targetId) => controllers.inChargeOf(targetId),
  };
}

function refreshAssets(devices: readonly Device[], asset?: { readonly kind: AssetKind; readonly id: string }): void {
  for (const device of devices) {
    if (asset === undefined || device.carries(asset.kind, asset.id)) device.assets.refresh();
  }
}

function targetOf(registry: AssetRegistry, type: Target["kind"], assetId: string): Target | null {
  switch (type) {
    case "battery":
      return withKind("battery", registry.get("battery", assetId));
    case "charger":
      return withKind("charger", registry.get("charger", assetId));
    case "hvac":
      return withKind("hvac", registry.get("hvac", assetId));
    case "vehicle":
      return withKind("vehicle", registry.get("vehicle", assetId));
    default:
      return type satisfies never;
  }
}

function withKind<Kind, Asset>(kind: Kind, asset: Asset | null): { kind: Kind; asset: Asset } | null {
  return asset === null ? null : { kind, asset };
}
