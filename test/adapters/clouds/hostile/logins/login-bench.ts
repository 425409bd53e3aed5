/** The clouds adapter with one connector, its vendor, and a person who signs in. */
import { inspect } from "node:util";
import { DeviceError, type Driver, type FoundDevice, type LinkAnswer, type LinkOutcome } from "hemgate/sdk";
import { cloudAdapter } from "../../../../../adapters/clouds/cloud-adapter.ts";
import type { CloudConnector } from "../../../../../adapters/clouds/kit/connector.ts";
import { CloudError } from "../../../../../adapters/clouds/kit/session/cloud-error.ts";
import { isVendors } from "../../../../../adapters/clouds/kit/session/cloud-request.ts";
import { vendorOf } from "../../../../../adapters/clouds/kit/vendor.ts";
import { HttpError } from "../../../../../src/platform/ports/http-error.ts";
import type { Http, HttpAnswer, HttpRequest } from "../../../../../src/platform/ports/ports.ts";
import type { AccountNotes } from "../../../../../src/sdk/notes.ts";
import { MemoryAccountNotes } from "../../../../../src/testing/memory-account-notes.ts";
import { MemoryDisk } from "../../../../../src/testing/memory-disk.ts";
import type { SimWebAnswer } from "../../../../../src/testing/network/sim-web.ts";
import type { SeededRandom } from "../../../../../src/testing/seeded-random.ts";
import type { TestLog } from "../../../../../src/testing/test-log.ts";
import { World } from "../../../../../src/testing/world.ts";
import { APP } from "../../fake-session.ts";
import type { Mutation } from "../spoil.ts";
import { checkTurn } from "./login-checks.ts";
import type { LoginChance } from "./login-mutations.ts";
import type { LoginSubject, SignIn } from "./sign-ins.ts";

const CALLBACK = { url: "http://gateway.local/link/return", state: "our-state" };
const AMPLE = 1_000_000;
/** Requests that one call may send, retries among them. */
const MOST_REQUESTS = 50;
const MOST_MS = 30 * 60_000;
/** Steps of one sign-in, as the page gives up after 20. */
const MOST_STEPS = 12;
/** Of a note in the store. */
const MOST_NOTED = 16_000;
const NEVER_MS = 86_400_000;
const { signal } = new AbortController();

/** What the vendor's answers become, while there is one. */
export interface Hostility {
  readonly mutation: Mutation;
  /** Whether an answer is changed; the login's are those of a sign-in or a renewal. */
  hits(isLogin: boolean): boolean;
}

export class LoginBench {
  readonly world: World;
  readonly signIn: SignIn;
  hostility: Hostility | null = null;
  /** Answers that were changed so far. */
  changed = 0;
  requests = 0;
  /** What was shown to people or thrown at the engine. */
  readonly shown: unknown[] = [];
  readonly #subject: LoginSubject;
  readonly #random: SeededRandom;
  readonly #sent: (what: string) => void;
  readonly #log: TestLog;
  readonly #adapter;
  readonly #running;
  #logins = 0;

  constructor(subject: LoginSubject, random: SeededRandom, sent: (what: string) => void) {
    this.#subject = subject;
    this.#random = random;
    this.#sent = sent;
    this.world = new World({ seed: random.below(1_000_000) });
    this.signIn = subject.make(this.world.clock);
    const process = this.world.boot("gateway", new MemoryDisk());
    const context = process.adapterContext();
    this.#log = process.log;
    const { id } = subject.connector;
    const connectors = [this.#watched(subject.connector)];
    this.#adapter = cloudAdapter({ apps: { [id]: APP }, vendors: connectors.map(vendorOf) });
    this.#running = this.#adapter.start({
      ...context,
      http: this.#http(),
      accounts: limited(new MemoryAccountNotes()),
    });
  }

  get log(): readonly unknown[] {
    return this.#log.lines;
  }

  get account() {
    return this.#running.accounts?.()[0];
  }

  /** Signs in as the page does; `back` changes what the browser brings back from the vendor's page. */
  async person(
    back: (query: SignIn["form"]) => SignIn["form"] = (query) => query,
  ): Promise<readonly FoundDevice[] | null> {
    let answer: LinkAnswer = { kind: "form", values: this.signIn.form };
    let memo: unknown;
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const turn = await this.#take(answer, memo);
      memo = "memo" in turn ? turn.memo : undefined;
      switch (turn.kind) {
        case "found":
          return turn.devices;
        case "refused":
          return null;
        case "ask":
          answer = { kind: "form", values: this.signIn.secondForm };
          break;
        case "redirect":
          answer = { kind: "returned", query: back(this.signIn.agree(new URL(turn.url))) };
          break;
        case "wait":
          this.signIn.enter(turn);
          await this.world.clock.advance(turn.pollMs);
          answer = { kind: "poll" };
          break;
        default:
          turn satisfies never;
      }
    }
    return null;
  }

  async connect({ options }: FoundDevice): Promise<Driver> {
    const parsed = this.#adapter.options.parse(options);
    return await this.call(() => this.#running.connect("device", parsed, signal));
  }

  /** In bounded time, with a bounded number of requests. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    const before = this.requests;
    try {
      return await this.world.clock.resolve(Promise.resolve().then(work), MOST_MS);
    } catch (error) {
      this.shown.push(error);
      throw error;
    } finally {
      const sent = this.requests - before;
      if (sent > MOST_REQUESTS) expectNever(`one call sent ${sent} requests`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closing = async (): Promise<void> => await this.#running[Symbol.asyncDispose]();
    await this.world.clock.resolve(closing(), MOST_MS);
  }

  async #take(answer: LinkAnswer, memo: unknown): Promise<LinkOutcome> {
    const { linking } = this.#running;
    const step = { vendorId: this.#subject.connector.id, answer, memo, callback: CALLBACK };
    const turn = await this.call(async () => {
      if (linking === undefined) throw new Error("the adapter links nothing");
      return await linking.take(step, signal);
    });
    checkTurn(turn, this.#subject.connector);
    const { memo: _own, ...told } = "memo" in turn ? turn : { ...turn, memo: null };
    // A vendor may call a device whatever it likes.
    if (turn.kind !== "found") this.shown.push(told);
    return turn;
  }

  /** With ample budgets, and with an eye on when it logs in. */
  #watched(connector: CloudConnector): CloudConnector {
    const budgets = connector.budgets.map((rule) => ({ ...rule, limit: AMPLE }));
    const { login } = connector;
    if (login.kind !== "form") return { ...connector, budgets };
    const during = async <T>(work: () => Promise<T>): Promise<T> => {
      this.#logins += 1;
      try {
        return await work();
      } finally {
        this.#logins -= 1;
      }
    };
    const { renew } = login;
    const watched = {
      ...login,
      signIn: (...given: Parameters<typeof login.signIn>) => during(() => login.signIn(...given)),
      ...(renew !== undefined && {
        renew: (...given: Parameters<typeof renew>) => during(() => renew.call(login, ...given)),
      }),
    };
    return { ...connector, budgets, login: watched };
  }

  #http(): Http {
    const request = (wire: HttpRequest, own: AbortSignal) => this.#request(wire, own);
    return { open: () => ({ request, [Symbol.dispose]: () => undefined }) };
  }

  async #request(wire: HttpRequest, own: AbortSignal): Promise<HttpAnswer> {
    own.throwIfAborted();
    const { clock } = this.world;
    if (!isVendors(wire.url, this.#subject.connector.hosts)) expectNever(`a request to ${wire.url.hostname}`);
    if (!this.signIn.twin.hosts.includes(wire.url.hostname)) throw new HttpError("unresolved", "no such name");
    const { status = 200, headers = {}, cookies = [], body = "", bytes, delayMs = 0, fault } = this.#answer(wire);
    if (delayMs > 0) await clock.sleep(delayMs, own);
    if (fault === "hang") await clock.sleep(NEVER_MS, own);
    if (fault !== undefined) throw new HttpError("broken", "the connection ended");
    const all = bytes ?? new TextEncoder().encode(body);
    const set = cookies.map((cookie) => ["set-cookie", cookie] as const);
    return {
      status,
      headers: [...Object.entries(headers), ...set],
      body: all.subarray(0, wire.maxBodyBytes),
      isBodyCut: all.length > wire.maxBodyBytes,
    };
  }

  #answer({ method, url, headers, body }: HttpRequest): SimWebAnswer {
    this.requests += 1;
    const text = body === null ? "" : new TextDecoder().decode(body);
    const { host, pathname, search } = url;
    const atMs = this.world.clock.monotonicMs();
    const honest = this.signIn.twin.serve({ method, host, path: pathname + search, headers, body: text, atMs });
    const { login } = this.#subject.connector;
    const own: readonly string[] =
      login.kind === "code" ? [login.tokenUrl] : login.kind === "device-code" ? [login.deviceUrl, login.tokenUrl] : [];
    const isLogin = this.#logins > 0 || own.includes(url.origin + pathname);
    if (this.hostility?.hits(isLogin) !== true) return honest;
    this.changed += 1;
    const echo = [search, ...Object.values(headers), text].join(" ");
    const chance: LoginChance = { random: this.#random, nowMs: this.world.clock.nowMs(), other: null, echo };
    const answer = this.hostility.mutation.change(honest, chance);
    this.#sent(`${method} ${pathname}: ${answer.fault ?? answer.status ?? 200} ${(answer.body ?? "").slice(0, 500)}`);
    return answer;
  }
}

/** What of a failure is the vendor's, and passes: it wants to be left alone. */
export function isLeftAlone(error: unknown): boolean {
  const cause = error instanceof DeviceError ? error.cause : error;
  return cause instanceof CloudError && (cause.kind === "rate-limited" || cause.kind === "no-budget");
}

/** All that a log or a person could see. */
export function shownText(bench: LoginBench): string {
  return inspect([bench.shown, bench.log, bench.account], { depth: 12, maxStringLength: null, maxArrayLength: null });
}

/** As the store does it. */
function limited(notes: AccountNotes): AccountNotes {
  return {
    get: (account, name) => notes.get(account, name),
    names: (account) => notes.names(account),
    remove: (account, name) => notes.remove(account, name),
    put: async (account, name, text) => {
      if (text.length > MOST_NOTED) throw new DeviceError("rejected", `the note ${name} of an account is too long`);
      await notes.put(account, name, text);
    },
  };
}

function expectNever(what: string): never {
  throw new Error(what);
}
