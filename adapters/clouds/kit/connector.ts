/**
 * What a vendor's connector is made of. The kit does the rest: it signs in, keeps and renews tokens, counts requests
 * against the vendor's budget, retries, bounds and parses answers, shares them between an account's devices, and makes
 * drivers of devices.
 */
import type {
  Clock,
  Control,
  ControlPoint,
  DeviceIdentity,
  LinkableType,
  LinkField,
  LinkOutcome,
  Log,
  PointName,
  PointValue,
  Random,
  z,
} from "hemgate/sdk";
import type { KeyPair } from "./login/key-pair.ts";
import type { CloudErrorKind } from "./session/cloud-error.ts";
import type { SeldomQuestion } from "./session/seldom-answers.ts";
import type { CloudStream } from "./stream/cloud-stream.ts";

/** What a request is for. Each purpose may use what the less important ones leave: logins first, then commands. */
export type Purpose = "login" | "command" | "poll";

/** A request to the vendor; its URL without any key or token, those are added by `authorize`. */
export interface CloudRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `https:`, at one of the connector's hosts. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly json: unknown } | { readonly form: Readonly<Record<string, string>> };
  /** Default `poll`. */
  readonly purpose?: Purpose;
  /** How many of each budget's units it costs; default 1 of each. A budget with 0 is not touched. */
  readonly cost?: Readonly<Record<string, number>>;
  /** The site, device or endpoint that budgets of that scope count for. */
  readonly subject?: string;
  /**
   * True: asking twice does no harm, so that an answer that was lost is asked for again. Default: GET only. A command
   * whose answer was lost is a `timeout`; the engine reads the state before it sends it again.
   */
  readonly isRepeatable?: boolean;
}

export interface CloudAnswer {
  readonly status: number;
  /** The last of each name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What it sets, `name=value` each; absent: nothing. */
  readonly cookies?: readonly string[];
  /** The body parsed as JSON; null for an empty one. Never trusted: a connector parses it with a schema. */
  readonly body: unknown;
}

/** What a login gives. It is a secret as a whole, and is kept sealed. */
export interface Grant {
  /** The token, session or key that requests carry. */
  readonly access: string;
  /** Null: none, the login itself has to be done again. */
  readonly refresh: string | null;
  /** Wall-clock ms at which `access` ends; null: it does not say, or it does not end. */
  readonly expiresAtMs: number | null;
  /** What else the vendor's requests need: a region's base address, an account's id. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** The owner's registration with the vendor as a developer, from the configuration. */
export interface App {
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
  /** The API key that some vendors want beside the token; null when not given. */
  readonly apiKey: string | null;
  /** The name that the owner registered as the app's own, where the vendor looks for its public key. */
  readonly domain?: string;
}

/** The owner's registrations with vendors, by the connector's id. */
export type Apps = Readonly<Record<string, App>>;

/** Asks without a grant: for logins. */
export type Ask = (request: CloudRequest, signal: AbortSignal) => Promise<CloudAnswer>;

interface LoginTools {
  readonly ask: Ask;
  readonly app: App;
  readonly nowMs: () => number;
}

/**
 * How people sign in.
 * - `code`: OAuth 2.0 authorization code with PKCE (RFC 6749, 7636) in the person's browser.
 * - `device-code`: OAuth 2.0 device grant (RFC 8628).
 * - `form`: the vendor's own: name and password, an API key, a PIN; written by the connector.
 */
export type CloudLogin =
  | {
      readonly kind: "code";
      readonly authorizeUrl: string;
      readonly tokenUrl: string;
      readonly scopes: readonly string[];
      /** How the client proves itself at the token address. */
      readonly clientAuth: "basic" | "body";
      /** False for the few vendors that refuse PKCE's parameters. */
      readonly hasPkce: boolean;
      readonly authorizeParameters?: Readonly<Record<string, string>>;
      readonly tokenParameters?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "device-code";
      readonly deviceUrl: string;
      readonly tokenUrl: string;
      readonly scopes: readonly string[];
      /** A client id that the vendor publishes for everybody; absent where the owner registers one. */
      readonly publicClientId?: string;
    }
  | {
      readonly kind: "form";
      readonly fields: readonly LinkField[];
      /** True: what was typed is needed again for each login, and is kept sealed. */
      readonly keepsForm: boolean;
      /** Rejects with a `CloudError`: `login-refused` when the vendor does not accept what was typed. */
      signIn(form: Readonly<Record<string, string>>, tools: LoginTools, signal: AbortSignal): Promise<Grant | LoginAsk>;
      /** Absent: signs in again with the form that was kept. */
      renew?(grant: Grant, tools: LoginTools, signal: AbortSignal): Promise<Grant>;
    };

/** The vendor wants more, and `signIn` is done again with it. */
export type LoginAsk = (
  | {
      /** A second factor. The answers come with the form. */
      readonly more: readonly LinkField[];
    }
  | {
      /** The person enters the code on the vendor's own page; the form is tried every `pollMs` until it is accepted. */
      readonly enter: Readonly<
        Pick<Extract<LinkOutcome, { readonly kind: "wait" }>, "url" | "code" | "pollMs" | "hint">
      >;
    }
) & {
  /** Goes into the next form under these names; a person never sees it. */
  readonly keep: Readonly<Record<string, string>>;
};

/** So many units in any stretch of time of that length, as the vendor counts them. */
export interface BudgetRule {
  /** Kebab-case; unique within the connector. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Who shares it: one login, all logins of the owner's registration, or each `subject` of a login. */
  readonly scope: "account" | "app" | "subject";
  /** `sliding`: the window moves with the clock. `day`, `month`: restarts at midnight UTC, or on the first. */
  readonly window: "sliding" | "day" | "month";
  /** Units that polls leave to commands, and that commands leave to logins. */
  readonly reserved: { readonly command: number; readonly login: number };
  /** True: logins are asked for elsewhere, and do not count here. Default: they do. */
  readonly isWithoutLogins?: boolean;
  /** True: answers with a server error, 500 or above, do not count. Default: it does. */
  readonly isWithoutFaults?: boolean;
  /** Where the figure is from, and how sure it is. */
  readonly source: string;
  readonly confidence: "documented" | "observed" | "unverified";
}

/** The vendor's own count, from an answer's headers. */
export interface BudgetNews {
  readonly budget: string;
  readonly limit?: number;
  readonly left?: number;
  /** From now, ms. */
  readonly resetsInMs?: number;
  /** True: `left` is of the same count that the vendor refuses by, so it is right even where it is more than our own. */
  readonly isItsCount?: boolean;
}

/** How soon another reading of a device is worth its request. */
export type Tempo = "active" | "usual" | "idle";

/** One account at work, as a connector sees it. */
export interface CloudSession {
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid">;
  readonly log: Log;
  readonly app: App;
  /** Of the login, `access` not among them. */
  readonly extra: Readonly<Record<string, string>>;
  /** Asks with the account's grant, within its budgets. Rejects with a `CloudError`, or the signal's reason. */
  readonly ask: Ask;
  /** The keys of the owner's registration, the same for good: for vendors whose devices take signed commands only. */
  readonly keyPair: () => Promise<KeyPair>;
  /**
   * What devices of the account share: answers what was fetched under this key at most `freshMs` ago, joins a fetch that
   * is under way, or fetches. A failure is not kept.
   */
  shared<T>(key: string, freshMs: number, fetch: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** What changes seldom: as `shared`, and kept on disk, so that neither a restart nor a quota that is spent costs it. */
  seldom<Schema extends z.ZodType>(question: SeldomQuestion<Schema>, signal: AbortSignal): Promise<z.infer<Schema>>;
  /** Monotonic ms as of which the answer is that is shared under a key; null: none is kept. */
  sharedTickMs(key: string): number | null;
  /** What is shared is old now: a command changed it. */
  outdate(key: string): void;
}

export interface CloudReading {
  readonly point: PointName;
  readonly value: PointValue | null;
  /** Wall-clock ms at which it was measured, where the vendor tells; absent: when it was read. */
  readonly measuredAtMs?: number;
  /** Monotonic ms at which it was read, where neither the vendor tells a time nor it was read now. */
  readonly readTickMs?: number;
}

/** A control point of a device behind a cloud. */
export type CloudControl = Control & {
  /** What the vendor does instead where it has no exact equal, for the owner to read. */
  readonly caveat?: string;
  /** `unverified` ones are off until the owner confirms them. */
  readonly confidence: "documented" | "cross-checked" | "unverified";
};

/** A device of an account, with what is needed to open it again. */
export interface CloudListing {
  /** The vendor's id of it, for good; unique in the account. */
  readonly key: string;
  readonly types: readonly LinkableType[];
  readonly name: string | null;
  readonly model: string | null;
  /** A serial number or address that people know it by. */
  readonly detail: string | null;
}

/** One device behind a cloud. One call at a time. */
export interface CloudDevice {
  readonly identity: DeviceIdentity;
  readonly isEnergyManager?: boolean;
  readonly points: readonly PointName[];
  readonly controls: readonly CloudControl[];
  /** Requests that one `read` costs, by budget: the period follows from it. A share of 1 where devices share answers. */
  readonly cost: Readonly<Record<string, number>>;
  /** What its reads name as `subject`; absent: the key that it is listed by. Devices of one subject share its budgets. */
  readonly subject?: string;
  /** All that it can tell; a point that it cannot tell now is null. Rejects with a `CloudError`. */
  read(signal: AbortSignal): Promise<readonly CloudReading[]>;
  /** As `Driver.isAsleep`. */
  readonly isAsleep?: boolean;
  /** Resolved: the vendor took it. Rejects with a `CloudError`. */
  write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void>;
  /** True for a value that cannot be asked for, and that the device had before a command: to write it ends that. */
  takesBack?(point: ControlPoint, value: PointValue): boolean;
  tempo(): Tempo;
  /** Takes what its connector's stream tells of it; a device without is only read. */
  hear?(news: unknown): void;
  /** Returns what the stream sent since the last call, each with the vendor's time. */
  streamed?(): readonly CloudReading[];
  /** True if news from the stream or from another device's read calls for a read, whatever the pace. */
  wantsRead?(): boolean;
  /** True if its last read showed a change that the stream should have sent before. */
  hasMissed?(): boolean;
}

/** A vendor's cloud. */
export interface CloudConnector {
  /** Kebab-case, such as `solaredge`. */
  readonly id: string;
  /** Vendor codes of the API (rule S4.2), the brand's first. */
  readonly vendors: readonly string[];
  readonly types: readonly LinkableType[];
  readonly displayName: string;
  /** The app or site that its users sign in to. */
  readonly portalName: string;
  /** Nothing is sent elsewhere: names, or `*.` and the end of a name. */
  readonly hosts: readonly string[];
  readonly login: CloudLogin;
  /** True: it cannot be used without the owner's own registration (`App`). */
  readonly needsApp: boolean;
  /** Below `/.well-known/` of the app's domain, where the vendor looks for the registration's public key; absent: nowhere. */
  readonly publicKeyAt?: string;
  readonly budgets: readonly BudgetRule[];
  /** ms between two reads where the budget allows; `active` while it charges or after a command. */
  readonly pace: Readonly<Record<Tempo, number>>;
  /** What the vendor pushes; absent: it is only asked. */
  readonly stream?: CloudStream;
  /** Adds the grant to a request. Default: `authorization: Bearer`. */
  authorize?(request: CloudRequest, grant: Grant, app: App): CloudRequest;
  /** What an answer means where its status alone does not say: null when it is what was asked for. */
  errorOf?(answer: CloudAnswer): CloudErrorKind | null;
  /** What an answer's headers say of budgets. */
  budgetNews?(answer: CloudAnswer): readonly BudgetNews[];
  /** The devices of an account that has just signed in. */
  list(session: CloudSession, signal: AbortSignal): Promise<readonly CloudListing[]>;
  /** Connects one of them. Rejects with a `CloudError`; `refused` when the account has no such device any more. */
  open(session: CloudSession, key: string, signal: AbortSignal): Promise<CloudDevice>;
}
