/** A vendor's cloud that answers what a mutation makes of its answers, reached through the kit. */
import { type Http, type HttpAnswer, HttpError, type HttpRequest } from "hemgate/sdk";
import { BudgetBook } from "../../../../adapters/clouds/kit/budget/budget-book.ts";
import { PollBudget } from "../../../../adapters/clouds/kit/budget/poll-budget.ts";
import type { Grant } from "../../../../adapters/clouds/kit/connector.ts";
import type { Tokens } from "../../../../adapters/clouds/kit/login/tokens.ts";
import { Account } from "../../../../adapters/clouds/kit/session/account.ts";
import { CloudClient } from "../../../../adapters/clouds/kit/session/cloud-client.ts";
import { SeldomAnswers } from "../../../../adapters/clouds/kit/session/seldom-answers.ts";
import type { SimWebAnswer } from "../../../../src/testing/network/sim-web.ts";
import type { SeededRandom } from "../../../../src/testing/seeded-random.ts";
import { TestLog } from "../../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../../src/testing/virtual-clock.ts";
import { APP, TEST_KEYS } from "../fake-session.ts";
import { FakeStore } from "../kit/fake-store.ts";
import type { Mutation } from "./spoil.ts";
import type { Cloud, Subject } from "./subjects.ts";

const START_MS = Date.UTC(2026, 5, 21, 10);
/** The share of answers that are changed while the cloud is hostile. */
const CHANGED_SHARE = 0.7;
const AMPLE = 1_000_000;
/** Of a body, for the message of a failure. */
const MOST_NOTED = 1_500;
/** Longer than anybody waits, ms. */
const NEVER_MS = 86_400_000;

export class HostileCloud {
  readonly clock = new VirtualClock({ startMs: START_MS });
  readonly cloud: Cloud;
  /** True: answers are changed. */
  isHostile = false;
  /** Requests so far, retries among them. */
  requests = 0;
  readonly #subject: Subject;
  readonly #mutation: Mutation;
  readonly #random: SeededRandom;
  readonly #sent: (what: string) => void;
  #other: SimWebAnswer | null = null;

  constructor(subject: Subject, mutation: Mutation, random: SeededRandom, sent: (what: string) => void) {
    this.#subject = subject;
    this.#mutation = mutation;
    this.#random = random;
    this.#sent = sent;
    this.cloud = subject.make(this.clock);
  }

  /** An account that knows nothing yet. */
  async account(): Promise<Account> {
    const { clock } = this;
    const { connector } = this.#subject;
    const [random, log] = [this.#random.fork("account"), new TestLog()];
    // The figures are the vendor's, and no subject of this: what its headers say still counts.
    const rules = connector.budgets.map((rule) => ({ ...rule, limit: AMPLE }));
    const [account, app] = [0, 1].map(() => new BudgetBook({ rules, clock, log, store: new FakeStore() }));
    const budget = new PollBudget({ rules, account: account!, app: app!, clock, random });
    const client = new CloudClient({ connector, http: this.#http(), clock, random, log });
    const tokens = await SigningIn.start(this.cloud);
    const keyPair = async () => TEST_KEYS;
    const seldom = new SeldomAnswers({ clock, log, store: new FakeStore() });
    return new Account({ connector, app: APP, tokens, budget, seldom, client, clock, random, log, keyPair });
  }

  /** Without the way between: a trial has many requests, and the simulated web is shown elsewhere. */
  #http(): Http {
    const request = (wire: HttpRequest, signal: AbortSignal) => this.#request(wire, signal);
    return { open: () => ({ request, [Symbol.dispose]: () => undefined }) };
  }

  async #request(wire: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    signal.throwIfAborted();
    if (!this.cloud.twin.hosts.includes(wire.url.hostname)) throw new HttpError("unresolved", "no such name");
    const { status = 200, headers = {}, body = "", bytes, delayMs = 0, fault } = this.#answer(wire);
    if (delayMs > 0) await this.clock.sleep(delayMs, signal);
    if (fault === "hang") await this.clock.sleep(NEVER_MS, signal);
    if (fault !== undefined) throw new HttpError("broken", "the connection ended");
    const all = bytes ?? new TextEncoder().encode(body);
    const isBodyCut = all.length > wire.maxBodyBytes;
    return { status, headers: Object.entries(headers), body: all.subarray(0, wire.maxBodyBytes), isBodyCut };
  }

  #answer({ method, url, headers, body }: HttpRequest): SimWebAnswer {
    this.requests += 1;
    const request = {
      method,
      host: url.host,
      path: url.pathname + url.search,
      headers,
      body: body === null ? "" : new TextDecoder().decode(body),
      atMs: this.clock.monotonicMs(),
    };
    return this.#spoiled(`${method} ${url.pathname}`, this.cloud.twin.serve(request));
  }

  #spoiled(asked: string, honest: SimWebAnswer): SimWebAnswer {
    const chance = { random: this.#random, nowMs: this.clock.nowMs(), other: this.#other };
    this.#other = honest;
    if (!this.isHostile || !this.#random.isChance(CHANGED_SHARE)) return honest;
    const changed = this.#mutation.change(honest, chance);
    const { fault, status = 200, body = "" } = changed;
    this.#sent(`${asked}: ${fault ?? status} ${body.slice(0, MOST_NOTED)}`);
    return changed;
  }
}

/** Signs in as often as it is asked to. */
class SigningIn implements Tokens {
  readonly #cloud: Cloud;
  #grant: Grant;

  private constructor(cloud: Cloud, grant: Grant) {
    this.#cloud = cloud;
    this.#grant = grant;
  }

  static async start(cloud: Cloud): Promise<SigningIn> {
    return new SigningIn(cloud, await cloud.grant());
  }

  get extra() {
    return this.#grant.extra ?? {};
  }

  async current(): Promise<Grant> {
    return this.#grant;
  }

  async renew(): Promise<Grant> {
    this.#grant = await this.#cloud.grant();
    return this.#grant;
  }
}
