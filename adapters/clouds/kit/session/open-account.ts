import type { AdapterContext, VendorAccount, VendorStream } from "hemgate/sdk";
import { BudgetBook } from "../budget/budget-book.ts";
import { PollBudget } from "../budget/poll-budget.ts";
import type { PacedDevice, PollPace } from "../budget/poll-pace.ts";
import type { App, Ask, CloudConnector, CloudDevice, CloudSession, Purpose } from "../connector.ts";
import type { AppKey } from "../login/app-key.ts";
import type { Login } from "../login/kept-login.ts";
import type { LoginDesk } from "../login/login-desk.ts";
import { renewGrant, signInAgain } from "../login/sign-in.ts";
import { soundGrant } from "../login/sound-grant.ts";
import { AccountTokens, type Tokens } from "../login/tokens.ts";
import { AccountStream, type StreamShare } from "../stream/account-stream.ts";
import { StreamDial } from "../stream/stream-dial.ts";
import type { AccountHealth } from "./account-health.ts";
import type { CloudErrorKind } from "./cloud-error.ts";
import type { KeyValueStore } from "./key-value-store.ts";
import type { ReadPlan } from "./read-times.ts";
import { SeldomAnswers } from "./seldom-answers.ts";

/** What says that the vendor does not do its part: the others are the owner's, the device's, or our own doing. */
const VENDORS_FAULTS: readonly CloudErrorKind[] = ["timeout", "unavailable", "malformed"];

/** The wall-clock ms of a monotonic ms. */
type ToWall = (tickMs: number) => number;

/** What carries an account's requests to its vendor. */
export interface Wire extends AsyncDisposable {
  /** Without a grant; rejects for an answer that is no success. */
  readonly ask: Ask;
  /** Without a grant; answers whatever the status is below 500. */
  readonly askAnyway: Ask;
  /** With the account's grant. */
  session(tokens: Tokens): CloudSession & { health(): AccountHealth };
}

export type CloudContext = Pick<AdapterContext, "clock" | "random" | "http" | "webSockets" | "log" | "accounts">;

export interface WireParts {
  readonly context: CloudContext;
  readonly connector: CloudConnector;
  readonly app: App;
  readonly budget: PollBudget;
  readonly seldom: SeldomAnswers;
  readonly keyPair: CloudSession["keyPair"];
}

/** What all accounts with one vendor share. */
export interface VendorParts {
  readonly context: CloudContext;
  readonly connector: CloudConnector;
  readonly app: App;
  /** Counts of the owner's registration. */
  readonly book: BudgetBook;
  readonly key: AppKey;
  readonly pace: PollPace;
  readonly openWire: (parts: WireParts) => Wire;
}

/** An active account, over its key-value store. */
export class OpenAccount implements AsyncDisposable {
  readonly tokens: AccountTokens;
  readonly session: ReturnType<Wire["session"]>;
  readonly desk: LoginDesk;
  readonly #vendor: VendorParts;
  readonly #book: BudgetBook;
  readonly #budget: PollBudget;
  readonly #seldom: SeldomAnswers;
  readonly #wire: Wire;
  readonly #stream: AccountStream | null;
  /** The devices that are read. */
  readonly #paced = new Set<PacedDevice>();

  /** `unsaid`: what requests are for that do not say. */
  constructor(vendor: VendorParts, store: KeyValueStore, unsaid: Purpose = "poll") {
    const { context, connector, app, book, key, openWire } = vendor;
    const { clock, random, log } = context;
    this.#vendor = vendor;
    const rules = connector.budgets;
    this.#book = new BudgetBook({ rules: rules.filter(({ scope }) => scope !== "app"), clock, store, log });
    this.#budget = new PollBudget({ rules, account: this.#book, app: book, clock, random, unsaid });
    this.#seldom = new SeldomAnswers({ clock, store, log });
    const [budget, seldom] = [this.#budget, this.#seldom];
    this.#wire = openWire({ context, connector, app, budget, seldom, keyPair: key.pair });
    const { ask, askAnyway } = this.#wire;
    const desk: LoginDesk = { clock, random, app, ask, askAnyway };
    this.desk = desk;
    const { login } = connector;
    const again = login.kind === "form" && login.keepsForm ? login : null;
    this.tokens = new AccountTokens({
      clock,
      log,
      store,
      vendor: connector.id,
      renewals: {
        renew: async (grant, signal) => soundGrant(await renewGrant(login, grant, desk, signal), connector.id),
        signInAgain:
          again === null
            ? null
            : async (form, signal) => soundGrant(await signInAgain(again, form, desk, signal), connector.id),
      },
    });
    this.session = this.#wire.session(this.tokens);
    this.#stream = this.#openStream();
  }

  /** A person signed in again. Resolved: it is on disk. */
  async signedIn(login: Login): Promise<void> {
    this.#seldom.forget();
    await this.tokens.replace(login);
  }

  /** Lets a device hear the account's stream; null: there is none, or the device does not listen. The caller disposes it. */
  listen(device: CloudDevice, key: string, lost: () => void): StreamShare | null {
    return device.hear === undefined ? null : (this.#stream?.join(key, device, lost) ?? null);
  }

  /** Counts a device in among those that draw on the budget. The caller disposes it. */
  pace(device: CloudDevice, key: string, stream: Pick<StreamShare, "isLive"> | null = null): ReadPlan & Disposable {
    const { pace, connector } = this.#vendor;
    const streamedMs = connector.stream?.paceMs ?? 0;
    const paced: PacedDevice = {
      budget: this.#budget,
      // A share changes with the devices that share.
      get cost() {
        return device.cost;
      },
      subject: device.subject ?? key,
      tempo: () => device.tempo(),
      leastMs: () => (stream?.isLive === true ? streamedMs : 0),
    };
    const end = new DisposableStack();
    end.use(pace.join(paced));
    this.#paced.add(paced);
    end.defer(() => void this.#paced.delete(paced));
    return {
      nextMs: () => pace.nextMs(paced),
      windfalls: () => this.#budget.windfalls,
      [Symbol.dispose]: () => end.dispose(),
    };
  }

  /** How it does; the caller knows its name and its devices. */
  status(): Omit<VendorAccount, "account" | "connected"> {
    const { connector, context } = this.#vendor;
    const { answered, failed, lastAnswerMs } = this.session.health();
    const toWall: ToWall = (tickMs) => context.clock.nowMs() + tickMs - context.clock.monotonicMs();
    const nextPollMs = this.#nextPollAtMs();
    return {
      vendorId: connector.id,
      isSignedIn: this.tokens.isSignedIn,
      answered,
      failed,
      vendorsFault: VENDORS_FAULTS.reduce((sum, kind) => sum + (failed[kind] ?? 0), 0),
      lastAnswerMs: lastAnswerMs === null ? null : toWall(lastAnswerMs),
      nextPollMs: nextPollMs <= context.clock.monotonicMs() ? null : toWall(nextPollMs),
      quotas: this.#budget.left().map(({ budget, subject, limit, left, forPolls }) => ({
        name: budget,
        subject,
        limit,
        left,
        leftForPolls: forPolls,
      })),
      stream: this.#streamStatus(toWall),
    };
  }

  #streamStatus(toWall: ToWall): VendorStream | null {
    const standing = this.#stream?.standing ?? null;
    if (standing === null) return null;
    const { sinceMs, lastMessageMs, ...rest } = standing;
    return {
      ...rest,
      sinceMs: sinceMs === null ? null : toWall(sinceMs),
      lastMessageMs: lastMessageMs === null ? null : toWall(lastMessageMs),
    };
  }

  /** The first moment at which a device may be read, monotonic ms. */
  #nextPollAtMs(): number {
    const times = [...this.#paced].map(({ cost, subject }) => this.#budget.nextPollAtMs(cost, subject));
    return times.length === 0 ? this.#budget.nextPollAtMs() : Math.min(...times);
  }

  #openStream(): AccountStream | null {
    const { context, connector, app } = this.#vendor;
    const { clock, random, log, webSockets } = context;
    const { stream } = connector;
    if (stream === undefined) return null;
    const dial = new StreamDial({ connector, app, tokens: this.tokens, budget: this.#budget, webSockets });
    return new AccountStream({ stream, session: this.session, dial, clock, random, log });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stream?.[Symbol.dispose]();
    await this.tokens[Symbol.asyncDispose]();
    await this.#wire[Symbol.asyncDispose]();
    // What was spent since the last note counts as spent when the disk refuses.
    await this.#book.close().catch(() => undefined);
  }
}
