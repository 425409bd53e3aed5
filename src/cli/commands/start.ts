import { join } from "node:path";
import { FORECAST_SOURCES } from "../../../adapters/forecasts/sources.ts";
import { MARKETS } from "../../../adapters/prices/markets.ts";
import { lanAddresses } from "../../api/lan-addresses.ts";
import type { Config } from "../../config/config.ts";
import type { ConfigInput } from "../../config/load-config.ts";
import { RemoteLayer } from "../../config/remote-layer.ts";
import { type BoxOptions, runBox } from "../../main.ts";
import { consoleNotice } from "../../platform/node/console-notice.ts";
import { finishRestore } from "../../platform/node/files/restore-swap.ts";
import { makePrivateFolder } from "../../platform/node/files/text-file.ts";
import { nodePlatform } from "../../platform/node/node-platform.ts";
import { packageFacts } from "../../platform/node/package-root.ts";
import { serviceManager } from "../../platform/node/systemd-notify.ts";
import type { Platform } from "../../platform/ports/ports.ts";
import { fixedLayer } from "../../sync/cloud/remote-configuration.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { ADAPTERS_FOLDER, type KnownAdapters } from "../foreign-adapters.ts";
import { fileMistakes } from "../named-files.ts";
import { endRotation, keySource, startKeys } from "../secret-keys.ts";
import { startFailure } from "../start-failure.ts";
import { controlSocketPath, sandboxFolder, stateFolder } from "../state-folder.ts";
import { mistakeText, readConfig } from "./check-config.ts";

const MAX_PORT = 65_535;

export interface StartOptions {
  /** Path of the configuration. */
  readonly file: string;
  readonly state?: string;
  /** The file with the keys that seal the secrets in the state folder. */
  readonly keyFile?: string;
  readonly isSandbox: boolean;
  /** A home file (CSV) that drives the sandbox's load and sun. */
  readonly home?: string;
  readonly twinPorts?: string;
  /** Of the API, in place of the configuration's. */
  readonly port?: string;
  readonly isJson: boolean;
  /** Ends what answers at the API's address meanwhile. */
  freePort(): Promise<void>;
}

/** `hemgate start`: the gateway, until the context's signal aborts. */
export async function start(options: StartOptions, context: CliContext): Promise<ExitCode> {
  const { version } = packageFacts();
  const { isSandbox, twinPorts } = options;
  // A house has no need of the code that simulates one; ports that cannot be understood are an error all the same.
  const sandbox = isSandbox || twinPorts !== undefined ? await import("../sandbox/sandbox.ts") : null;
  const ports = sandbox?.twinPorts(twinPorts);
  const folder = isSandbox ? sandboxFolder(options.state, context) : stateFolder(options.state, context);
  const environment = { ...context.environment, ...portVariable(options.port) };
  if (await finishRestore(folder).catch((error: unknown) => Promise.reject(startFailure(error, folder) ?? error))) {
    context.err(`hemgate: finished the restore of a backup into ${folder}, which was interrupted`);
  }
  const usable = await usableConfig(options.file, folder, environment);
  try {
    await makePrivateFolder(folder);
    const simulated = isSandbox && sandbox !== null && ports !== undefined ? { ...sandbox, ports } : null;
    return await run({ options, ...usable, folder, version, simulated }, context);
  } catch (error) {
    throw startFailure(error, folder, usable.config.http.port) ?? error;
  }
}

/** The variable by which the environment sets the port: what is said on the command line counts more. */
function portVariable(port: string | undefined): CliContext["environment"] {
  if (port === undefined) return {};
  if (/^\d{1,5}$/.test(port) && Number(port) <= MAX_PORT) return { HEMGATE_HTTP_PORT: port };
  throw new CliError(EXIT.usage, `--port takes a number from 0 to ${MAX_PORT}, not "${port}"`);
}

async function usableConfig(
  file: string,
  folder: string,
  environment: CliContext["environment"],
): Promise<UsableConfig> {
  const { result, input, adapters, problems } = await readConfig(file, folder, environment);
  if (result.ok) return { config: result.config, input, adapters, problems };
  throw new CliError(EXIT.config, `the configuration has mistakes:\n${mistakeText(file, result)}`);
}

interface UsableConfig extends KnownAdapters {
  readonly config: Config;
  /** What it was made from. */
  readonly input: ConfigInput;
}

type SandboxCode = typeof import("../sandbox/sandbox.ts");

interface Run extends UsableConfig {
  readonly options: StartOptions;
  readonly folder: string;
  readonly version: string;
  /** The code of the sandbox, and its twins' ports; `null` in a real house. */
  readonly simulated: (SandboxCode & { readonly ports: ReturnType<SandboxCode["twinPorts"]> }) | null;
}

async function run(
  { options, config, input, adapters, problems, folder, version, simulated }: Run,
  context: CliContext,
): Promise<ExitCode> {
  const { isJson } = options;
  // Standard output is for answers; a reader of the log finds it on standard error; the journal takes both.
  const log = { logLevel: config.log.level, isPretty: context.isTerminal && !isJson, fd: 2 };
  const platform = nodePlatform({ stateFolder: folder, configFile: options.file, ...log });
  const manager = serviceManager(context.environment, context.pid, platform.log);
  await using home =
    simulated === null ? null : await simulated.startHome(platform, { homeFile: options.home, ports: simulated.ports });
  platform.log.info({ version, folder, node: process.versions.node }, "starting");
  const source = keySource(options.keyFile, folder, context);
  const secretKeys = await startKeys(source);
  for (const problem of problems) platform.log.error({ problem }, "an adapter, or a profile, cannot be had");
  // A serial port may be plugged in later, and a certificate be written later: the gateway starts without.
  for (const { path, problem, expected } of await fileMistakes(config, input)) {
    platform.log.warn({ path, problem, expected }, "a file of the configuration cannot be used yet");
  }
  const end = await runBox(
    {
      platform,
      config: simulated === null || home === null ? config : simulated.withTwinPorts(config, home),
      adapters,
      markets: MARKETS,
      forecastSources: FORECAST_SOURCES,
      secretKeys,
      version,
      socketPath: controlSocketPath(folder),
      manager,
      notice: consoleNotice(context.environment),
      foreignFolder: join(folder, ADAPTERS_FOLDER),
      beforeListening: options.freePort,
      ...layersOf(new RemoteLayer(input, config), simulated !== null && home !== null ? { simulated, home } : null),
      whileRunning: async (gateway, signal) => {
        await endRotation(source, { keys: secretKeys, store: gateway.store, log: platform.log });
        if (simulated !== null && home !== null) {
          await simulated.showSandbox(gateway, { folder, isJson, clock: platform.clock }, context, signal, home);
        } else context.out(placeText(gateway.address, config.http.host, platform, isJson));
      },
    },
    context.stop,
  );
  return end === "stopped" ? EXIT.ok : EXIT.crashed;
}

/** What may be laid over the configuration file. A made-up house is nobody's to configure from afar. */
function layersOf(
  layer: RemoteLayer,
  sandbox: { readonly simulated: SandboxCode; readonly home: Parameters<SandboxCode["withTwinPorts"]>[1] } | null,
): Pick<BoxOptions, "layer" | "house"> {
  if (sandbox === null) return { layer, house: layer };
  const { simulated, home } = sandbox;
  return {
    house: {
      isInFile: (section) => layer.isInFile(section),
      variables: layer.variables,
      inHouse(sections) {
        const result = layer.inHouse(sections);
        return result.ok ? { ok: true, layer: fixedLayer(simulated.withTwinPorts(result.layer.own, home)) } : result;
      },
    },
  };
}

/** Describes where the API listens: for the machines of the house, else for this one. */
function placeText(address: string | null, host: string, { net }: Pick<Platform, "net">, isJson: boolean): string {
  const lan = address === null ? [] : lanAddresses(address, host, net);
  if (isJson) return JSON.stringify({ address, lan });
  return lan.length > 0 ? `API at ${lan.join(", ")}` : `API at ${address}, for this machine only`;
}
