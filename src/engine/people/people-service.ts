import { hash, timingSafeEqual } from "node:crypto";
import type { Person, PersonUpdate } from "../../domain/people/account.ts";
import { typedCode } from "../../domain/people/code.ts";
import type { Passkey, PasskeyCreate, PasskeyRequestOptions, PasskeySignIn } from "../../domain/people/passkey.ts";
import { rightsOf } from "../../domain/people/role.ts";
import { problem } from "../../domain/problem.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { AccountRecord, SessionRecord } from "../../store/records/people.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type {
  Asker,
  Attempt,
  ListedSession,
  LiveSession,
  NewAccount,
  PasskeyPlace,
  People,
  ShownCode,
  SignedIn,
  SignInPlace,
} from "../contracts/people.ts";
import { Accounts, newAccount, put, withEndOf } from "./accounts.ts";
import { isOver } from "./deadline.ts";
import { Passkeys, passkeysOf, shownPasskey } from "./passkeys.ts";
import { Passwords } from "./passwords.ts";
import { csrfTokenOf, Sessions } from "./sessions.ts";
import { INVITATION_LIFE_MS, newCode, RESET_LIFE_MS, SetupCode } from "./setup-code.ts";

/** Changes of accounts run one after the other, so that a code counts once and the last owner stays. */
const CHANGES = "changes";

/** The parts of the engine that people use. */
export interface PeopleNeeds {
  readonly store: Pick<Store, "all" | "get" | "commit" | "commitAlong" | "locked">;
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly random: Random;
  readonly log: Log;
}

type ClaimInput = Parameters<People["claim"]>[0];

export class PeopleService implements People {
  readonly #parts: PeopleNeeds;
  readonly #accounts: Accounts;
  readonly #sessions: Sessions;
  readonly #passwords: Passwords;
  readonly #passkeys: Passkeys;
  readonly #setup: SetupCode;
  readonly #mutex = new KeyedMutex({ maxWaiting: null });

  constructor(parts: PeopleNeeds) {
    this.#parts = parts;
    this.#accounts = new Accounts(parts);
    this.#sessions = new Sessions(parts);
    this.#passwords = new Passwords(parts.random);
    this.#passkeys = new Passkeys(parts);
    this.#setup = new SetupCode(parts);
  }

  /** Makes the setup code of a gateway that nobody owns, and logs it. */
  connect(): void {
    if (this.isClaimed()) return;
    const setupCode = this.#setup.renew(null);
    this.#parts.log.info({ setupCode }, "nobody owns this gateway yet: open it in a browser and enter the setup code");
  }

  isClaimed(): boolean {
    const isLocked = this.#parts.store.locked.some(({ table }) => table === "account");
    return isLocked || this.#accounts.all().some(({ password }) => password !== null);
  }

  setupCode(): string | null {
    return this.#setup.current();
  }

  renewSetupCode(): string {
    return this.#setup.renew(this.isClaimed() ? RESET_LIFE_MS : null);
  }

  async claim(claim: ClaimInput, from: SignInPlace, attempt: Attempt): Promise<SignedIn> {
    const code = typedCode(claim.code);
    return await this.#mutex.run(CHANGES, async () => {
      const isSetup = code !== null && this.#setup.isRight(code);
      const invited = code === null || isSetup ? null : this.#invited(code);
      if (!isSetup && invited === null) {
        attempt.failed();
        throw problem("forbidden", "The code is wrong, was used already, or has expired.");
      }
      this.#refuseTaken(claim.name, invited?.id ?? null);
      const password = await this.#passwords.hash(claim.password);
      const account = this.#claimed(claim, password, invited);
      const ended = invited === null ? [] : this.#sessions.end(({ accountId }) => accountId === invited.id);
      const signedIn = await this.#begin(account, from, [put(account), ...ended]);
      if (isSetup) this.#setup.use();
      attempt.succeeded();
      this.#parts.log.info({ account: account.id, role: account.role }, "a person has an account now");
      return signedIn;
    });
  }

  async signIn(name: string, password: string, from: SignInPlace, attempt: Attempt): Promise<SignedIn | null> {
    const found = this.#accounts.named(name);
    if (!(await this.#passwords.isRight(found?.password ?? null, password, attempt))) return null;
    return await this.#mutex.run(CHANGES, async () => {
      // It may have been changed while this one waited.
      const account = found === null ? null : this.#accounts.get(found.id);
      if (account === null || account.password?.hash !== found?.password?.hash) return null;
      this.#refuseEnded(account);
      return await this.#begin(account, from, []);
    });
  }

  sessionOf(token: string): LiveSession | null {
    const record = this.#sessions.use(token);
    if (record === null) return null;
    const account = this.#accounts.get(record.accountId);
    if (account === null || (account.end !== undefined && isOver(account.end, this.#parts.clock))) return null;
    return liveSession(record, account, token);
  }

  named(name: string): Pick<AccountRecord, "id" | "name"> | null {
    return this.#accounts.named(name);
  }

  list(asker: Asker): readonly Person[] {
    const own = this.#accounts.all().filter(({ id }) => asker.isManager || id === asker.accountId);
    return own.sort((a, b) => a.createdAtMs - b.createdAtMs).map((account) => this.#shown(account));
  }

  async create({ name, role, language, password }: NewAccount) {
    return await this.#mutex.run(CHANGES, async () => {
      this.#refuseTaken(name, null);
      this.#accounts.refuseTooMany();
      const stored = password === undefined ? null : await this.#passwords.hash(password);
      const bare = newAccount({ name, role, language, password: stored }, this.#parts);
      if (stored !== null) return { person: await this.#store(bare), code: null };
      const { code, kept } = newCode(INVITATION_LIFE_MS, this.#parts);
      return { person: await this.#store({ ...bare, code: kept }), code: { code, expiresAtMs: kept.expiresAtMs } };
    });
  }

  async update(
    id: string,
    changes: PersonUpdate,
    asker: Asker,
    attempt: Attempt,
    sessionId: string | null,
  ): Promise<Person> {
    return await this.#mutex.run(CHANGES, async () => {
      const account = this.#accounts.require(id);
      refuseChange(account, changes, asker);
      const { name = account.name, language = account.language, role = account.role, password } = changes;
      this.#refuseTaken(name, id);
      if (role !== "owner") this.#refuseLastOwner(account);
      const stored = password === undefined ? account.password : await this.#newPassword(account, changes, attempt);
      const isRenewed = changes.renew === true || role !== account.role;
      const named = { ...account, name, language, role, password: stored };
      const changed = isRenewed ? withEndOf(named, this.#parts.clock) : named;
      if (changes.renew === true && changed.end === undefined) {
        throw problem("conflict", `An account with the role ${role} does not end, so there is nothing to renew.`);
      }
      const others = ({ accountId, id: other }: SessionRecord): boolean => accountId === id && other !== sessionId;
      const ended = password === undefined ? [] : this.#sessions.end(others);
      return await this.#store(changed, ended);
    });
  }

  async remove(id: string): Promise<void> {
    await this.#mutex.run(CHANGES, async () => {
      const account = this.#accounts.require(id);
      this.#refuseLastOwner(account);
      const ended = this.#sessions.end(({ accountId }) => accountId === id);
      await this.#parts.store.commit([{ table: "account", key: id, remove: true }, ...ended], [], "urgent");
      this.#parts.log.info({ account: id }, "a person's account was removed");
    });
  }

  async reset(name: string): Promise<ShownCode> {
    return await this.#mutex.run(CHANGES, async () => {
      const account = this.#accounts.named(name);
      if (account === null) {
        const names = this.#accounts.all().map((each) => each.name);
        const others = names.length === 0 ? "nobody has one yet" : `there are ${names.join(", ")}`;
        throw problem("not-found", `There is no account "${name}"; ${others}.`);
      }
      const { code, kept } = newCode(RESET_LIFE_MS, this.#parts);
      await this.#store({ ...account, code: kept });
      return { code, expiresAtMs: kept.expiresAtMs };
    });
  }

  passkeys(accountId: string, asker: Asker): readonly Passkey[] {
    return passkeysOf(this.#ownAccount(accountId, asker)).map(shownPasskey);
  }

  async passkeyCreation(session: LiveSession, password: string, place: PasskeyPlace, attempt: Attempt) {
    const account = this.#accounts.require(session.account.id);
    if (!(await this.#passwords.isRight(account.password, password, attempt))) {
      throw problem("forbidden", "The password is wrong; nothing was changed.");
    }
    return this.#passkeys.creationOptions(account, session.id, place);
  }

  async createPasskey(session: LiveSession, answer: PasskeyCreate, place: PasskeyPlace): Promise<Passkey> {
    return await this.#mutex.run(CHANGES, async () => {
      const account = this.#accounts.require(session.account.id);
      const passkey = this.#passkeys.create(this.#accounts.all(), account, session.id, answer, place);
      await this.#store({ ...account, passkeys: [...passkeysOf(account), passkey] });
      this.#parts.log.info({ account: account.id }, "a person has a new passkey");
      return shownPasskey(passkey);
    });
  }

  async removePasskey(accountId: string, passkeyId: string, asker: Asker): Promise<void> {
    await this.#mutex.run(CHANGES, async () => {
      const account = this.#ownAccount(accountId, asker);
      const kept = passkeysOf(account).filter(({ id }) => id !== passkeyId);
      if (kept.length === passkeysOf(account).length) throw problem("not-found", `There is no passkey ${passkeyId}.`);
      await this.#store({ ...account, passkeys: kept });
    });
  }

  passkeyRequest(place: PasskeyPlace): PasskeyRequestOptions {
    return this.#passkeys.requestOptions(place);
  }

  async signInWithPasskey(answer: PasskeySignIn, place: PasskeyPlace, from: SignInPlace, attempt: Attempt) {
    return await this.#mutex.run(CHANGES, async () => {
      attempt.before();
      const account = this.#signedIn(answer, place, attempt);
      this.#refuseEnded(account);
      const signedIn = await this.#begin(account, from, [put(account)]);
      attempt.succeeded();
      return signedIn;
    });
  }

  sessions(asker: Asker): readonly ListedSession[] {
    const listed = this.#sessions.list().flatMap(({ hash: _, isDateUnsure: __, ...record }) => {
      const account = this.#accounts.get(record.accountId);
      if (account === null || !concerns(record.accountId, asker)) return [];
      return [{ ...record, accountName: account.name }];
    });
    return listed.sort((a, b) => b.createdAtMs - a.createdAtMs);
  }

  async endSession(id: string, asker: Asker): Promise<void> {
    const ended = this.#sessions.end((record) => record.id === id && concerns(record.accountId, asker));
    if (ended.length === 0) throw problem("not-found", `There is no session ${id}.`);
    await this.#parts.store.commit(ended, [], "urgent");
  }

  observeEnds(listener: (sessionId: string) => void): Disposable {
    return this.#sessions.observeEnds(listener);
  }

  /** The account that an invitation or a code for a new password is for. */
  #invited(code: string): AccountRecord | null {
    const found = this.#accounts.all().find((account) => account.code !== undefined && isCodeOf(account.code, code));
    return found?.code === undefined || isOver(found.code, this.#parts.clock) ? null : found;
  }

  #claimed(
    { name, language }: ClaimInput,
    password: AccountRecord["password"],
    invited: AccountRecord | null,
  ): AccountRecord {
    if (invited === null) return newAccount({ name, role: "owner", language, password }, this.#parts);
    const { code: _, ...kept } = invited;
    const claimed: AccountRecord = { ...kept, name, language: language ?? kept.language, password };
    // An installer's time begins when the invitation is taken.
    return invited.password === null ? withEndOf(claimed, this.#parts.clock) : claimed;
  }

  #signedIn(answer: PasskeySignIn, place: PasskeyPlace, attempt: Attempt): AccountRecord {
    try {
      return this.#passkeys.signedIn(this.#accounts.all(), answer, place);
    } catch (error) {
      attempt.failed();
      throw error;
    }
  }

  #ownAccount(id: string, asker: Asker): AccountRecord {
    if (!concerns(id, asker)) throw problem("forbidden", "Only an owner sees and removes the passkeys of others.");
    return this.#accounts.require(id);
  }

  #refuseEnded({ name, end }: AccountRecord): void {
    if (end === undefined || !isOver(end, this.#parts.clock)) return;
    throw problem("forbidden", `The time of ${name}'s account is over; an owner can renew it.`);
  }

  async #newPassword(account: AccountRecord, changes: PersonUpdate, attempt: Attempt) {
    const { password = "", oldPassword = "" } = changes;
    if (await this.#passwords.isRight(account.password, oldPassword, attempt)) return this.#passwords.hash(password);
    throw problem("forbidden", "The old password is wrong; nothing was changed.");
  }

  async #begin(account: AccountRecord, from: SignInPlace, writes: readonly Write[]): Promise<SignedIn> {
    const { token, record, writes: own } = this.#sessions.begin(account.id, from);
    await this.#parts.store.commit([...writes, ...own], [], "urgent");
    this.#sessions.keep(record);
    return { token, session: liveSession(record, account, token) };
  }

  async #store(account: AccountRecord, more: readonly Write[] = []): Promise<Person> {
    await this.#parts.store.commit([put(account), ...more], [], "urgent");
    return this.#shown(account);
  }

  #shown(account: AccountRecord): Person {
    const seen = this.#sessions.list().filter(({ accountId }) => accountId === account.id);
    const lastSeenMs = seen.length === 0 ? null : Math.max(...seen.map(({ lastSeenAtMs }) => lastSeenAtMs));
    const { id, name, role, language, createdAtMs, end, password } = account;
    return {
      id,
      name,
      role,
      language,
      createdAt: new Date(createdAtMs).toISOString(),
      expiresAt: end === undefined ? null : new Date(end.expiresAtMs).toISOString(),
      lastSeenAt: lastSeenMs === null ? null : new Date(lastSeenMs).toISOString(),
      isPending: password === null,
    };
  }

  #refuseTaken(name: string, ownId: string | null): void {
    const other = this.#accounts.named(name);
    if (other === null || other.id === ownId) return;
    throw problem("conflict", `There is an account "${other.name}" already; choose another name.`);
  }

  /** An owner who was invited and has no password yet cannot manage people. */
  #refuseLastOwner({ id, role, password }: AccountRecord): void {
    if (role !== "owner" || password === null) return;
    const isOther = (other: AccountRecord): boolean =>
      other.id !== id && other.role === "owner" && other.password !== null;
    if (this.#accounts.all().some(isOther)) return;
    throw problem("conflict", "This is the last owner; make somebody else an owner first.");
  }
}

function liveSession({ id, expiresAtMs }: SessionRecord, account: AccountRecord, token: string): LiveSession {
  const { id: accountId, name, role, language, end } = account;
  return {
    id,
    account: { id: accountId, name, role, language, expiresAtMs: end?.expiresAtMs ?? null },
    rights: rightsOf(role),
    csrfToken: csrfTokenOf(token),
    expiresAtMs,
  };
}

function refuseChange(account: AccountRecord, changes: PersonUpdate, { accountId, isManager }: Asker): void {
  const isOwn = account.id === accountId;
  if (!isOwn && !isManager) throw problem("forbidden", "Only an owner changes the accounts of others.");
  if (!isManager && (changes.role !== undefined || changes.renew !== undefined)) {
    throw problem("forbidden", "Only an owner changes roles and renews accounts.");
  }
  if (!isOwn && changes.password !== undefined) {
    const help = `on the gateway's machine, hemgate people reset makes a code for a new one`;
    throw problem("forbidden", `People change their own password only; ${help}.`);
  }
}

function concerns(accountId: string, asker: Asker): boolean {
  return asker.isManager || accountId === asker.accountId;
}

function isCodeOf({ hash: expected }: { readonly hash: string }, code: string): boolean {
  return timingSafeEqual(Buffer.from(expected, "hex"), hash("sha256", code, "buffer"));
}
