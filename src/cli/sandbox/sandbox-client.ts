import { join } from "node:path";
import { ClientCredentials } from "../../cli-socket/messages.ts";
import type { Gateway } from "../../gateway.ts";
import { FileError, readTextFile, writePrivateFile } from "../../platform/node/files/text-file.ts";
import { priceHome } from "./sandbox-energy.ts";
import { inviteGuests } from "./sandbox-guests.ts";

/**
 * The client that the sandbox makes for itself. Its secret is kept in the sandbox's own folder, so that the second start
 * prints what the first did; a real house's secrets are never kept. The client is the last that a first start makes:
 * where there is one, the made-up devices were there, and those that are gone were taken away. `isFirst`: it was made now.
 */
export async function sandboxClient(
  gateway: Pick<Gateway, "store" | "createClient" | "engine" | "config">,
  folder: string,
): Promise<{ readonly client: ClientCredentials; readonly isFirst: boolean }> {
  const path = join(folder, "sandbox-client.json");
  const kept = await readKept(path);
  if (kept !== null && gateway.store.get("client", kept.id) !== null) {
    return { client: kept, isFirst: false };
  }
  await inviteGuests(gateway);
  await priceHome(gateway);
  const created = await gateway.createClient("sandbox");
  await writePrivateFile(path, `${JSON.stringify(created)}\n`);
  return { client: created, isFirst: true };
}

async function readKept(path: string): Promise<ClientCredentials | null> {
  try {
    const content = ClientCredentials.safeParse(parsedJson(await readTextFile(path)));
    return content.success ? content.data : null;
  } catch (error) {
    if (error instanceof FileError && error.isMissing) return null;
    throw error;
  }
}

/** A file that was cut short is no client; a new one takes its place. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
