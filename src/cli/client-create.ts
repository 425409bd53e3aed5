import { createClient } from "../api/clients.ts";
import type { ClientCredentials } from "../control/messages.ts";
import { nodeClock } from "../platform/node/node-clock.ts";
import { nodeDisk } from "../platform/node/node-disk.ts";
import { nodeLog } from "../platform/node/node-log.ts";
import { nodeRandom as random } from "../platform/node/node-random.ts";
import { makePrivateFolder } from "../platform/node/text-file.ts";
import { openStore } from "../store/open-store.ts";
import type { CliContext } from "./context.ts";
import { askForClient } from "./control-client.ts";
import { CliError, EXIT, type ExitCode } from "./exit-code.ts";
import { type KeySource, presentKeys } from "./secret-keys.ts";
import { startFailure } from "./start-failure.ts";

const MAX_NAME_CHARACTERS = 255;

export interface ClientCreateOptions {
  readonly folder: string;
  readonly keys: KeySource;
  readonly name: string;
  readonly isJson: boolean;
}

/** `hemgate client create`: by the running gateway, or in its store when none runs. The secret is shown this once. */
export async function clientCreate(
  { folder, keys, name, isJson }: ClientCreateOptions,
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  if (name.trim() === "" || name.length > MAX_NAME_CHARACTERS) {
    throw new CliError(EXIT.usage, `--name takes 1 to ${MAX_NAME_CHARACTERS} characters`);
  }
  const client = (await askForClient(folder, name, context.stop)) ?? (await createInStore(folder, keys, name));
  context.out(isJson ? JSON.stringify(client) : clientText(client));
  return EXIT.ok;
}

async function createInStore(folder: string, keys: KeySource, name: string): Promise<ClientCredentials> {
  try {
    await makePrivateFolder(folder);
    const clock = nodeClock(() => "restored");
    const disk = nodeDisk({ stateFolder: folder });
    const log = nodeLog({ level: "warn", isPretty: true, fd: 2 });
    await using store = await openStore({ disk, clock, random, log, secretKeys: await presentKeys(keys) });
    return await createClient({ store, clock, random }, name);
  } catch (error) {
    throw startFailure(error, folder) ?? error;
  }
}

function clientText({ id, secret }: ClientCredentials): string {
  return `client id      ${id}\nclient secret  ${secret}\nThe secret is not kept and cannot be shown again.`;
}
