/** Runs a gateway as a process: on the machine's clock, network and disk, until it is stopped. */

import { commandLineCaller } from "./api/clients/command-line-caller.ts";
import { lanAddresses, pageAddresses } from "./api/lan-addresses.ts";
import { controlServer } from "./cli-socket/control-server.ts";
import { watchService } from "./cli-socket/service-watch.ts";
import { keepSetupNotice } from "./cli-socket/setup-notice.ts";
import type { Config } from "./config/config.ts";
import { createGateway, type Gateway, type RemoteOptions } from "./gateway.ts";
import { errorText } from "./platform/error-text.ts";
import { endFailedAdapter } from "./platform/node/foreign/contained-adapter.ts";
import { nodeTlsListen } from "./platform/node/tls-listener.ts";
import {
  clearNote,
  clearSocketPath,
  MAX_SOCKET_PATH_BYTES,
  noteNoSocket,
  protectSocket,
} from "./platform/node/unix-socket.ts";
import { zstd } from "./platform/node/zstd.ts";
import type { ConsoleNotice } from "./platform/ports/console-notice-port.ts";
import type { Log, Platform } from "./platform/ports/ports.ts";
import type { ServiceManager } from "./platform/ports/service-manager.ts";
import { within } from "./platform/within.ts";
import type { Adapter } from "./sdk/driver.ts";
import type { ForecastSource } from "./sdk/forecast-source.ts";
import type { MarketSource } from "./sdk/market-source.ts";
import { fixedLayer } from "./sync/cloud/remote-configuration.ts";

/** Time in which a stop closes everything and writes it to disk, ms. What is still open then is abandoned. */
const STOP_WITHIN_MS = 4_900;

export interface BoxOptions {
  readonly platform: Platform;
  readonly config: Config;
  readonly adapters: readonly Adapter[];
  /** The sources of market prices that the configuration can name. */
  readonly markets?: readonly MarketSource[];
  /** The sources of solar forecasts that the configuration can name. */
  readonly forecastSources?: readonly ForecastSource[];
  /** Keys that encrypt the secrets in the store; the first encrypts, all decrypt. */
  readonly secretKeys: readonly Uint8Array[];
  readonly version: string;
  /** Path of the command line's socket, in a folder that only this gateway uses. */
  readonly socketPath: string;
  readonly manager: ServiceManager;
  /** Where the machine's consoles show the gateway's address and setup code; `null`: nowhere. */
  readonly notice?: ConsoleNotice | null;
  /** Folder of third-party adapters. An error that they throw outside of a call does not end the process. */
  readonly foreignFolder?: string;
  /** Called right before the API listens: frees its port. */
  beforeListening?(): Promise<void>;
  /** The configuration with the parts that a cloud service may set. Without it, a cloud service may set nothing. */
  readonly layer?: RemoteOptions["layer"];
  /** The configuration with the parts that can be set over the API. Without it, none. */
  readonly house?: RemoteOptions["house"];
  /** Runs beside the gateway after each start, until the signal aborts. */
  whileRunning?(gateway: Gateway, signal: AbortSignal): Promise<void>;
}

/** How the process ended. `crashed`: by an unhandled error, or by a part that did not close in time. */
export type BoxEnd = "stopped" | "crashed";

/**
 * Runs the gateway until the signal aborts or an error is not handled. A new configuration restarts it in the same process.
 * Rejects if it cannot start.
 */
export async function runBox(options: BoxOptions, signal: AbortSignal): Promise<BoxEnd> {
  using crash = watchForCrash(options.platform.log, options.foreignFolder);
  for (let begun: number | null = null; ; ) {
    const end: RunEnd = await runGateway(options, begun, crash, signal);
    if (end.kind !== "restart") return end.kind;
    begun = end.begun;
  }
}

/** How one run of the gateway ended. `begun`: the revision of the configuration to try next. */
type RunEnd = { readonly kind: BoxEnd } | { readonly kind: "restart"; readonly begun: number | null };

async function runGateway(
  options: BoxOptions,
  begun: number | null,
  crash: CrashWatch,
  signal: AbortSignal,
): Promise<RunEnd> {
  const { log } = options.platform;
  const running = new AbortController();
  const work = new AsyncDisposableStack();
  const restart = Promise.withResolvers<RunEnd>();
  const trial = { begun, restart: (next: number | null) => restart.resolve({ kind: "restart", begun: next }) };
  let end: RunEnd = { kind: "stopped" };
  try {
    const gateway = await start(options, trial, work);
    const tasks = [
      watchService(
        { ...options.platform, ...options, stalledLoops: () => gateway.engine.stalledLoops() },
        running.signal,
      ),
      showOnConsoles(gateway, options, running.signal),
      options.whileRunning?.(gateway, running.signal),
    ];
    work.defer(async () => void (await Promise.allSettled(tasks)));
    for (const task of tasks) void task?.catch(crash.report);
    end = await Promise.race([aborted(signal), crash.happened, restart.promise]);
    if (end.kind !== "crashed")
      log.info({}, end.kind === "restart" ? "restarting with another configuration" : "stopping");
  } finally {
    running.abort();
    const state = end.kind === "restart" ? "STATUS=starting with another configuration" : "STOPPING=1";
    // A part that did not close may still hold what the next start needs.
    if (!(await close(options, state, work))) end = { kind: "crashed" };
  }
  return end;
}

/** Opens everything onto the stack. The service counts as started once the API answers, even if no device does. */
async function start(
  options: BoxOptions,
  trial: Omit<RemoteOptions, "layer">,
  work: AsyncDisposableStack,
): Promise<Gateway> {
  const {
    platform,
    config,
    adapters,
    markets = [],
    forecastSources = [],
    secretKeys,
    version,
    manager,
    layer = fixedLayer(config),
    house,
    beforeListening,
  } = options;
  const sources = { markets, forecastSources };
  const remote = { ...trial, layer, ...(house !== undefined && { house }) };
  const gateway = work.use(
    await createGateway({
      ...{
        platform,
        config,
        adapters,
        ...sources,
        secretKeys,
        version,
        zstd,
        remote,
        tlsListen: nodeTlsListen(platform),
      },
      ...(beforeListening !== undefined && { beforeListening }),
    }),
  );
  await serveControl(gateway, options, work);
  await manager.notify("READY=1", `STATUS=API at ${gateway.address}, devices: ${gateway.config.devices.length}`);
  return gateway;
}

async function serveControl(gateway: Gateway, options: BoxOptions, work: AsyncDisposableStack): Promise<void> {
  const { platform, version, socketPath } = options;
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) {
    platform.log.warn({ socketPath }, "the state folder's path is too long for the command line's socket");
    return;
  }
  const { engine, address, cloud, backups, updates } = gateway;
  const { clock, log } = platform;
  const app = controlServer({
    engine,
    findings: { ...engine.services, backups },
    discovery: engine.services.discovery,
    cloud,
    clock,
    log,
    version,
    address,
    people: engine.services.people,
    audit: engine.services.audit,
    backups,
    exports: engine.services.exports,
    updates,
    reach: () => ({
      addresses: reachOf(gateway, platform),
      authority: gateway.https.state().authority?.fingerprint ?? null,
    }),
    callApi: commandLineCaller({ ...platform, api: gateway.api, store: gateway.store }),
    clients: () => gateway.clients(),
    revokeClient: (id) => gateway.revokeClient(id),
    createClient: (name, apiVersion, scopes) => gateway.createClient(name, apiVersion, scopes),
    pinClient: (id, apiVersion) => gateway.pinClient(id, apiVersion),
  });
  work.defer(() => app.close());
  try {
    // The store's lock says that no other gateway is here, so a socket that is here is a killed one's.
    await clearNote(socketPath);
    await clearSocketPath(socketPath);
    await app.listen({ path: socketPath });
    await protectSocket(socketPath);
  } catch (error) {
    // The house goes on without the command line.
    await app.close();
    const reason = errorText(error);
    log.warn({ socketPath, reason }, "the state folder takes no socket: the command line does not reach this gateway");
    work.defer(() => clearNote(socketPath));
    // A folder that takes no file either leaves the log.
    await noteNoSocket(socketPath, reason).catch(() => undefined);
  }
}

async function showOnConsoles(gateway: Gateway, options: BoxOptions, signal: AbortSignal): Promise<void> {
  const { platform, notice = null } = options;
  if (notice === null) return;
  const { people } = gateway.engine.services;
  const addresses = (): readonly string[] => reachOf(gateway, platform);
  await keepSetupNotice({ clock: platform.clock, log: platform.log, notice, people, addresses }, signal);
}

/** The page's addresses for other machines of the house, best first. */
function reachOf({ address, config, https }: Gateway, { net }: Platform): readonly string[] {
  const lan = address === null ? [] : lanAddresses(address, config.http.host, net);
  return pageAddresses(lan, https.state());
}

/** Closes everything within the time of a stop. Returns `false` if something did not close. */
async function close({ platform, manager }: BoxOptions, state: string, work: AsyncDisposableStack): Promise<boolean> {
  const { clock, log } = platform;
  const { signal } = new AbortController();
  try {
    await within(clock, STOP_WITHIN_MS, signal, async () => {
      await Promise.all([work.disposeAsync(), manager.notify(state)]);
    });
    return true;
  } catch (error) {
    log.error({ err: error }, "the gateway did not close in order");
    return false;
  }
}

/** Resolves when the signal aborts. */
function aborted(signal: AbortSignal): Promise<{ readonly kind: "stopped" }> {
  const { promise, resolve } = Promise.withResolvers<{ readonly kind: "stopped" }>();
  if (signal.aborted) resolve({ kind: "stopped" });
  signal.addEventListener("abort", () => resolve({ kind: "stopped" }), { once: true });
  return promise;
}

interface CrashWatch extends Disposable {
  /** Resolves at the first error that nobody handled. */
  readonly happened: Promise<{ readonly kind: "crashed" }>;
  readonly report: (error: unknown) => void;
}

/** Turns an unhandled error into an orderly stop, so that what is in memory still goes to disk. */
function watchForCrash(log: Log, foreignFolder: string | undefined): CrashWatch {
  const { promise, resolve } = Promise.withResolvers<{ readonly kind: "crashed" }>();
  const report = (error: unknown): void => {
    const ended = endFailedAdapter(error);
    if (ended?.wasRunning === true) {
      log.error(
        { err: error, adapter: ended.adapter },
        "an adapter failed outside of a call and is stopped for a while",
      );
    }
    if (ended !== null) return;
    if (foreignFolder !== undefined && isFrom(foreignFolder, error)) {
      log.error({ err: error }, "an adapter of a third party failed outside of a call");
      return;
    }
    log.error({ err: error }, "fatal: an error that nobody handles");
    resolve({ kind: "crashed" });
  };
  process.on("uncaughtException", report);
  return { happened: promise, report, [Symbol.dispose]: () => process.off("uncaughtException", report) };
}

/** Returns true if the code that threw lies in the folder; false for an error without a stack. */
function isFrom(folder: string, error: unknown): boolean {
  const [, thrower = ""] = error instanceof Error ? (error.stack ?? "").split(/\n {4}at /) : [];
  return thrower.includes(folder);
}
