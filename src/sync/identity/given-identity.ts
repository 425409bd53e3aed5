/** Makes an identity of what an enrolment service answered, when all of it holds. */
import { X509Certificate } from "node:crypto";
import type { z } from "zod";
import type { Clock } from "../../platform/ports.ts";
import { fingerprintOf, type SigningKey, verificationKey } from "../../platform/signing-key.ts";
import type { CloudIdentityRecord, CloudUplinkRecord } from "../../store/records/cloud.ts";
import { EnrolmentAnswer, KnownUplink, UPLINK_KINDS } from "./messages.ts";

const MAX_CERTIFICATES = 6;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** An answer that cannot be used; the text says what is wrong with it. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

export interface Given {
  readonly service: string;
  readonly key: SigningKey;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
}

/** Throws an `AnswerError`. */
export function givenIdentity(body: Uint8Array, { service, key, clock }: Given): CloudIdentityRecord {
  const answer = parsed(EnrolmentAnswer, jsonOf(body), "");
  const { gateway, credentials, verificationKeyPem } = answer;
  if (verificationKey(verificationKeyPem) === null) throw new AnswerError("its verification key is none of P-256");
  const uplinks = answer.uplinks.filter(({ kind }) => UPLINK_KINDS.has(kind)).map(uplinkOf);
  if (uplinks.length === 0) throw new AnswerError("it names no uplink of a kind that is known here");
  const expiresAtMs =
    credentials.kind === "certificate" ? checkChain(credentials.chainPem, key) : credentials.expiresAtMs;
  if (expiresAtMs !== null && clock.quality() === "synced" && expiresAtMs <= clock.nowMs()) {
    throw new AnswerError("its credentials have expired already");
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
    throw new AnswerError("it is no JSON", { cause });
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AnswerError(
    `${[where, ...(issue?.path ?? [])].filter((part) => part !== "").join(".")}: ${issue?.message}`,
  );
}

function uplinkOf(uplink: EnrolmentAnswer["uplinks"][number], index: number): CloudUplinkRecord {
  const known = parsed(KnownUplink, uplink, `uplinks.${index}`);
  if (known.kind === "https") return { kind: "https", urls: [known.url], topicPrefix: null };
  const { servers: urls, topicPrefix, version } = known;
  return { kind: "mqtt", urls, topicPrefix, ...(version !== undefined && { version }) };
}

/** Answers when the first of its certificates ends, wall-clock ms. */
function checkChain(chainPem: string, key: SigningKey): number {
  const chain = (chainPem.match(CERTIFICATE) ?? []).map(certificateOf);
  const [own] = chain;
  if (own === undefined) throw new AnswerError("its chain has no certificate");
  if (chain.length > MAX_CERTIFICATES)
    throw new AnswerError(`its chain has more than ${MAX_CERTIFICATES} certificates`);
  if (fingerprintOf(own.publicKey) !== key.fingerprint) throw new AnswerError("its certificate is for another key");
  for (const [index, issuer] of chain.slice(1).entries()) {
    if (chain[index]?.verify(issuer.publicKey) !== true) {
      throw new AnswerError(`certificate ${index + 1} of its chain is not signed by the next one`);
    }
  }
  return Math.min(...chain.map(({ validToDate }) => validToDate.getTime()));
}

function certificateOf(text: string, index: number): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw new AnswerError(`certificate ${index + 1} of its chain is none`, { cause });
  }
}
