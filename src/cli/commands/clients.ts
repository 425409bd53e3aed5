import { createClient, pinClient } from "../../api/clients/clients.ts";
import { findVersion, servedDates } from "../../api/versions/served-versions.ts";
import type { ClientCredentials, ClientPin } from "../../cli-socket/messages.ts";
import { ProblemError } from "../../domain/problem.ts";
import { CLIENT_SCOPES, type ClientScope } from "../../domain/users/scope.ts";
import { nodeDisk } from "../../platform/node/files/node-disk.ts";
import { makePrivateFolder, namesIn } from "../../platform/node/files/text-file.ts";
import { nodeClock } from "../../platform/node/node-clock.ts";
import { nodeLog } from "../../platform/node/node-log.ts";
import { nodeRandom as random } from "../../platform/node/node-random.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import type { CliContext } from "../context.ts";
import { askClients, askForClient, askForPin, askForRevocation, notRunning } from "../control-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { type KeySource, presentKeys } from "../secret-keys.ts";
import { startFailure } from "../start-failure.ts";
import { textTable } from "../text-table.ts";

const MAX_NAME_CHARACTERS = 255;

interface ClientOptions {
  readonly folder: string;
  readonly keys: KeySource;
  readonly isJson: boolean;
}

export interface ClientCreateOptions extends ClientOptions {
  readonly name: string;
  /** The version to pin it to; absent: the newest. */
  readonly version: string | undefined;
  /** What it may do beside what every client may. */
  readonly scopes: readonly string[];
}

export interface ClientPinOptions extends ClientOptions {
  readonly id: string;
  readonly version: string;
}

/** `hemgate client create`: by the running gateway, or in its store when none runs. The secret is shown this once. */
export async function clientCreate(
  { folder, keys, name, version, scopes: asked, isJson }: ClientCreateOptions,
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  if (name.trim() === "" || name.length > MAX_NAME_CHARACTERS) {
    throw new CliError(EXIT.usage, `--name takes 1 to ${MAX_NAME_CHARACTERS} characters`);
  }
  if (version !== undefined) requireServed(version);
  const scopes = asked.map(requireScope);
  const client =
    (await askForClient(folder, { name, version, ...(scopes.length > 0 && { scopes }) }, context.stop)) ??
    (await inStore(folder, keys, (store, clock) => createClient({ store, clock, random }, name, version, scopes)));
  context.out(isJson ? JSON.stringify(client) : clientText(client));
  return EXIT.ok;
}

/** `hemgate client pin`: by the running gateway, or in its store when none runs. */
export async function clientPin(
  { folder, keys, id, version, isJson }: ClientPinOptions,
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  requireServed(version);
  const pin =
    (await askForPin(folder, { id, version }, context.stop)) ?? (await pinInStore({ folder, keys }, id, version));
  context.out(isJson ? JSON.stringify(pin) : pinText(pin));
  return EXIT.ok;
}

/** `hemgate client list`: the clients of the running gateway. */
export async function clientList(
  { folder, isJson }: Pick<ClientOptions, "folder" | "isJson">,
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  const clients = await askClients(folder, context.stop);
  if (clients === null) throw notRunning(folder);
  const rows = clients.map(({ id, name, version, scopes, lastUsedAt }) => [
    id,
    name,
    version,
    scopes.join(" "),
    lastUsedAt ?? "-",
  ]);
  context.out(isJson ? JSON.stringify(clients) : textTable(["ID", "NAME", "VERSION", "SCOPES", "LAST USED"], rows));
  return EXIT.ok;
}

/** `hemgate client revoke`, by the running gateway. */
export async function clientRevoke(
  { folder, id, isJson }: Pick<ClientOptions, "folder" | "isJson"> & { readonly id: string },
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  const revoked = await askForRevocation(folder, id, context.stop);
  if (revoked === null) throw notRunning(folder);
  context.out(isJson ? JSON.stringify(revoked) : `client ${id} (${revoked.name}) is revoked.`);
  return EXIT.ok;
}

async function pinInStore(
  { folder, keys }: Pick<ClientOptions, "folder" | "keys">,
  id: string,
  version: string,
): Promise<ClientPin> {
  // A store that is opened is made: a folder with a wrong name stays what it is.
  if ((await namesIn(folder)).length === 0) {
    throw new CliError(EXIT.failed, `there is no client in ${folder}: it is no state folder of a gateway`);
  }
  return await inStore(folder, keys, (store) => pinClient({ store }, id, version));
}

function requireServed(version: string): void {
  if (findVersion(version) !== null) return;
  throw new CliError(EXIT.usage, `there is no version ${version} of the API; --version takes ${servedDates()}`);
}

function requireScope(name: string): ClientScope {
  const scope = CLIENT_SCOPES.find((each) => each === name);
  if (scope !== undefined) return scope;
  throw new CliError(EXIT.usage, `there is no scope ${name}; --scope takes ${CLIENT_SCOPES.join(", ")}`);
}

async function inStore<T>(
  folder: string,
  keys: KeySource,
  work: (store: Store, clock: Clock) => Promise<T>,
): Promise<T> {
  try {
    await makePrivateFolder(folder);
    const clock = nodeClock(() => "restored");
    const disk = nodeDisk({ stateFolder: folder });
    const log = nodeLog({ level: "warn", isPretty: true, fd: 2 });
    await using store = await openStore({ disk, clock, random, log, secretKeys: await presentKeys(keys) });
    return await work(store, clock);
  } catch (error) {
    if (error instanceof ProblemError) throw new CliError(EXIT.failed, error.message, { cause: error });
    throw startFailure(error, folder) ?? error;
  }
}

function clientText({ id, secret }: ClientCredentials): string {
  return `client id      ${id}\nclient secret  ${secret}\nThe secret is not kept and cannot be shown again.`;
}

function pinText({ id, name, version }: ClientPin): string {
  return `client ${id} (${name}) is pinned to ${version}: requests and webhooks that name no version use it.`;
}
