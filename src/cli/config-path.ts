import type { CliContext } from "./context.ts";

const DEFAULT_CONFIG = "/etc/hemgate/gateway.yaml";

/** The configuration file: `--config`, else `HEMGATE_CONFIG`, else where a system keeps it. */
export function configPath(option: string | undefined, environment: CliContext["environment"]): string {
  return option ?? environment["HEMGATE_CONFIG"] ?? DEFAULT_CONFIG;
}
