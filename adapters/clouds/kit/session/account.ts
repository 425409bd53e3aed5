import type { Clock, Log, Random, z } from "hemgate/sdk";
import type { PollBudget } from "../budget/poll-budget.ts";
import type { App, CloudAnswer, CloudConnector, CloudRequest, CloudSession, Grant } from "../connector.ts";
import type { Tokens } from "../login/tokens.ts";
import { type AccountHealth, HealthCount } from "./account-health.ts";
import type { CloudClient } from "./cloud-client.ts";
import { CloudError } from "./cloud-error.ts";
import type { SeldomAnswers, SeldomQuestion } from "./seldom-answers.ts";
import { SharedAnswers } from "./shared-answers.ts";

export interface AccountParts {
  readonly connector: Pick<CloudConnector, "authorize">;
  readonly app: App;
  readonly tokens: Tokens;
  readonly budget: PollBudget;
  readonly seldom: Pick<SeldomAnswers, "get" | "outdate">;
  readonly client: CloudClient;
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid">;
  readonly log: Log;
  readonly keyPair: CloudSession["keyPair"];
}

/** One account at work. Its owner disposes it, and the tokens, the budget and the client that it was given. */
export class Account implements CloudSession, Disposable {
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid">;
  readonly log: Log;
  readonly app: App;
  readonly keyPair: CloudSession["keyPair"];
  readonly #parts: AccountParts;
  readonly #shared: SharedAnswers;
  readonly #health: HealthCount;
  readonly #closed = new AbortController();

  constructor(parts: AccountParts) {
    const { clock, random, log, app, keyPair } = parts;
    this.clock = clock;
    this.random = random;
    this.log = log;
    this.app = app;
    this.keyPair = keyPair;
    this.#parts = parts;
    this.#shared = new SharedAnswers(clock);
    this.#health = new HealthCount(clock);
  }

  get extra(): Readonly<Record<string, string>> {
    return this.#parts.tokens.extra;
  }

  get budget(): PollBudget {
    return this.#parts.budget;
  }

  /** How the requests of the last hour went. */
  health(): AccountHealth {
    return this.#health.health();
  }

  readonly ask = async (request: CloudRequest, signal: AbortSignal): Promise<CloudAnswer> => {
    const either = AbortSignal.any([signal, this.#closed.signal]);
    try {
      const answer = await this.#askRenewing(request, either);
      this.#health.count("answered");
      return answer;
    } catch (error) {
      if (error instanceof CloudError) this.#health.count(error.kind);
      throw error;
    }
  };

  shared<T>(key: string, freshMs: number, fetch: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#shared.get(key, freshMs, fetch, signal);
  }

  seldom<Schema extends z.ZodType>(question: SeldomQuestion<Schema>, signal: AbortSignal): Promise<z.infer<Schema>> {
    const { seldom } = this.#parts;
    const fetch = (inner: AbortSignal) => seldom.get(question, inner);
    return this.#shared.get(question.key, question.freshMs, fetch, signal);
  }

  sharedTickMs(key: string): number | null {
    return this.#shared.atMs(key);
  }

  outdate(key: string): void {
    this.#shared.outdate(key);
    this.#parts.seldom.outdate(key);
  }

  /** Ends what is under way. */
  [Symbol.dispose](): void {
    this.#closed.abort(new CloudError("unavailable", "the account is closed"));
  }

  /** A request that the vendor did not accept for its grant was not done, so a command may be sent once more, too. */
  async #askRenewing(request: CloudRequest, signal: AbortSignal): Promise<CloudAnswer> {
    const { tokens } = this.#parts;
    const grant = await tokens.current(signal);
    try {
      return await this.#askWith(grant, request, signal);
    } catch (error) {
      if (!(error instanceof CloudError) || error.kind !== "expired") throw error;
    }
    const renewed = await tokens.renew(grant, signal);
    try {
      return await this.#askWith(renewed, request, signal);
    } catch (error) {
      if (!(error instanceof CloudError) || error.kind !== "expired") throw error;
      throw new CloudError("login-refused", `${error.message}, with a renewed login too`);
    }
  }

  #askWith(grant: Grant, request: CloudRequest, signal: AbortSignal): Promise<CloudAnswer> {
    const { client, budget, app, connector } = this.#parts;
    const authorize = (plain: CloudRequest): CloudRequest =>
      connector.authorize?.(plain, grant, app) ?? bearer(plain, grant);
    return client.ask(request, { budget, authorize }, signal);
  }
}

export function bearer(request: CloudRequest, { access }: Grant): CloudRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${access}` } };
}
