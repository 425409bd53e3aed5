import { join } from "node:path";
import { parseYamlSource } from "../../config/yaml-source.ts";
import { readTextFile } from "../../platform/node/files/text-file.ts";
import { packageFacts } from "../../platform/node/package-root.ts";
import { type StartingServer, startingServer } from "../../platform/node/starting-server.ts";
import { configPath } from "../config-path.ts";
import type { CliContext } from "../context.ts";

const DEFAULTS = { host: "0.0.0.0", port: 8_080 };

/** The configuration's file: with `--sandbox`, and without `--config`, the one of the package. */
export function configFile(
  { config, isSandbox }: { readonly config?: string | undefined; readonly isSandbox: boolean },
  { environment }: Pick<CliContext, "environment">,
): string {
  const sandboxConfig = isSandbox ? join(packageFacts().root, "config", "sandbox.yaml") : undefined;
  return configPath(config ?? sandboxConfig, environment);
}

/** The slow parts of the program. Each blocks while it is loaded. */
const PARTS = [
  () => import("../../sdk/index.ts"),
  () => import("../../config/load-config.ts"),
  () => import("../../store/open-store.ts"),
  () => import("../adapters.ts"),
  () => import("../../gateway.ts"),
] as const;

/** Loads the program part by part, and lets requests be answered in between. */
export async function loadProgram(meanwhile: StartingServer): Promise<void> {
  for (const load of PARTS) {
    await load();
    await meanwhile.answerPending();
  }
}

/**
 * Answers at the API's address while the program loads and the gateway starts, so that an app in the house reads "try
 * again" after a power cut and no refused connection. Reads of the configuration only where that is; what is wrong in it
 * is said by the start itself. Resolves to `null` where nothing can be answered.
 */
export async function answerWhileStarting(
  { file, port }: { readonly file: string; readonly port?: string | undefined },
  { environment }: Pick<CliContext, "environment">,
): Promise<StartingServer | null> {
  const parsed = parseYamlSource(await readTextFile(file).catch(() => ""));
  if (!parsed.ok) return null;
  const http: unknown = Object(Object(parsed.source.value).http);
  const { host, port: filePort } = { ...DEFAULTS, ...Object(http) };
  const place = {
    host: environment["HEMGATE_HTTP_HOST"] ?? host,
    port: Number(port ?? environment["HEMGATE_HTTP_PORT"] ?? filePort),
  };
  const isUsable = typeof place.host === "string" && Number.isInteger(place.port) && place.port > 0;
  return isUsable ? await startingServer(place.host, place.port).catch(() => null) : null;
}
