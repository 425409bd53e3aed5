/** The server's half of digest access authentication (RFC 7616), for twins: every nonce counts for some requests. */
import { hash } from "node:crypto";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import type { TwinRequest } from "./http-twin.ts";

export interface DigestGuardOptions {
  readonly username: string;
  readonly password: string;
  readonly realm: string;
  readonly algorithm: "SHA-256" | "MD5";
  /** Requests after which a nonce is old. */
  readonly nonceLife: number;
}

export class DigestGuard {
  readonly #options: DigestGuardOptions;
  #nonce = 1_725_185_413;
  #used = 0;
  #lastCount = 0;

  constructor(options: DigestGuardOptions) {
    this.#options = options;
  }

  /** Null lets the request in; else it is the challenge. */
  refusal({ method, request, headers }: TwinRequest): SimWebAnswer | null {
    const given = headers["authorization"] ?? "";
    const field = (name: string): string =>
      new RegExp(`(?:^|[\\s,])${name}="?([^",]*)"?`).exec(given.replace(/^Digest /, ""))?.[1] ?? "";
    const { username, password, realm, algorithm, nonceLife } = this.#options;
    const sum = (text: string): string => hash(algorithm === "MD5" ? "md5" : "sha256", text);
    const who = sum(`${username}:${realm}:${password}`);
    const what = sum(`${method}:${request.path}`);
    const count = Number.parseInt(field("nc"), 16);
    const expected = sum(`${who}:${this.#nonce}:${field("nc")}:${field("cnonce")}:auth:${what}`);
    const isRight =
      field("response") === expected &&
      field("nonce") === String(this.#nonce) &&
      field("uri") === request.path &&
      count > this.#lastCount;
    if (isRight && this.#used < nonceLife) {
      this.#used += 1;
      this.#lastCount = count;
      return null;
    }
    this.#nonce += 1;
    this.#used = 0;
    this.#lastCount = 0;
    const challenge = `Digest qop="auth", realm="${realm}", nonce="${this.#nonce}", algorithm=${algorithm}`;
    return { status: 401, headers: { "www-authenticate": challenge }, body: "" };
  }
}
