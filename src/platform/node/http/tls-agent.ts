import { Agent, type AgentOptions } from "node:https";
import type { HttpPolicy } from "../../ports/ports.ts";
import { PinnedAgent } from "./pinned-agent.ts";

/** Hands out connections to servers that the policy trusts. `options.ca` stands for the usual authorities. */
export function tlsAgent({ tls }: Pick<HttpPolicy, "tls">, options: AgentOptions): Agent {
  if (tls?.kind === "pinned") return new PinnedAgent(tls, options);
  const { authoritiesPem, certificate } = tls ?? {};
  return new Agent({
    ...options,
    ...(authoritiesPem !== undefined && { ca: authoritiesPem }),
    ...(certificate !== undefined && { cert: certificate.pem, key: certificate.keyPem }),
  });
}
