import { existsSync, symlinkSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { startPostgres } from "./servers.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

const EXAMPLE = new URL("../../examples/cloud-receiver/", import.meta.url).pathname;

/** One PostgreSQL for all files; each test has a database of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // What who starts from the example has from a registry.
  const link = `${EXAMPLE}node_modules/hemgate`;
  if (!existsSync(link)) symlinkSync("../../..", link, "dir");
  const postgres = await startPostgres();
  project.provide("postgresUrl", postgres.url);
  return async () => await postgres[Symbol.asyncDispose]();
}
