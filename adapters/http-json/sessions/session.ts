import type { Clock, HttpAnswer, Random } from "hemgate/sdk";
import type { LineRequest } from "../http-line.ts";

/** What the owner knows to sign in with. */
export interface Credentials {
  readonly username: string | null;
  readonly password: string | null;
  readonly token: string | null;
}

/** What goes along with a request to say who asks. */
export interface Pass {
  readonly headers: Readonly<Record<string, string>>;
  /** Further parts of the query, never shown. */
  readonly query?: string;
}

/** The way of the requests that a sign-in sends. */
export interface SignInLine {
  send(request: Pick<LineRequest, "method" | "path" | "headers" | "body">, signal: AbortSignal): Promise<HttpAnswer>;
}

export interface SessionWorld {
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
  readonly random: Pick<Random, "secretBytes">;
  readonly credentials: Credentials;
}

/** Authenticates requests to one device. It is kept across connections, and with it a sign-in or a refusal. */
export interface Session {
  /** For the next request; signs in first where that is needed. Rejects with a `DeviceError`. */
  pass(
    request: { readonly method: string; readonly path: string },
    line: SignInLine,
    signal: AbortSignal,
  ): Promise<Pass>;
  /** Called after an answer 401 or 403: true when the request is worth sending once more, with a new pass. */
  refused(answer: HttpAnswer): boolean;
  /** Called after every other answer. */
  accepted?(): void;
}
