import { packageFacts } from "../platform/node/package-root.ts";
import type { CliContext } from "./context.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** `hemgate version`: of the package and of the runtime below it. */
export function version({ isJson }: { isJson: boolean }, context: Pick<CliContext, "out">): ExitCode {
  const facts = { hemgate: packageFacts().version, node: process.versions.node };
  context.out(isJson ? JSON.stringify(facts) : `hemgate ${facts.hemgate} on Node ${facts.node}`);
  return EXIT.ok;
}
