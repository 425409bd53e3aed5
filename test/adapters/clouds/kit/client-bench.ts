/** A client at a vendor whose answers the test says, one after the other; the last one stays. */
import { gzipSync } from "node:zlib";
import { BudgetBook } from "../../../../adapters/clouds/kit/budget/budget-book.ts";
import { PollBudget } from "../../../../adapters/clouds/kit/budget/poll-budget.ts";
import type {
  App,
  BudgetRule,
  CloudAnswer,
  CloudConnector,
  CloudRequest,
  Grant,
} from "../../../../adapters/clouds/kit/connector.ts";
import type { Tokens } from "../../../../adapters/clouds/kit/login/tokens.ts";
import { Account } from "../../../../adapters/clouds/kit/session/account.ts";
import { CloudClient } from "../../../../adapters/clouds/kit/session/cloud-client.ts";
import type { CloudError } from "../../../../adapters/clouds/kit/session/cloud-error.ts";
import { SeldomAnswers } from "../../../../adapters/clouds/kit/session/seldom-answers.ts";
import { SimWeb, type SimWebAnswer, type SimWebRequest } from "../../../../src/testing/network/sim-web.ts";
import { SeededRandom } from "../../../../src/testing/seeded-random.ts";
import { TestLog } from "../../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../../src/testing/virtual-clock.ts";
import { TEST_KEYS } from "../fake-session.ts";
import { FakeStore } from "./fake-store.ts";

export const HOST = "api.vendor.example";
export const ADDRESS = "93.184.216.34";
export const JSON_TYPE = { "content-type": "application/json; charset=utf-8" } as const;
const APP: App = { clientId: "client-1", clientSecret: "app-secret/+=1", apiKey: "api-key/+=2" };

type Connector = Pick<CloudConnector, "hosts" | "errorOf" | "budgetNews" | "authorize">;

export class ClientBench {
  readonly clock = new VirtualClock();
  readonly random = new SeededRandom("client");
  readonly log = new TestLog();
  readonly web = new SimWeb(this.clock, this.random.fork("web"));
  readonly asked: SimWebRequest[] = [];
  readonly budget: PollBudget;
  readonly client: CloudClient;
  readonly #connector: Connector;
  #answers: ((request: SimWebRequest) => SimWebAnswer)[] = [];

  constructor(connector: Partial<Connector> = {}, rules: readonly BudgetRule[] = []) {
    const { clock, random, log } = this;
    this.#connector = { hosts: [HOST], ...connector };
    const [account, app] = [0, 1].map(() => new BudgetBook({ rules, clock, log, store: new FakeStore() }));
    this.budget = new PollBudget({ rules, account: account!, app: app!, clock, random });
    this.client = new CloudClient({ connector: this.#connector, http: this.web.host(), clock, random, log });
    this.web.serve(HOST, ADDRESS, (request) => {
      this.asked.push(request);
      const next = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
      return next?.(request) ?? { status: 200, headers: JSON_TYPE, body: "{}" };
    });
  }

  answers(...answers: readonly (SimWebAnswer | ((request: SimWebRequest) => SimWebAnswer))[]): void {
    this.#answers = answers.map((answer) => (typeof answer === "function" ? answer : () => answer));
  }

  async ask(request: Partial<CloudRequest> = {}, signal = new AbortController().signal): Promise<CloudAnswer> {
    return await this.clock.resolve(
      this.client.ask({ method: "GET", url: `https://${HOST}/devices`, ...request }, { budget: this.budget }, signal),
      600_000,
    );
  }

  async failure(request: Partial<CloudRequest> = {}): Promise<CloudError> {
    return await failureOf(this.ask(request));
  }

  account(tokens: Tokens): Account {
    const { clock, random, log, budget, client } = this;
    const keyPair = async () => TEST_KEYS;
    const seldom = new SeldomAnswers({ clock, log, store: new FakeStore() });
    return new Account({
      connector: this.#connector,
      app: APP,
      tokens,
      budget,
      seldom,
      client,
      clock,
      random,
      log,
      keyPair,
    });
  }
}

/** What a promise rejects with; a `CloudError` in all tests that use it. */
export async function failureOf(work: Promise<unknown>): Promise<CloudError> {
  const answer = await work.then(
    () => null,
    (error: CloudError) => error,
  );
  if (answer === null) throw new Error("it did not fail");
  return answer;
}

/** Grants with a number; each renewal takes a second and brings the next one. */
export class FakeTokens implements Tokens {
  readonly extra = {};
  readonly #clock: VirtualClock;
  grant: Grant = grantOf(1);
  renewals = 0;
  #underWay: Promise<Grant> | null = null;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  async current(): Promise<Grant> {
    return this.grant;
  }

  async renew(stale: Grant): Promise<Grant> {
    if (stale.access !== this.grant.access) return this.grant;
    this.#underWay ??= this.#renewOnce();
    return await this.#underWay;
  }

  async #renewOnce(): Promise<Grant> {
    this.renewals += 1;
    await this.#clock.sleep(1_000, new AbortController().signal);
    this.grant = grantOf(this.renewals + 1);
    this.#underWay = null;
    return this.grant;
  }
}

function grantOf(number: number): Grant {
  return { access: `access/+=${number}`, refresh: null, expiresAtMs: null };
}

export function packed(bytes: Uint8Array | string): SimWebAnswer {
  return { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, bytes: gzipSync(bytes) };
}
