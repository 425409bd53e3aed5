/** Wires platform, configuration and adapters into a running gateway. Nothing else does. */
import type { FastifyInstance } from "fastify";
import { announceApi } from "./api/announcement.ts";
import { listClients, revokeClient } from "./api/clients/client-register.ts";
import { createClientSecrets } from "./api/clients/client-secrets.ts";
import { type ClientCredentials, type ClientPin, createClient, pinClient } from "./api/clients/clients.ts";
import { CloudCaller } from "./api/clients/cloud-caller.ts";
import { listenAt } from "./api/listen.ts";
import { createApi } from "./api/server.ts";
import { createMapEvent } from "./api/versions/map-event.ts";
import { NEWEST_VERSION } from "./api/versions/served-versions.ts";
import { takeCommands } from "./broker/commands.ts";
import { createMqttLinks } from "./broker/mqtt-links.ts";
import { openConfigured } from "./broker/open-configured.ts";
import type { RetainedStorage } from "./broker/retained-keeper.ts";
import { publishRetainedStates } from "./broker/retained-states.ts";
import { cloudProvision, DEFAULT_EVENT_MEGABYTES } from "./config/cloud-config.ts";
import type { Config } from "./config/config.ts";
import { MINUTE_MS } from "./domain/duration.ts";
import type { ClientEntry } from "./domain/people/account.ts";
import { problemBase } from "./domain/problem.ts";
import type { ClientScope } from "./domain/users/scope.ts";
import { snapshotEvents } from "./engine/assets/snapshot-events.ts";
import { openBackups } from "./engine/backup/open-backups.ts";
import { HouseConfiguration, type HouseLayer } from "./engine/configuration/house-configuration.ts";
import type { Backups } from "./engine/contracts/backup.ts";
import type { CloudLink } from "./engine/contracts/cloud-link.ts";
import type { HouseSettings } from "./engine/contracts/configuration.ts";
import type { Https } from "./engine/contracts/https/https.ts";
import type { PriceSource } from "./engine/contracts/places.ts";
import type { Updates } from "./engine/contracts/updates.ts";
import { createEngine } from "./engine/create-engine.ts";
import { openHttps } from "./engine/https/open-https.ts";
import { openModbusProxy } from "./engine/modbus-proxy/open-modbus-proxy.ts";
import type { RunningEngine } from "./engine/running-engine.ts";
import { openUpdates } from "./engine/updates/open-updates.ts";
import type { MqttLinks, Platform } from "./platform/ports/ports.ts";
import type { TlsListen } from "./platform/ports/tls-listener-port.ts";
import { within } from "./platform/within.ts";
import type { Adapter } from "./sdk/driver.ts";
import type { ForecastSource } from "./sdk/forecast-source.ts";
import type { MarketSource } from "./sdk/market-source.ts";
import { openStore } from "./store/open-store.ts";
import type { NewJournalEntry, OpenedStore, Store } from "./store/store.ts";
import { configurationView } from "./sync/cloud/configuration-record.ts";
import { createCloud } from "./sync/cloud/create-cloud.ts";
import {
  type ConfigurationLayer,
  fixedLayer,
  RemoteConfiguration,
  type RemoteConfigurationParts,
} from "./sync/cloud/remote-configuration.ts";
import { routesOf } from "./sync/cloud/routes.ts";
import { createSync } from "./sync/create-sync.ts";
import { type OpenedCloudLink, openCloudLink } from "./sync/identity/open-cloud-link.ts";
import { transportsOf } from "./sync/identity/transports.ts";
import type { Zstd } from "./sync/protocol/frame.ts";

/** Time for each part to close, ms; the sum is below the time that `main.ts` allows for a stop. */
const BROKER_CLOSE_MS = 100;
const STATES_CLOSE_MS = 100;
const API_CLOSE_MS = 350;
/** After the API, which answers what is under way. */
const HTTPS_CLOSE_MS = 300;
const ANNOUNCEMENT_CLOSE_MS = 200;
const BACKUPS_CLOSE_MS = 50;
const SYNC_CLOSE_MS = 150;
const CLOUD_CLOSE_MS = 100;
const CLOUD_SESSION_CLOSE_MS = 200;
const ENGINE_CLOSE_MS = 2_400;
/** Before the engine: what other programs write comes before the safe values. */
const PROXY_CLOSE_MS = 50;
const CONFIGURATION_CLOSE_MS = 50;
const OPTIMIZER_CLOSE_MS = 150;
const STORE_CLOSE_MS = 1_000;

const BYTES_PER_MEGABYTE = 1_000_000;

export interface GatewayOptions {
  readonly platform: Platform;
  /** The configuration, parsed by `configSchema` with these adapters. */
  readonly config: Config;
  readonly adapters: readonly Adapter[];
  /** The caller's market prices, used instead of the configured source. */
  readonly priceSource?: PriceSource;
  /** The sources of market prices that were passed to `configSchema`. */
  readonly markets?: readonly MarketSource[];
  /** The sources of solar forecasts that were passed to `configSchema`. */
  readonly forecastSources?: readonly ForecastSource[];
  /**
   * Keys of 32 bytes for the secrets in the store: the first encrypts, all decrypt. Keep them apart from the store's disk.
   * Without keys the secrets are stored in clear text.
   */
  readonly secretKeys?: readonly Uint8Array[];
  /** The version that is reported to cloud services, such as `0.1.0`. */
  readonly version?: string;
  /** Compresses what is sent to a cloud service. Without it the gateway connects to none. */
  readonly zstd?: Zstd;
  /** Listens for https, if the configuration has it. Without it the gateway answers http only. */
  readonly tlsListen?: TlsListen;
  /** `false`: the API does not listen and answers `inject` only. */
  readonly listen?: boolean;
  /** Called right before the API listens, such as to free its port. */
  beforeListening?(): Promise<void>;
  /** The parts of the configuration that a cloud service may change. Without it, none. */
  readonly remote?: RemoteOptions;
}

/** `layer.own` is the gateway's `config`. Without `house`, nothing of it can be set over the API. */
export type RemoteOptions = Pick<RemoteConfigurationParts<Config>, "layer" | "begun" | "restart"> & {
  readonly house?: HouseLayer<ConfigurationLayer<Config>>;
};

/** A running gateway. Disposing it sets each device to its safe default and closes everything, in bounded time. */
export interface Gateway extends AsyncDisposable {
  /** The configuration with what a cloud service has set. */
  readonly config: Config;
  readonly store: Store;
  readonly engine: RunningEngine;
  readonly api: FastifyInstance;
  readonly cloud: CloudLink;
  /** `null` if the platform has no files for backups. */
  readonly backups: Backups | null;
  readonly updates: Updates;
  readonly https: Https;
  /** The API's address, such as `http://127.0.0.1:8080`; `null` if it does not listen. */
  readonly address: string | null;
  /**
   * Creates an API client, pinned to the newest version or to `version`, with scopes such as `energy:limits`. The secret
   * cannot be read again later.
   */
  createClient(name: string, version?: string, scopes?: readonly ClientScope[]): Promise<ClientCredentials>;
  /** Pins a client to a version of the API. Rejects with `unsupported-version` or `not-found`. */
  pinClient(id: string, version: string): Promise<ClientPin>;
  /** Returns the clients of the API, newest first. */
  clients(): readonly ClientEntry[];
  /** Revokes a client with its tokens, webhooks and limits; returns its name. Rejects with `not-found`. */
  revokeClient(id: string): Promise<string>;
}

/**
 * Starts a gateway; no device has to answer for that. Rejects if the store does not open, or if the address of the API or
 * the broker is taken; nothing is left open then. If it does not start with settings of a cloud service that are on trial,
 * or with settings that were just made over the API, it starts with the previous ones.
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { platform, secretKeys = [] } = options;
  const { clock, random, disk, log } = platform;
  await using parts = new AsyncDisposableStack();
  const store = await openStore({ disk, clock, random, log, secretKeys, routes: routesOf });
  parts.defer(() => closeWithin(platform, "store", STORE_CLOSE_MS, () => store[Symbol.asyncDispose]()));
  const house = houseConfiguration(options, store);
  let configuration = await openConfiguration(options, store, house.layer());
  parts.defer(() =>
    closeWithin(platform, "configuration", CONFIGURATION_CLOSE_MS, () => configuration[Symbol.asyncDispose]()),
  );
  const wired = (): Promise<WiredParts> =>
    wire({ ...options, config: configuration.config }, store, configuration, house);
  const { parts: own, ...gateway } = await wired().catch(async (error: unknown) => {
    if (configuration.isOnTrial) await configuration.failed(error);
    else if (await house.failed(error)) configuration = await openConfiguration(options, store, house.layer());
    else throw error;
    return await wired();
  });
  house.started();
  parts.use(own);
  const open = parts.move();
  return {
    ...gateway,
    config: configuration.config,
    store,
    createClient: (name, version, scopes) => createClient({ store, clock, random }, name, version, scopes),
    pinClient: (id, version) => pinClient({ store }, id, version),
    clients: () => listClients({ store }),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** `layer` takes the place of the configuration file alone; `null`: nothing is laid over the file in the house. */
function openConfiguration(
  { platform, config, remote }: GatewayOptions,
  store: OpenedStore,
  layer: ConfigurationLayer<Config> | null,
): Promise<RemoteConfiguration<Config>> {
  const fixed = { layer: fixedLayer(config), begun: null, restart: () => undefined };
  const trialMs = config.remote.trialMinutes * MINUTE_MS;
  const inHouse = layer === null ? {} : { layer };
  return RemoteConfiguration.open({ ...platform, store, trialMs, ...fixed, ...remote, ...inHouse });
}

/** The settings that are made over the API. */
function houseConfiguration(
  { platform, remote, markets = [], forecastSources = [] }: GatewayOptions,
  store: OpenedStore,
): HouseConfiguration<ConfigurationLayer<Config>> {
  const fleet = () => configurationView(store.get("cloud-configuration", "current"));
  return new HouseConfiguration({
    ...platform,
    store,
    layer: remote?.house ?? null,
    sources: { prices: markets.map(({ id }) => id), forecasts: forecastSources.map(({ id }) => id) },
    fleetSections: () => fleet().sections,
    isOnTrial: () => fleet().trialRevision !== null,
    restart: () => remote?.restart(null),
  });
}

/** The parts that are made from the configuration and live as long as it is in use. */
interface WiredParts
  extends Pick<Gateway, "engine" | "api" | "cloud" | "backups" | "updates" | "https" | "address" | "revokeClient"> {
  readonly parts: AsyncDisposableStack;
}

async function wire(
  options: GatewayOptions,
  store: OpenedStore,
  configuration: RemoteConfiguration<Config>,
  settings: HouseSettings,
): Promise<WiredParts> {
  const { platform, config, adapters, secretKeys = [], version, listen = true } = options;
  const { clock, random, http, log } = platform;
  await using parts = new AsyncDisposableStack();
  const closeLater = (name: string, limitMs: number, close: () => PromiseLike<unknown>): void =>
    parts.defer(() => closeWithin(platform, name, limitMs, close));
  const secrets = createClientSecrets({ store, random });
  // Opened before the engine, whose devices talk over it, and closed after it: safe values go out over it, too.
  const configured = await openConfigured({
    platform,
    config: config.mqtt,
    storage: retainedStorage(store),
    isClient: async (id, secret) => (secrets.recall({ id, secret }) ?? (await secrets.verify({ id, secret }))) !== null,
  });
  closeLater("broker", BROKER_CLOSE_MS, () => configured[Symbol.asyncDispose]());
  const mqtt = createMqttLinks({ mqtt: platform.mqtt, configured: configured.broker, log });
  // Closed after the engine: a plan that is being made ends with its thread.
  closeLater("optimizer", OPTIMIZER_CLOSE_MS, () => platform.optimizer[Symbol.asyncDispose]());
  const engine = await createEngine({ ...platform, mqtt, store, config, adapters, ...sourcesOf(options) });
  closeLater("engine", ENGINE_CLOSE_MS, () => engine[Symbol.asyncDispose]());
  const proxy = await openModbusProxy({ ...platform, config, engine });
  closeLater("modbus proxy", PROXY_CLOSE_MS, async () => await proxy?.[Symbol.asyncDispose]());
  const cloud = await openCloud(options, store, engine);
  closeLater("cloud", CLOUD_CLOSE_MS, () => cloud[Symbol.asyncDispose]());
  const versions = { mapped: createMapEvent(), newestVersion: NEWEST_VERSION.date };
  const backups = openBackups({ ...platform, store, config, secretKeys, software: version ?? null });
  closeLater("backups", BACKUPS_CLOSE_MS, async () => await backups?.[Symbol.asyncDispose]());
  const updates = parts.use(openUpdates({ ...platform, store, version, config }));
  const scheduled = { mailer: platform.mailer, backups: config.backup.schedule === undefined ? null : backups };
  const sync = createSync({ engine, store, clock, random, http, log, config, updates, ...scheduled, ...versions });
  closeLater("sync", SYNC_CLOSE_MS, () => sync[Symbol.asyncDispose]());
  const { webhooks, live, notifications, influx } = sync;
  const https = openHttps({ ...platform, store, config, listen: options.tlsListen ?? null });
  closeLater("https", HTTPS_CLOSE_MS, () => https[Symbol.asyncDispose]());
  const served = { engine, store, backups, cloud: cloud.link, proxy, https, updates };
  const news = { webhooks, live, notifications, influx };
  const own = { clock, random, secrets, log, config, settings, version };
  const { recentLog, page, descriptions, net } = platform;
  const shown = { recentLog, page, descriptions, hostName: net.hostName() };
  const api = await createApi({ ...served, ...news, ...own, ...shown });
  closeLater("api", API_CLOSE_MS, () => api.close());
  const { timezone: timeZone } = config.site;
  parts.use(platform.cron.schedule({ expression: config.storage.housekeeping, timeZone }, store.removeOldHistory));
  const session = startCloudSession(cloud, { options, store, engine, api, configuration });
  closeLater("cloud session", CLOUD_SESSION_CLOSE_MS, async () => await session?.[Symbol.asyncDispose]());
  const states = await speakMqtt(platform, config, mqtt, engine);
  closeLater("states", STATES_CLOSE_MS, () => states[Symbol.asyncDispose]());
  const address = listen ? await listenAt(api, https, config.http, options) : null;
  const announced = address === null ? null : announceApi(address, { ...platform, store, config, https });
  closeLater("announcement", ANNOUNCEMENT_CLOSE_MS, async () => await announced?.[Symbol.asyncDispose]());
  const revoke = (id: string): Promise<string> => revokeClient({ store, webhooks, ...engine.services }, id);
  const moved = parts.move();
  return { engine, api, cloud: cloud.link, backups, updates, https, address, revokeClient: revoke, parts: moved };
}

/** Where prices and forecasts come from. */
function sourcesOf({ priceSource, markets = [], forecastSources = [] }: GatewayOptions) {
  return { forecastSources, ...(priceSource === undefined ? { markets } : { priceSource }) };
}

/** Opens the gateway's identity at a cloud service, and the outbox that fills while it has one. */
function openCloud(
  { platform, config, version }: GatewayOptions,
  store: OpenedStore,
  engine: RunningEngine,
): Promise<OpenedCloudLink> {
  return openCloudLink({
    ...platform,
    store,
    software: softwareName(version),
    provision: cloudProvision(config.cloud),
    snapshot: () => [...recoveredEntries(store), ...snapshotEvents(engine)],
  });
}

interface CloudSurroundings {
  readonly options: GatewayOptions;
  readonly store: OpenedStore;
  readonly engine: RunningEngine;
  readonly api: FastifyInstance;
  readonly configuration: RemoteConfiguration<Config>;
}

/** Starts the session with the cloud service at which the gateway is enrolled; `null` if it connects to none. */
function startCloudSession(link: OpenedCloudLink, surroundings: CloudSurroundings): AsyncDisposable | null {
  const { options, store, engine, api, configuration } = surroundings;
  const { platform, config, version, zstd } = options;
  if (zstd === undefined) return null;
  const { namePrefix } = config.compat;
  const megabytes = config.cloud?.maxEventMegabytes ?? DEFAULT_EVENT_MEGABYTES;
  return link.run({
    open: (account, before) => transportsOf(account, platform, before),
    start: (gateway, uplink) =>
      createCloud({
        ...platform,
        store,
        gateway,
        uplink,
        zstd,
        configuration,
        software: softwareName(version),
        maxEventBytes: megabytes * BYTES_PER_MEGABYTE,
        snapshot: () => snapshotEvents(engine),
        devices: () => engine.devices().map(({ id }) => id),
        api: new CloudCaller({ ...platform, api, store, namePrefix }),
      }),
  });
}

function softwareName(version: string | undefined): string {
  return version === undefined ? "hemgate" : `hemgate/${version}`;
}

/** The entry about damage to the store, which was journaled before the outbox was open. */
function recoveredEntries({ recovered }: OpenedStore): readonly NewJournalEntry[] {
  return recovered.length === 0 ? [] : [{ event: "system:store:recovered", payload: { details: recovered } }];
}

/** Retained messages of MQTT clients in the store. They are written along with other commits. */
function retainedStorage(store: Store): RetainedStorage {
  const table = "mqtt-retained";
  return {
    load: () => store.all(table).map((kept) => ({ ...kept, payload: Buffer.from(kept.payload, "base64") })),
    write: (topic, message) => {
      if (message === null) return store.commitAlong([{ table, key: topic, remove: true }]);
      const payload = Buffer.from(message.payload).toString("base64");
      store.commitAlong([{ table, key: topic, put: { ...message, payload } }]);
    },
  };
}

/** Publishes the gateway's states over MQTT and takes commands. */
async function speakMqtt(
  { clock, log }: Platform,
  config: Config,
  links: MqttLinks,
  engine: RunningEngine,
): Promise<AsyncDisposable> {
  await using open = new AsyncDisposableStack();
  if (config.mqtt !== undefined) {
    const { homeAssistant, commands } = config.mqtt;
    const link = open.use(links.link(null));
    const { assets, services } = engine;
    const { hemSystems } = services;
    const states = { assets, hemSystems, energy: services, link, clock, log, homeAssistant };
    open.use(await publishRetainedStates(states));
    const base = problemBase(config.compat.namePrefix);
    const { audit } = services;
    if (commands.isEnabled)
      open.use(takeCommands({ engine, audit, link, clock, log, problemBase: base, limits: config.http.limits }));
  }
  return open.move();
}

/** Closes a part. One that takes too long is abandoned: the process ends anyway, and the disk is consistent. */
async function closeWithin(
  { clock, log }: Pick<Platform, "clock" | "log">,
  part: string,
  limitMs: number,
  close: () => PromiseLike<unknown>,
): Promise<void> {
  try {
    await within(clock, limitMs, new AbortController().signal, async () => await close());
  } catch (err) {
    log.warn({ err, part }, "part of the gateway did not close in time");
  }
}
