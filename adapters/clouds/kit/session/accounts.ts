import type { VendorAccount } from "hemgate/sdk";
import { BudgetBook } from "../budget/budget-book.ts";
import { PollPace } from "../budget/poll-pace.ts";
import type { App, Apps, CloudConnector, CloudDevice, CloudListing, CloudSession } from "../connector.ts";
import { AppKey } from "../login/app-key.ts";
import { freshLogin, keepLogin, type Login, loginIn } from "../login/kept-login.ts";
import { publicKeyPem } from "../login/key-pair.ts";
import type { LoginDesk } from "../login/login-desk.ts";
import { soundGrant } from "../login/sound-grant.ts";
import type { StreamShare } from "../stream/account-stream.ts";
import { type CloudVendor, keyVendor } from "../vendor.ts";
import { accountStore, memoryStore, newAccountStore, vendorStore } from "./account-store.ts";
import { type CloudContext, OpenAccount, type VendorParts, type Wire, type WireParts } from "./open-account.ts";
import type { ReadPlan } from "./read-times.ts";
import { forgetAnswers } from "./seldom-answers.ts";

/** For vendors that need none. */
const NO_APP: App = { clientId: "", clientSecret: null, apiKey: null };

export interface AccountsParts {
  readonly context: CloudContext;
  readonly vendors: readonly CloudVendor[];
  readonly apps: Apps;
  readonly openWire: (parts: WireParts) => Wire;
}

/** What a login gave, and what it is done with again. */

/** A device's part in an account. Disposing it leaves the account to others. */
export interface AccountShare extends Disposable {
  readonly connector: CloudConnector;
  readonly session: CloudSession;
  /** Counts the device in among those that draw on the account's budget. The caller disposes it. */
  pace(device: CloudDevice, key: string, stream?: StreamShare | null): ReadPlan & Disposable;
  /** Lets the device hear the account's stream, if it has one. The caller disposes it. */
  listen(device: CloudDevice, key: string, lost: () => void): StreamShare | null;
}

interface Shared {
  readonly account: OpenAccount;
  shares: number;
}

/** All accounts at work. Each exists once, however many devices share it: one login, one budget, one set of answers. */
export class Accounts implements AsyncDisposable {
  readonly #parts: AccountsParts;
  readonly #vendors = new Map<string, VendorParts>();
  readonly #open = new Map<string, Shared>();

  constructor(parts: AccountsParts) {
    this.#parts = parts;
  }

  /** Loads a vendor's connector. Rejects with a `RangeError` for a vendor that there is not, or with a `LoadError`. */
  async connector(vendor: string): Promise<CloudConnector> {
    const found = this.#parts.vendors.find(({ id }) => id === vendor);
    if (found === undefined) throw new RangeError(`there is no cloud of a vendor "${vendor}"`);
    return await found.load();
  }

  /** As PEM, what a vendor that somebody registered with looks for at a path below `/.well-known/`; null: none does. */
  async publicKeyAt(path: string): Promise<string | null> {
    const found = keyVendor(path, this.#parts);
    return found === null ? null : publicKeyPem(await (await this.#vendor(found.id)).key.pair());
  }

  /** Does a login of an account that nobody knows yet. */
  async atDesk<T>(vendor: string, work: (desk: LoginDesk) => Promise<T>): Promise<T> {
    await using account = new OpenAccount(await this.#vendor(vendor), memoryStore());
    return await work(account.desk);
  }

  /** The devices of an account that was just signed in to, and its login as it is after they were asked for. */
  async tryOut(
    vendor: string,
    { grant, form }: Login,
    signal: AbortSignal,
  ): Promise<{ readonly listings: readonly CloudListing[]; readonly login: Login }> {
    const login = freshLogin({ grant: soundGrant(grant, vendor), form }, null);
    const store = memoryStore();
    await keepLogin(store, login);
    await using account = new OpenAccount(await this.#vendor(vendor), store, "command");
    const connector = await this.connector(vendor);
    const listings = await connector.list(account.session, signal);
    return { listings, login: loginIn(store) ?? login };
  }

  /** The account has this login from now on, whatever it had before. Resolved: it is on disk. */
  async adopt(account: string, login: Login): Promise<void> {
    const store = newAccountStore(this.#parts.context.accounts, account);
    await keepLogin(store, freshLogin(login, loginIn(store)));
    await forgetAnswers(store);
    await this.#open.get(account)?.account.signedIn(login);
  }

  /** The caller disposes it. */
  async share(vendor: string, id: string): Promise<AccountShare> {
    const parts = await this.#vendor(vendor);
    this.#closeLeft();
    const store = accountStore(this.#parts.context.accounts, id);
    const shared = this.#open.get(id) ?? { account: new OpenAccount(parts, store), shares: 0 };
    this.#open.set(id, shared);
    shared.shares += 1;
    const end = new DisposableStack();
    end.defer(() => {
      shared.shares -= 1;
    });
    const { account } = shared;
    return {
      connector: parts.connector,
      session: account.session,
      pace: (device, key, stream) => account.pace(device, key, stream),
      listen: (device, key, lost) => account.listen(device, key, lost),
      [Symbol.dispose]: () => end.dispose(),
    };
  }

  /** Those that devices run by, or did and will again. */
  status(): readonly VendorAccount[] {
    return [...this.#open]
      .filter(([, { account, shares }]) => shares > 0 || account.tokens.hasLogin)
      .map(([id, { account, shares }]) => ({ account: id, connected: shares, ...account.status() }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map(({ account }) => account[Symbol.asyncDispose]()));
    await Promise.all([...this.#vendors.values()].map(({ book }) => book.close().catch(() => undefined)));
  }

  /** An account without devices stays open for the next connection, until its login was forgotten. */
  #closeLeft(): void {
    for (const [id, { account, shares }] of this.#open) {
      if (shares > 0 || loginIn(accountStore(this.#parts.context.accounts, id)) !== null) continue;
      this.#open.delete(id);
      void account[Symbol.asyncDispose]();
    }
  }

  async #vendor(vendor: string): Promise<VendorParts> {
    const connector = await this.connector(vendor);
    const known = this.#vendors.get(vendor);
    if (known !== undefined) return known;
    const { context, apps, openWire } = this.#parts;
    const { clock, random, log, accounts } = context;
    const rules = connector.budgets.filter(({ scope }) => scope === "app");
    const store = vendorStore(accounts, vendor);
    const made: VendorParts = {
      context: { ...context, log: log.child({ vendor }) },
      connector,
      app: apps[vendor] ?? NO_APP,
      book: new BudgetBook({ rules, clock, store, log }),
      key: new AppKey({ store, random }),
      pace: new PollPace({ pace: connector.pace, clock, random }),
      openWire,
    };
    this.#vendors.set(vendor, made);
    return made;
  }
}
