import type { Ask } from "../connector.ts";
import { Account } from "./account.ts";
import { CloudClient } from "./cloud-client.ts";
import type { Wire, WireParts } from "./open-account.ts";

/** The way over the Internet. */
export function openCloudWire({ context, connector, app, budget, seldom, keyPair }: WireParts): Wire {
  const { clock, random, log, http } = context;
  const client = new CloudClient({ connector, http, clock, random, log });
  const end = new DisposableStack();
  end.use(client);
  const ask: Ask = (request, signal) => client.ask(request, { budget }, signal);
  return {
    ask,
    askAnyway: (request, signal) => client.ask(request, { budget, isAnyStatus: true }, signal),
    session: (tokens) =>
      end.use(new Account({ connector, app, tokens, budget, seldom, client, clock, random, log, keyPair })),
    [Symbol.asyncDispose]: async () => end.dispose(),
  };
}
