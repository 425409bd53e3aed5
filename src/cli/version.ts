import { packageFacts } from "../platform/node/package-root.ts";
import type { CliContext } from "./context.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** The package's version, and the runtime's. */
export function versionText(): string {
  return `hemgate ${packageFacts().version} on Node ${process.versions.node}`;
}

/** `hemgate version`: of the package and of the runtime below it. */
export function version({ isJson }: { isJson: boolean }, context: Pick<CliContext, "out">): ExitCode {
  const facts = { hemgate: packageFacts().version, node: process.versions.node };
  context.out(isJson ? JSON.stringify(facts) : versionText());
  return EXIT.ok;
}
