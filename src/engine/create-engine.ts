import { ACTION_TIMINGS, type ActionTimings } from "../domain/actions/action-timing.ts";
import type { Target } from "../domain/actions/action-wish.ts";
import type { AssetKind } from "../domain/assets/asset.ts";
import type { Log, MqttLinks, Platform } from "../platform/ports/ports.ts";
import type { Adapter } from "../sdk/driver.ts";
import type { ForecastSource } from "../sdk/forecast-source.ts";
import type { MarketSource } from "../sdk/market-source.ts";
import type { Store } from "../store/store.ts";
import { ActionService, type ActionTargets } from "./actions/actions.ts";
import { ControllerRegistry } from "./actions/controllers.ts";
import { ACCOUNT_NOTES, AccountNoteRemovals } from "./adapters/account-notes.ts";
import { AdapterHost } from "./adapters/adapter-host.ts";
import { DEVICE_NOTES, NoteRemovals } from "./adapters/device-notes.ts";
import { StoredNotes } from "./adapters/stored-notes.ts";
import { AssetJournal } from "./assets/asset-journal.ts";
import { AssetOverlays } from "./assets/asset-overlays.ts";
import { AssetRegistry } from "./assets/registry.ts";
import { Corrections } from "./checks/corrections.ts";
import type { PriceSource } from "./contracts/places.ts";
import { createServices } from "./create-services.ts";
import type { Device } from "./devices/device.ts";
import { ReadingTally } from "./devices/reading-tally.ts";
import { retireDevices } from "./devices/retirement.ts";
import type { EngineConfig, PartContext } from "./engine-part.ts";
import { createDevice } from "./fleet/create-device.ts";
import type { DeviceEntry } from "./fleet/device-entry.ts";
import { DeviceSet } from "./fleet/device-set.ts";
import { FleetService } from "./fleet/fleet-service.ts";
import { Roster } from "./fleet/roster.ts";
import { openMarket } from "./market/open-market.ts";
import { RunningEngine } from "./running-engine.ts";
import { AuthorizationService } from "./users/authorization-service.ts";
import { createCredentialsOverlay } from "./users/credentials-overlay.ts";
import { silenceUsers } from "./users/silent-store.ts";
import { UserRemovalService } from "./users/user-removals.ts";
import { UserService } from "./users/user-service.ts";

type EngineWorld = Pick<
  Platform,
  "clock" | "random" | "net" | "serial" | "udp" | "mdns" | "http" | "webSockets" | "log"
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
  /** How actions of an adapter's devices are driven, where not as usual. */
  readonly timings?: Readonly<Record<string, ActionTimings>>;
}

/** Makes the engine and starts it; no device has to answer for that. The caller disposes it before the store. */
export async function createEngine(options: EngineOptions): Promise<RunningEngine> {
  const { clock, random, config, timings = {} } = options;
  const adapters = servedAdapters(options);
  const log = options.log.child({ part: "engine" });
  const owner = config.site.owner;
  const registry = new AssetRegistry();
  const refresh: PartContext["refresh"] = (asset) => refreshAssets(devices.all(), asset);
  const people = createPeople({ ...options, adapters, log, registry, refresh });
  const { store, roster, users, authorizations, isAuthorized } = people;
  await users.welcome(roster.owners());

  const overlays = new AssetOverlays();
  const controllers = new ControllerRegistry();
  const journal = new AssetJournal({ store, clock, log, current: (kind, id) => registry.get(kind, id) });
  const host = hostOf({ ...options, adapters, log, store, users, roster });
  const targets = actionTargets({ registry, timings, isAuthorized, controllers, devices: () => devices });
  const actions = new ActionService({ store, clock, random, log, targets });
  const corrections = new Corrections(store);
  const base = { clock, store, registry, journal, host, readings: new ReadingTally() };
  const lacks = forgetsAbsent(log, (deviceId, kinds) => fleet.reshow(deviceId, kinds, []));
  const shared = { ...base, random, corrections, overlays, actions, targets, authorizations, lacks };
  const make = (entry: DeviceEntry, deviceLog: Log): Device => createDevice(shared, entry, deviceLog);
  const devices = new DeviceSet({ clock, random, log, make });
  for (const id of roster.ids()) beginDevice(devices, roster.entry(id));
  actions.resume();
  const fleet = new FleetService({
    store,
    devices,
    roster,
    actions,
    registry,
    owner,
    forgetters: users.forgetters,
    reauthorize: (userIds) => users.reauthorization(userIds),
  });
  const engine = new RunningEngine({ ...base, log, actions, devices });
  const { services, parts } = createServices(
    {
      clock,
      random,
      log,
      store,
      config,
      assets: registry,
      devices: () => devices.all(),
      actions,
      overlays,
      fleet,
      users,
      userRemovals: new UserRemovalService({ store, assets: registry, users, fleet, roster }),
      authorizations,
      refresh,
      corrections,
      amend: (assetId, fields) => journal.amend(assetId, fields),
      ...marketOf({ ...options, log }),
      forecast: { http: options.http, sources: options.forecastSources ?? [] },
      ...host.parts(),
      discovery: { ...options, roster, finders: host.finders(), devices: () => engine.devices() },
      refreshHint: (kind, id) => engine.refreshHint(kind, id),
    },
    controllers,
  );
  // The parts are there, so what they keep about assets of devices that are gone goes along.
  const known = new Set([...roster.ids(), ...lockedDevices(store)]);
  await retireDevices(known, { store, clock, log, owner, roster, forgetters: users.forgetters });
  overlays.add(createCredentialsOverlay(isAuthorized));
  for (const device of devices.all()) device.assets.rebase();
  engine.begin(services, parts);
  return engine;
}

/** Removes assets of parts that a device lacks, as a removal does, once in a run for each device: a disk may refuse. */
function forgetsAbsent(
  log: Log,
  remove: (deviceId: string, kinds: readonly AssetKind[]) => Promise<void>,
): (deviceId: string, kinds: readonly AssetKind[]) => void {
  const tried = new Set<string>();
  return (deviceId, kinds) => {
    if (tried.has(deviceId)) return;
    tried.add(deviceId);
    log.info({ deviceId, kinds }, "assets of parts that the device lacks are removed");
    remove(deviceId, kinds).catch((err: unknown) => log.warn({ err, deviceId }, "assets not removed yet"));
  };
}

/** Keeps the prices that the configuration asks for, where the caller has none of its own. */
function marketOf({ priceSource, markets = [], ...parts }: EngineOptions): Pick<PartContext, "priceSource" | "market"> {
  const market = priceSource === undefined ? openMarket({ ...parts, sources: markets }) : null;
  return { priceSource: priceSource ?? market, market };
}

/** Devices whose record cannot be opened now: their assets keep their ids until it can be. */
function lockedDevices(store: Pick<Store, "locked">): readonly string[] {
  return store.locked.filter(({ table }) => table === "device").map(({ key }) => key);
}

/** The adapters at work, with what they keep of devices and accounts; the latter goes with the devices. */
function hostOf(
  parts: EngineOptions & { readonly users: Pick<UserService, "onRemoved">; readonly roster: Roster },
): AdapterHost {
  const { clock, random, net, serial, udp, http, webSockets, mqtt, log, adapters, store, users, roster } = parts;
  users.onRemoved(new NoteRemovals(store));
  users.onRemoved(new AccountNoteRemovals(store, () => roster.accounts()));
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

function beginDevice(devices: DeviceSet, entry: DeviceEntry | null): void {
  if (entry !== null) devices.begin(entry);
}

/** Whose devices there are, and what of theirs may be reached and told. */
function createPeople(
  options: Pick<EngineOptions, "clock" | "config" | "adapters" | "log" | "store"> & {
    readonly registry: AssetRegistry;
    refresh(): void;
  },
) {
  const { clock, config, adapters, log, registry, refresh } = options;
  const store = silenceUsers(options.store, (userId) => users.isDeauthorized(userId));
  const roster = new Roster({ config, adapters, store, isDeauthorized: (userId) => users.isDeauthorized(userId) });
  const isPresent = (deviceId: string): boolean => roster.userOf(deviceId) !== null;
  const authorizations = new AuthorizationService({ store, clock, log, isPresent, refresh });
  const users: UserService = new UserService({ store, clock, log, assets: registry, authorizations });
  const isAuthorized = (userId: string, vendor: string): boolean =>
    !users.isDeauthorized(userId) && authorizations.isValid(userId, vendor);
  return { store, roster, users, authorizations, isAuthorized };
}

/** What actions see of the devices; the devices are made with the actions, so they are asked for when they are there. */
function actionTargets(parts: {
  readonly registry: AssetRegistry;
  readonly timings: Readonly<Record<string, ActionTimings>>;
  readonly isAuthorized: (userId: string, vendor: string) => boolean;
  readonly controllers: Pick<ControllerRegistry, "inChargeOf">;
  readonly devices: () => DeviceSet;
}): ActionTargets {
  const { registry, timings, isAuthorized, controllers, devices } = parts;
  return {
    deviceOf: (type, assetId) => devices().carrierOf(type, assetId),
    device: (deviceId) => devices().byId(deviceId),
    target: (type, assetId) => targetOf(registry, type, assetId),
    wake: (device) => devices().wake(device),
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
