/** Parses the answer of an enrolment service into an identity. */
import type { z } from "zod";
import type { Clock } from "../../platform/ports/ports.ts";
import { type SigningKey, verificationKey } from "../../platform/signing-key.ts";
import type { CloudIdentityRecord, CloudUplinkRecord } from "../../store/records/cloud/cloud.ts";
import { certificatesOf, checkChain, IdentityError } from "./certificates.ts";
import { EnrolmentAnswer, KnownUplink, UPLINK_KINDS } from "./messages.ts";

/** What the answer is checked against. */
export interface IdentityContext {
  readonly service: string;
  readonly key: SigningKey;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
}

/** Parses an answer into an identity and checks all of it. Throws an `IdentityError`. */
export function parseIdentity(body: Uint8Array, { service, key, clock }: IdentityContext): CloudIdentityRecord {
  const answer = parsed(EnrolmentAnswer, jsonOf(body), "");
  const { gateway, credentials, verificationKeyPem } = answer;
  if (verificationKey(verificationKeyPem) === null) throw new IdentityError("its verification key is not a P-256 key");
  const uplinks = answer.uplinks.filter(({ kind }) => UPLINK_KINDS.has(kind)).map(uplinkOf);
  if (uplinks.length === 0) throw new IdentityError("it names no uplink that this gateway supports");
  if (credentials.kind === "password") checkUsername(credentials.username, uplinks);
  const expiresAtMs =
    credentials.kind === "certificate"
      ? checkChain(credentials.chainPem, key.fingerprint, "its chain")
      : credentials.expiresAtMs;
  if (expiresAtMs !== null && clock.quality() === "synced" && expiresAtMs <= clock.nowMs()) {
    throw new IdentityError("its credentials have expired");
  }
  return {
    gateway,
    service,
    privateKeyPem: key.privateKeyPem,
    fingerprint: key.fingerprint,
    uplinks,
    credentials:
      credentials.kind === "certificate"
        ? { kind: "certificate", chainPem: credentials.chainPem }
        : { kind: "password", username: credentials.username, password: credentials.password },
    verificationKeyPem,
    givenAtMs: clock.nowMs(),
    expiresAtMs,
  };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new IdentityError("it is not JSON", { cause });
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new IdentityError(
    `${[where, ...(issue?.path ?? [])].filter((part) => part !== "").join(".")}: ${issue?.message}`,
  );
}

function uplinkOf(uplink: EnrolmentAnswer["uplinks"][number], index: number): CloudUplinkRecord {
  const where = `uplinks.${index}`;
  const known = parsed(KnownUplink, uplink, where);
  const { caPem } = known;
  if (caPem !== undefined) certificatesOf(caPem, `its ${where}.caPem`);
  const trust = caPem === undefined ? {} : { caPem };
  if (known.kind === "https") return { kind: "https", urls: [known.url], topicPrefix: null, ...trust };
  const { servers: urls, topicPrefix, version } = known;
  return { kind: "mqtt", urls, topicPrefix, ...trust, ...(version !== undefined && { version }) };
}

/** Throws if HTTPS could not carry the user name: HTTP separates name and password by a colon (RFC 7617, 2). */
function checkUsername(username: string, uplinks: readonly CloudUplinkRecord[]): void {
  if (!username.includes(":") || !uplinks.some(({ kind }) => kind === "https")) return;
  throw new IdentityError("its user name has a colon, which HTTP Basic authentication cannot carry");
}
