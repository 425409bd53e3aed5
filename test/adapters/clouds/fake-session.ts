/** A session straight at a twin: no budgets, no retries, no renewal. What the kit adds has tests of its own. */

import type {
  App,
  Ask,
  CloudAnswer,
  CloudConnector,
  CloudRequest,
  CloudSession,
  Grant,
} from "../../../adapters/clouds/kit/connector.ts";
import { keyPairOf } from "../../../adapters/clouds/kit/login/key-pair.ts";
import { memoryStore } from "../../../adapters/clouds/kit/session/account-store.ts";
import { CloudError, type CloudErrorKind } from "../../../adapters/clouds/kit/session/cloud-error.ts";
import { SeldomAnswers } from "../../../adapters/clouds/kit/session/seldom-answers.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import type { CloudTwin } from "../../twins/clouds/cloud-twin.ts";

/** Of the owner's registration. */
export const TEST_KEYS = keyPairOf(new Uint8Array(32).fill(7));
export const APP: App = { clientId: "client-1", clientSecret: "secret-1", apiKey: "key-1" };

const KINDS: Readonly<Record<number, CloudErrorKind>> = {
  401: "expired",
  403: "forbidden",
  408: "asleep",
  424: "asleep",
  429: "rate-limited",
};

/** Asks the twin without a grant, as logins do. */
export function askTwin(connector: CloudConnector, twin: CloudTwin): Ask {
  return async (request) => {
    const answer = plainAsk(twin, request);
    const kind = connector.errorOf?.(answer) ?? kindOf(answer.status);
    if (kind !== null) throw new CloudError(kind, `${request.method} ${request.url} answered ${answer.status}`);
    return answer;
  };
}

export function fakeSession({
  connector,
  twin,
  grant,
  clock = new VirtualClock(),
}: {
  readonly connector: CloudConnector;
  readonly twin: CloudTwin;
  readonly grant: Grant;
  readonly clock?: VirtualClock;
}): CloudSession {
  const ask = askTwin(connector, twin);
  const kept = new Map<string, { readonly atMs: number; readonly value: unknown }>();
  const log = new TestLog();
  const seldom = new SeldomAnswers({ clock, store: memoryStore(), log });
  const authorize = connector.authorize ?? bearer;
  return {
    clock,
    random: { uuid: () => "00000000-0000-4000-8000-000000000001" },
    log,
    app: APP,
    keyPair: async () => TEST_KEYS,
    extra: grant.extra ?? {},
    ask: (request, signal) => ask(authorize(request, grant, APP), signal),
    async shared<T>(key: string, freshMs: number, fetch: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) {
      const known = kept.get(key);
      if (known !== undefined && clock.monotonicMs() - known.atMs <= freshMs) return known.value as T;
      const value = await fetch(signal);
      kept.set(key, { atMs: clock.monotonicMs(), value });
      return value;
    },
    seldom(question, signal) {
      const fetch = (inner: AbortSignal) => seldom.get(question, inner);
      return this.shared(question.key, question.freshMs, fetch, signal);
    },
    sharedTickMs(key) {
      const known = kept.get(key);
      return known === undefined || known.atMs === clock.monotonicMs() ? null : known.atMs;
    },
    outdate(key) {
      kept.delete(key);
      seldom.outdate(key);
    },
  };
}

function bearer(request: CloudRequest, { access }: Grant): CloudRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${access}` } };
}

/** What the twin answers, whatever its status. */
export function plainAsk(twin: CloudTwin, { method, url, query = {}, headers = {}, body }: CloudRequest): CloudAnswer {
  const full = new URL(url);
  for (const [name, value] of Object.entries(query)) full.searchParams.append(name, value);
  const isForm = body !== undefined && "form" in body;
  const text =
    body === undefined ? "" : "form" in body ? String(new URLSearchParams(body.form)) : JSON.stringify(body.json);
  const type =
    body === undefined ? {} : { "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json" };
  const answer = twin.serve({
    method,
    host: full.host,
    path: full.pathname + full.search,
    headers: { ...type, ...headers },
    body: text,
    atMs: 0,
  });
  const { status = 200, body: answered = "", fault } = answer;
  if (fault !== undefined) throw new CloudError(fault === "hang" ? "timeout" : "unavailable", `${url} ${fault}`);
  return { status, headers: answer.headers ?? {}, body: parsed(answered, url) };
}

function parsed(text: string, url: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CloudError("malformed", `${url} answered no JSON`, { cause });
  }
}

function kindOf(status: number): CloudErrorKind | null {
  if (status < 400) return null;
  return KINDS[status] ?? (status >= 500 ? "unavailable" : "refused");
}
