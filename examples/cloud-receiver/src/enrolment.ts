/** Enrols gateways, as docs/cloud-enrolment.md asks of a service: a token once, a certificate for a key, and another before it ends. */
import { createHash, createPublicKey, type KeyObject, randomBytes, verify, X509Certificate } from "node:crypto";
import { GatewayId } from "hemgate/cloud-protocol";
import type pg from "pg";
import { z } from "zod";
import { inTransaction, type Queryable } from "./database.ts";

/** What a token of a new gateway is good for. */
const TOKEN_MS = 7 * 24 * 3_600_000;
const SECRET_BYTES = 24;

const Key = z.object({ v: z.literal(1), publicKeyPem: z.string().max(1_000) });
const EnrolmentRequest = Key.extend({ token: z.string().max(1_000) });
const Farewell = z.object({ v: z.literal(1), fingerprint: z.string().regex(/^[0-9a-f]{64}$/) });

/** A certificate's common name has no more (RFC 5280, ub-common-name). */
const MAX_NAME = 64;

/** What a client of the fleet's API sends for a token. */
export const NewToken = z.strictObject({ gateway: GatewayId.max(MAX_NAME) });
export type NewToken = z.infer<typeof NewToken>;

/** A request that is refused, with what its owner is shown. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

export interface EnrolmentParts {
  readonly pool: pg.Pool;
  readonly nowMs: () => number;
  /** Of this service, with a slash at its end. */
  readonly url: string;
  /** A certificate for the key, whose name is the gateway's, and that of who issued it: PEM. */
  issue(gateway: string, publicKeyPem: string): Promise<string>;
  /** The rest of an answer. */
  readonly answer: object;
}

export class Enrolment {
  readonly #parts: EnrolmentParts;

  constructor(parts: EnrolmentParts) {
    this.#parts = parts;
  }

  /** A token for a gateway of that name, whether it is new or gets another key. */
  async newToken({ gateway }: NewToken): Promise<object> {
    const { pool, nowMs, url } = this.#parts;
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    const expiresMs = nowMs() + TOKEN_MS;
    await pool.query("INSERT INTO enrolment_token (digest, gateway, expires_ms) VALUES ($1, $2, $3)", [
      digestOf(secret),
      gateway,
      expiresMs,
    ]);
    return { gateway, token: `${url}#${secret}`, expiresAt: new Date(expiresMs).toISOString() };
  }

  /** The body of the answer; null: there is none. Rejects with `Refused`. */
  async answer(path: string, body: Buffer, proof: string): Promise<object | null> {
    const [, root, gateway = "", what] = partsOf(path);
    if (root === "enrolments") return await this.#enrol(body, proof);
    if (root !== "gateways" || !GatewayId.safeParse(gateway).success) throw new Refused(404, "There is no such path.");
    if (what === "renewals") return await this.#renew(gateway, body, proof);
    if (what !== "farewells") throw new Refused(404, "There is no such path.");
    await this.#farewell(gateway, body, proof);
    return null;
  }

  /** The same token with the same key is answered again: the first answer may have been lost. */
  async #enrol(body: Buffer, proof: string): Promise<object> {
    const { token, publicKeyPem } = read(EnrolmentRequest, body);
    const key = signer(publicKeyPem, body, proof);
    const gateway = await inTransaction(this.#parts.pool, async (client) => {
      const { rows } = await client.query<{ gateway: string; fingerprint: string | null; expires_ms: number }>(
        "SELECT gateway, fingerprint, expires_ms FROM enrolment_token WHERE digest = $1 FOR UPDATE",
        [digestOf(token)],
      );
      const [known] = rows;
      if (known === undefined) throw new Refused(401, "This token is not known.");
      if (known.fingerprint === null && known.expires_ms <= this.#parts.nowMs())
        throw new Refused(410, "This token has expired.");
      if (known.fingerprint !== null && known.fingerprint !== key)
        throw new Refused(410, "This token was used already.");
      await client.query("UPDATE enrolment_token SET fingerprint = $2 WHERE digest = $1", [digestOf(token), key]);
      await client.query("DELETE FROM gateway_key WHERE gateway = $1", [known.gateway]);
      await keep(client, known.gateway, key, publicKeyPem);
      return known.gateway;
    });
    return await this.#given(gateway, publicKeyPem);
  }

  /** Signed with a key that holds; beside it the new one is kept, and no other. */
  async #renew(gateway: string, body: Buffer, proof: string): Promise<object> {
    const { publicKeyPem } = read(Key, body);
    await inTransaction(this.#parts.pool, async (client) => {
      const old = (await keysOf(client, gateway)).find(({ public_key: pem }) => isSigned(pem, body, proof));
      if (old === undefined) throw new Refused(403, "This gateway is not enrolled.");
      const key = fingerprintOf(publicKey(publicKeyPem));
      await client.query("DELETE FROM gateway_key WHERE gateway = $1 AND fingerprint <> $2", [
        gateway,
        old.fingerprint,
      ]);
      await keep(client, gateway, key, publicKeyPem);
    });
    return await this.#given(gateway, publicKeyPem);
  }

  async #farewell(gateway: string, body: Buffer, proof: string): Promise<void> {
    const { fingerprint } = read(Farewell, body);
    const keys = await keysOf(this.#parts.pool, gateway);
    const gone = keys.find((key) => key.fingerprint === fingerprint && isSigned(key.public_key, body, proof));
    if (gone === undefined) throw new Refused(404, "This key is not known.");
    await this.#parts.pool.query("DELETE FROM gateway_key WHERE gateway = $1 AND fingerprint = $2", [
      gateway,
      fingerprint,
    ]);
  }

  async #given(gateway: string, publicKeyPem: string): Promise<object> {
    const chainPem = await this.#parts.issue(gateway, publicKeyPem);
    await this.#note(gateway, publicKeyPem, new X509Certificate(chainPem));
    return { v: 1, gateway, ...this.#parts.answer, credentials: { kind: "certificate", chainPem } };
  }

  /** Keeps what the broker has to be given to revoke the certificate, unless its key was revoked meanwhile. */
  async #note(gateway: string, publicKeyPem: string, { serialNumber, validToDate }: X509Certificate): Promise<void> {
    const fingerprint = fingerprintOf(publicKey(publicKeyPem));
    await inTransaction(this.#parts.pool, async (client) => {
      const { rowCount } = await client.query(
        "SELECT FROM gateway_key WHERE gateway = $1 AND fingerprint = $2 FOR SHARE",
        [gateway, fingerprint],
      );
      if (rowCount === 0) throw new Refused(403, "This gateway is not enrolled.");
      const ended = "DELETE FROM gateway_certificate WHERE gateway = $1 AND expires_ms <= $2";
      await client.query(ended, [gateway, this.#parts.nowMs()]);
      await client.query("INSERT INTO gateway_certificate (gateway, serial, expires_ms) VALUES ($1, $2, $3)", [
        gateway,
        serialNumber,
        validToDate.getTime(),
      ]);
    });
  }
}

/** Of `/v1/enrolments` and `/v1/gateways/NAME/renewals`, behind whatever stands before them. */
function partsOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(parts.lastIndexOf("v1"));
}

interface KeyRow {
  readonly fingerprint: string;
  readonly public_key: string;
}

async function keysOf(client: Queryable, gateway: string): Promise<readonly KeyRow[]> {
  const { rows } = await client.query<KeyRow>("SELECT fingerprint, public_key FROM gateway_key WHERE gateway = $1", [
    gateway,
  ]);
  return rows;
}

async function keep(client: Queryable, gateway: string, fingerprint: string, publicKeyPem: string): Promise<void> {
  await client.query(
    "INSERT INTO gateway_key (gateway, fingerprint, public_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [gateway, fingerprint, publicKeyPem],
  );
}

function read<Shape extends z.ZodType>(shape: Shape, body: Buffer): z.output<Shape> {
  try {
    return shape.parse(JSON.parse(body.toString()));
  } catch (cause) {
    throw new Refused(400, cause instanceof z.ZodError ? z.prettifyError(cause).slice(0, 400) : "The body is no JSON.");
  }
}

function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function publicKey(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return key;
  } catch {
    // Refused like a key of another kind.
  }
  throw new Refused(400, "publicKeyPem: it is no key on P-256.");
}

/** SHA-256 of the key (DER, SPKI), hex: as `hemgate cloud status` shows it. */
function fingerprintOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}

function isSigned(pem: string, body: Buffer, proof: string): boolean {
  return verify("sha256", body, publicKey(pem), Buffer.from(proof, "base64"));
}

/** The fingerprint of the key that a request tells and is signed with. */
function signer(pem: string, body: Buffer, proof: string): string {
  if (!isSigned(pem, body, proof)) throw new Refused(400, "The request is not signed with its key.");
  return fingerprintOf(publicKey(pem));
}
