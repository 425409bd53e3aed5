import type { Person, PersonUpdate } from "../../domain/people/account.ts";
import type { AuditActor, AuditedDeed, AuditRecord } from "../../domain/people/audit.ts";
import type {
  Passkey,
  PasskeyCreate,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeySignIn,
} from "../../domain/people/passkey.ts";
import type { Right, Role } from "../../domain/people/role.ts";

/** Where a sign-in comes from. */
export interface SignInPlace {
  /** IP address. */
  readonly address: string;
  /** What the browser calls itself; `null` if nothing. */
  readonly userAgent: string | null;
}

/** The page that a passkey is used at, and who asks. */
export interface PasskeyPlace {
  /** Such as `https://hemgate.local:8443`. */
  readonly origin: string;
  /** Host name of the origin. */
  readonly host: string;
  /** IP address of the browser. */
  readonly address: string;
}

/** One try of a secret, as seen by who counts them. */
export interface Attempt {
  /** True if it goes before those of others. */
  readonly isAhead: boolean;
  /** Called when its turn has come; it may throw, if others failed meanwhile. */
  before(): void;
  failed(): void;
  succeeded(): void;
}

/** A session that is open, and its account. */
export interface LiveSession {
  readonly id: string;
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly language: string | null;
    /** Wall-clock ms; `null`: it does not end by itself. */
    readonly expiresAtMs: number | null;
  };
  readonly rights: readonly Right[];
  /** What a page has to send with changes. */
  readonly csrfToken: string;
  /** Wall-clock ms. */
  readonly expiresAtMs: number;
}

/** A session that has just begun. `token`: the cookie's value, which is nowhere else. */
export interface SignedIn {
  readonly token: string;
  readonly session: LiveSession;
}

/** Who asks about people: an account, or `null` for a program; and whether all people are its business. */
export interface Asker {
  readonly accountId: string | null;
  readonly isManager: boolean;
}

/** A code that is shown once. Wall-clock ms. */
export interface ShownCode {
  readonly code: string;
  readonly expiresAtMs: number;
}

export interface NewAccount {
  readonly name: string;
  readonly role: Role;
  readonly language?: string | undefined;
  readonly password?: string | undefined;
}

export interface ListedSession {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
  readonly address: string;
  readonly userAgent: string | null;
}

/** The keys by which people sign in without a password. Changes are on disk when their promise resolves. */
export interface PeoplePasskeys {
  /** Returns those of an account, oldest first. Throws `not-found`, and `forbidden` for somebody else's. */
  passkeys(accountId: string, asker: Asker): readonly Passkey[];
  /** Begins to make one for the session's own account. Throws `forbidden` if the password is wrong. */
  passkeyCreation(
    session: LiveSession,
    password: string,
    place: PasskeyPlace,
    attempt: Attempt,
  ): Promise<PasskeyCreationOptions>;
  /** Throws `forbidden` for an answer that does not hold, and `conflict` for one passkey too many. */
  createPasskey(session: LiveSession, answer: PasskeyCreate, place: PasskeyPlace): Promise<Passkey>;
  /** Removes a passkey at once. Throws `not-found`, and `forbidden` for somebody else's. */
  removePasskey(accountId: string, passkeyId: string, asker: Asker): Promise<void>;
  passkeyRequest(place: PasskeyPlace): PasskeyRequestOptions;
  /** Begins a session. Throws `unauthorized` for an answer that does not hold, `forbidden` if the account has ended. */
  signInWithPasskey(answer: PasskeySignIn, place: PasskeyPlace, from: SignInPlace, attempt: Attempt): Promise<SignedIn>;
}

/** Accounts and sessions of the people of the house. Changes are on disk when their promise resolves. */
export interface People extends PeoplePasskeys {
  /** True once somebody has an account; also if accounts are on disk that cannot be opened now. */
  isClaimed(): boolean;
  /** The code that makes an owner, such as `K7QM-2FXA`; `null` if none counts now. */
  setupCode(): string | null;
  /** Makes another setup code; the earlier one counts no longer. On a claimed gateway it counts for an hour. */
  renewSetupCode(): string;
  /**
   * Exchanges a setup code, an invitation or a code for a new password for an account with this password, and a session.
   * Throws `forbidden` for a code that does not count, and `conflict` for a name that is taken.
   */
  claim(
    claim: {
      readonly code: string;
      readonly name: string;
      readonly password: string;
      readonly language?: string | undefined;
    },
    from: SignInPlace,
    attempt: Attempt,
  ): Promise<SignedIn>;
  /**
   * Begins a session. `null`: the name or the password is wrong, which takes the same time. Throws `forbidden` if the
   * account has ended, and `service-unavailable` if too many wait.
   */
  signIn(name: string, password: string, from: SignInPlace, attempt: Attempt): Promise<SignedIn | null>;
  /** Returns the open session of a cookie, and moves its end; `null` if it has none. */
  sessionOf(token: string): LiveSession | null;
  /** The account with this name, for the audit log; `null` if there is none. */
  named(name: string): Pick<AuditActor, "id" | "name"> | null;

  /** Returns people, oldest account first: all, or only the asker's own account. */
  list(asker: Asker): readonly Person[];
  /** Makes an account, with an invitation if it has no password. Throws `conflict` for a name that is taken. */
  create(account: NewAccount): Promise<{ readonly person: Person; readonly code: ShownCode | null }>;
  /** Changes an account. Throws `not-found`, `forbidden`, and `conflict` for a name that is taken or the last owner. */
  update(id: string, changes: PersonUpdate, asker: Asker, attempt: Attempt, sessionId: string | null): Promise<Person>;
  /** Removes an account and its sessions. Throws `not-found`, and `conflict` for the last owner. */
  remove(id: string): Promise<void>;
  /** Makes a code for a new password. It counts for an hour; the sessions go on until it is used. Throws `not-found`. */
  reset(name: string): Promise<ShownCode>;

  /** Returns the open sessions, newest first: all, or only the asker's own. */
  sessions(asker: Asker): readonly ListedSession[];
  /** Ends a session at once. Throws `not-found`, also for a session that is not the asker's business. */
  endSession(id: string, asker: Asker): Promise<void>;
  /** Calls the listener after a session ended before its time. Disposing the result unsubscribes. */
  observeEnds(listener: (sessionId: string) => void): Disposable;
}

/** Who changed and commanded what. */
export interface Audit {
  /** Returns the entries, newest first. */
  list(): readonly AuditRecord[];
  /** Adds an entry, or counts the deed with an equal one. It is on disk with the next change of something else. */
  note(deed: AuditedDeed): void;
}
