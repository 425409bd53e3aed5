/** Digest access authentication (RFC 7616) with SHA-256 or MD5 and `qop=auth`. */
import { hash } from "node:crypto";
import { DeviceError, type HttpAnswer } from "hemgate/sdk";
import type { Pass, Session, SessionWorld } from "./session.ts";

/** The first challenge, or one because the nonce is old, is answered; another one on top refuses the password. */
const MAX_REFUSALS = 1;
const NONCE_BYTES = 16;
/** Characters; a longer challenge is no device's. */
const MAX_CHALLENGE = 2_000;
/** `name="quoted \" text"` or `name=token`. It begins at a word's start, so that no text is scanned twice. */
const FIELD = /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;

interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly algorithm: "SHA-256" | "MD5";
  readonly hasQop: boolean;
}

export class DigestSession implements Session {
  readonly #username: string;
  readonly #password: string;
  readonly #random: SessionWorld["random"];
  #challenge: Challenge | null = null;
  #count = 0;
  #refusals = 0;

  constructor(username: string, password: string, { random }: Pick<SessionWorld, "random">) {
    this.#username = username;
    this.#password = password;
    this.#random = random;
  }

  async pass({ method, path }: { readonly method: string; readonly path: string }): Promise<Pass> {
    const challenge = this.#challenge;
    if (challenge === null) return { headers: {} };
    this.#count += 1;
    const count = this.#count.toString(16).padStart(8, "0");
    const own = Buffer.from(this.#random.secretBytes(NONCE_BYTES)).toString("hex");
    return { headers: { authorization: this.#answerTo(challenge, { method, path, count, own }) } };
  }

  refused(answer: HttpAnswer): boolean {
    if (answer.status !== 401) return false;
    const challenges = answer.headers.filter(([name]) => name === "www-authenticate").map(([, value]) => value);
    const found = strongest(challenges.map(readChallenge).filter((each) => each !== null));
    if (found === null) return false;
    this.#challenge = found;
    this.#count = 0;
    this.#refusals += 1;
    return this.#refusals <= MAX_REFUSALS;
  }

  accepted(): void {
    this.#refusals = 0;
  }

  #answerTo(challenge: Challenge, sent: { method: string; path: string; count: string; own: string }): string {
    const { realm, nonce, opaque, algorithm, hasQop } = challenge;
    const digest = (...parts: readonly string[]): string =>
      hash(algorithm === "MD5" ? "md5" : "sha256", parts.join(":"));
    const who = digest(this.#username, realm, this.#password);
    const what = digest(sent.method, sent.path);
    const response = hasQop ? digest(who, nonce, sent.count, sent.own, "auth", what) : digest(who, nonce, what);
    const parts = [
      `username="${quoted(this.#username)}"`,
      `realm="${quoted(realm)}"`,
      `nonce="${quoted(nonce)}"`,
      `uri="${quoted(sent.path)}"`,
      `response="${response}"`,
      `algorithm=${algorithm}`,
      ...(opaque === null ? [] : [`opaque="${quoted(opaque)}"`]),
      ...(hasQop ? ["qop=auth", `nc=${sent.count}`, `cnonce="${sent.own}"`] : []),
    ];
    return `Digest ${parts.join(", ")}`;
  }
}

function strongest(challenges: readonly Challenge[]): Challenge | null {
  return challenges.find(({ algorithm }) => algorithm === "SHA-256") ?? challenges[0] ?? null;
}

/** Null for another scheme, or one with an algorithm that is not known here. */
function readChallenge(text: string): Challenge | null {
  if (text.length > MAX_CHALLENGE || !/^\s*digest\s/i.test(text)) return null;
  const fields = new Map<string, string>();
  for (const [, name = "", inQuotes, bare] of text.matchAll(FIELD)) {
    fields.set(name.toLowerCase(), (inQuotes ?? bare ?? "").replaceAll(/\\(.)/g, "$1"));
  }
  const algorithm = (fields.get("algorithm") ?? "MD5").toUpperCase();
  const nonce = fields.get("nonce");
  if (nonce === undefined) throw new DeviceError("malformed", "a digest challenge without a nonce");
  if (algorithm !== "SHA-256" && algorithm !== "MD5") return null;
  const qop = fields.get("qop");
  const hasQop = qop?.split(",").some((each) => each.trim() === "auth") === true;
  if (qop !== undefined && !hasQop) return null;
  return { realm: fields.get("realm") ?? "", nonce, opaque: fields.get("opaque") ?? null, algorithm, hasQop };
}

function quoted(text: string): string {
  return text.replaceAll(/[\\"]/g, "\\$&").replaceAll(/[\r\n]/g, "");
}
