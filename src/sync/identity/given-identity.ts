/** Makes an identity of what an enrolment service answered, when all of it holds. */
import type { z } from "zod";
import type { Clock } from "../../platform/ports/ports.ts";
import { type SigningKey, verificationKey } from "../../platform/signing-key.ts";
import type { CloudIdentityRecord, CloudUplinkRecord } from "../../store/records/cloud/cloud.ts";
import { certificatesOf, checkChain, IdentityMistake } from "./certificates.ts";
import { EnrolmentAnswer, KnownUplink, UPLINK_KINDS } from "./messages.ts";

export interface Given {
  readonly service: string;
  readonly key: SigningKey;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
}

/** Throws an `IdentityMistake`. */
export function givenIdentity(body: Uint8Array, { service, key, clock }: Given): CloudIdentityRecord {
  const answer = parsed(EnrolmentAnswer, jsonOf(body), "");
  const { gateway, credentials, verificationKeyPem } = answer;
  if (verificationKey(verificationKeyPem) === null) throw new IdentityMistake("its verification key is none of P-256");
  const uplinks = answer.uplinks.filter(({ kind }) => UPLINK_KINDS.has(kind)).map(uplinkOf);
  if (uplinks.length === 0) throw new IdentityMistake("it names no uplink of a kind that is known here");
  if (credentials.kind === "password") checkUsername(credentials.username, uplinks);
  const expiresAtMs =
    credentials.kind === "certificate"
      ? checkChain(credentials.chainPem, key.fingerprint, "its chain")
      : credentials.expiresAtMs;
  if (expiresAtMs !== null && clock.quality() === "synced" && expiresAtMs <= clock.nowMs()) {
    throw new IdentityMistake("its credentials have expired already");
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
    throw new IdentityMistake("it is no JSON", { cause });
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new IdentityMistake(
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

/** HTTP parts the name from the password by a colon (RFC 7617, 2). */
function checkUsername(username: string, uplinks: readonly CloudUplinkRecord[]): void {
  if (!username.includes(":") || !uplinks.some(({ kind }) => kind === "https")) return;
  throw new IdentityMistake("its user name has a colon, which no sign-in by HTTPS can carry");
}
