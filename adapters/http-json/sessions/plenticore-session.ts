/**
 * Kostal's sign-in: the exchange of SCRAM-SHA-256 (RFC 5802 with RFC 7677) as JSON in two requests, and a third that
 * sends the token back, encrypted with a key that only both ends can know. The password never leaves the gateway.
 */
import { createCipheriv, createHmac, hash, pbkdf2Sync, timingSafeEqual } from "node:crypto";
import { DeviceError, type HttpAnswer } from "hemgate/sdk";
import { z } from "zod";
import { readBody } from "../answer-body.ts";
import { RefusedSignIns } from "./refused-sign-ins.ts";
import type { Pass, Session, SessionWorld, SignInLine } from "./session.ts";

const START = "/api/v1/auth/start";
const FINISH = "/api/v1/auth/finish";
const CREATE = "/api/v1/auth/create_session";
const NONCE_BYTES = 12;
const IV_BYTES = 16;
/** The inverters ask for 29,000; much more would hold the gateway up. */
const MAX_ROUNDS = 200_000;

const Base64 = z.base64().max(400);
const Started = z.object({
  nonce: Base64,
  salt: Base64,
  rounds: z.int().min(1).max(MAX_ROUNDS),
  transactionId: z.string().max(400),
});
const Finished = z.object({ token: z.string().max(4_000), signature: Base64 });
const Created = z.object({ sessionId: z.string().min(1).max(400) });

type Post = <Shape>(path: string, body: unknown, shape: z.ZodType<Shape>) => Promise<Shape>;

export class PlenticoreSession implements Session {
  readonly #username: string;
  readonly #password: string;
  readonly #world: SessionWorld;
  #sessionId: string | null = null;
  /** Three wrong ones lock the user for some minutes. */
  readonly #rest = new RefusedSignIns();
  /** The slow part, which depends on the password and what the device stored with it only. */
  #salted: { readonly of: string; readonly key: Uint8Array } | null = null;

  constructor(username: string, password: string, world: SessionWorld) {
    this.#username = username;
    this.#password = password;
    this.#world = world;
  }

  async pass(_request: unknown, line: SignInLine, signal: AbortSignal): Promise<Pass> {
    this.#sessionId ??= await this.#signIn(line, signal);
    return { headers: { authorization: `Session ${this.#sessionId}` } };
  }

  refused({ status }: HttpAnswer): boolean {
    const hadSession = this.#sessionId !== null;
    this.#sessionId = null;
    return status === 401 && hadSession && this.#rest.restMs(this.#world.clock.monotonicMs()) === 0;
  }

  async #signIn(line: SignInLine, signal: AbortSignal): Promise<string> {
    const post: Post = (path, body, shape) => this.#post(line, { path, body, shape }, signal);
    if (this.#rest.restMs(this.#world.clock.monotonicMs()) > 0) {
      throw new DeviceError("unauthorized", `signing in at ${START} rests, not to lock the user ${this.#username}`);
    }
    const own = Buffer.from(this.#world.random.secretBytes(NONCE_BYTES)).toString("base64");
    const started = await post(START, { username: this.#username, nonce: own }, Started);
    const { nonce, salt, rounds, transactionId } = started;
    const salted = this.#saltedPassword(salt, rounds);
    const message = `n=${this.#username},r=${own},r=${nonce},s=${salt},i=${rounds},c=biws,r=${nonce}`;
    const clientKey = hmac(salted, "Client Key");
    const storedKey = hash("sha256", clientKey, "buffer");
    const signature = hmac(storedKey, message);
    const proof = Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0))).toString("base64");
    const finished = await post(FINISH, { transactionId, proof }, Finished);
    const expected = hmac(hmac(salted, "Server Key"), message);
    const shown = Buffer.from(finished.signature, "base64");
    if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) {
      throw new DeviceError("unauthorized", "the device cannot prove that it knows the password");
    }
    const key = hmac(storedKey, "Session Key", message, clientKey);
    const sealed = seal(key, this.#world.random.secretBytes(IV_BYTES), finished.token);
    const { sessionId } = await post(CREATE, { transactionId, ...sealed }, Created);
    this.#rest.accepted();
    return sessionId;
  }

  #saltedPassword(salt: string, rounds: number): Uint8Array {
    const of = `${rounds} ${salt}`;
    if (this.#salted?.of !== of) {
      const key = pbkdf2Sync(this.#password, Buffer.from(salt, "base64"), rounds, 32, "sha256");
      this.#salted = { of, key };
    }
    return this.#salted.key;
  }

  async #post<Shape>(
    line: SignInLine,
    { path, body, shape }: { readonly path: string; readonly body: unknown; readonly shape: z.ZodType<Shape> },
    signal: AbortSignal,
  ): Promise<Shape> {
    const request = { method: "POST" as const, path, headers: {}, body: JSON.stringify(body) };
    const answer = await line.send(request, signal);
    if (answer.status >= 400 && answer.status < 500) {
      this.#rest.refused(this.#world.clock.monotonicMs());
      throw new DeviceError("unauthorized", `${path} answered ${answer.status}: is the password right?`);
    }
    const parsed = shape.safeParse(readBody(answer.body, "json", path));
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
    throw new DeviceError("malformed", `${path} answered without a usable ${where === "" ? "object" : where}`);
  }
}

function hmac(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const sum = createHmac("sha256", key);
  for (const part of parts) sum.update(part);
  return sum.digest();
}

function seal(key: Uint8Array, iv: Uint8Array, text: string): Record<"iv" | "tag" | "payload", string> {
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const payload = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return {
    iv: Buffer.from(iv).toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    payload: payload.toString("base64"),
  };
}
