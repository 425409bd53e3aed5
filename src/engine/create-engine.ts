import type { DeviceConfig } from "../config/config.ts";
import { ACTION_TIMINGS, type ActionTimings } from "../domain/action-timing.ts";
import type { Target } from "../domain/action-wish.ts";
import type { AssetKind } from "../domain/asset.ts";
import type { PointValues } from "../domain/snapshot.ts";
import type { Clock, Log, Net, Random } from "../platform/ports.ts";
import type { Adapter } from "../sdk/driver.ts";
import type { Store } from "../store/store.ts";
import { ActionService, type ActionTargets } from "./actions.ts";
import { AdapterHost } from "./adapter-host.ts";
import { AssetJournal } from "./asset-journal.ts";
import { AssetOverlays } from "./asset-overlays.ts";
import { ControllerRegistry } from "./controllers.ts";
import { createServices } from "./create-services.ts";
import { Device } from "./device.ts";
import { DeviceAssets } from "./device-assets.ts";
import { DeviceControl } from "./device-control.ts";
import { DeviceLeases } from "./device-leases.ts";
import { DeviceLoop } from "./device-loop.ts";
import type { EngineConfig } from "./engine-part.ts";
import { AssetRegistry } from "./registry.ts";
import { retireDevices } from "./retirement.ts";
import { RunningEngine } from "./running-engine.ts";

export interface EngineOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly net: Net;
  readonly log: Log;
  readonly store: Store;
  readonly config: EngineConfig;
  readonly adapters: readonly Adapter[];
  /** How actions of an adapter's devices are driven, where not as usual. */
  readonly timings?: Readonly<Record<string, ActionTimings>>;
}

/** What all devices share. */
interface Shared {
  readonly options: EngineOptions;
  readonly registry: AssetRegistry;
  readonly overlays: AssetOverlays;
  readonly journal: AssetJournal;
  readonly host: AdapterHost;
  readonly actions: ActionService;
  readonly targets: ActionTargets;
}

/** Makes the engine and starts it; no device has to answer for that. The caller disposes it before the store. */
export async function createEngine(options: EngineOptions): Promise<RunningEngine> {
  const { clock, random, net, store, config, adapters, timings = {} } = options;
  const log = options.log.child({ part: "engine" });
  const owner = config.site.owner;
  await retireDevices(new Set(config.devices.map(({ id }) => id)), { store, clock, log, owner });

  const registry = new AssetRegistry();
  const overlays = new AssetOverlays();
  const controllers = new ControllerRegistry();
  const journal = new AssetJournal({ store, clock, log, current: (kind, id) => registry.get(kind, id) });
  const host = new AdapterHost(adapters, { clock, random, net, log });
  const loops = new Map<Device, DeviceLoop>();
  const targets: ActionTargets = {
    deviceOf: (type, assetId) => [...loops.keys()].find((device) => device.carries(type, assetId)) ?? null,
    device: (deviceId) => [...loops.keys()].find(({ settings }) => settings.id === deviceId) ?? null,
    target: (type, assetId) => targetOf(registry, type, assetId),
    wake: (device) => loops.get(device)?.wake(),
    timings: (adapter) => timings[adapter] ?? ACTION_TIMINGS,
    inChargeOf: (targetId) => controllers.inChargeOf(targetId),
  };
  const actions = new ActionService({ store, clock, random, log, targets });
  const shared: Shared = { options, registry, overlays, journal, host, actions, targets };
  for (const entry of config.devices) {
    const deviceLog = log.child({ deviceId: entry.id, adapter: entry.adapter });
    const work = createDevice(shared, entry, deviceLog);
    loops.set(work, new DeviceLoop({ work, clock, random, log: deviceLog }));
  }
  actions.resume();
  const engine = new RunningEngine({ clock, log, store, registry, journal, actions, host, loops });
  const { services, parts } = createServices(
    {
      clock,
      random,
      log,
      store,
      config,
      assets: registry,
      actions,
      overlays,
      refresh: (asset) => refreshAssets([...loops.keys()], asset),
      linkers: host.linkers(),
      refreshHint: (kind, id) => engine.refreshHint(kind, id),
    },
    controllers,
  );
  engine.begin(services, parts);
  return engine;
}

function createDevice(shared: Shared, entry: DeviceConfig, log: Log): Device {
  const { options, registry, overlays, journal, host, actions, targets } = shared;
  const { clock, random, store, config, adapters } = options;
  const { id, adapter: adapterName, name, owner, scopes, ...rest } = entry;
  const adapter = adapters.find((candidate) => candidate.name === adapterName);
  if (adapter === undefined) throw new Error(`device ${id}: there is no adapter ${adapterName}`);
  const connectOptions = adapter.options.parse(rest);
  const settings = {
    id,
    adapter: adapterName,
    name,
    userId: owner ?? config.site.owner,
    scopes,
    siteName: config.site.name,
    timezone: config.site.timezone,
  };
  const values: PointValues = {};
  const leases = new DeviceLeases({ deviceId: id, store, clock, log });
  const device: Device = new Device({
    settings,
    clock,
    log,
    store,
    leases,
    values,
    assets: new DeviceAssets({ settings, clock, random, log, store, registry, overlays, journal }),
    control: new DeviceControl({
      clock,
      log,
      store,
      leases,
      values,
      target: ({ action }) => targets.target(action.targetType, action.targetId),
      beforeSend: (actionId, writes) => actions.beforeSend(device, actionId, writes),
      settle: (actionId, event) => actions.settle(actionId, event),
    }),
    connect: (signal) => host.connect(adapterName, id, connectOptions, signal),
  });
  return device;
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
