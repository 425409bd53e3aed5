/**
 * The gateway's identity at a cloud service. Each change is one commit: after a power cut the identity is the one
 * before or the one after it.
 */
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { SigningKey } from "../../platform/signing-key.ts";
import { gatewayId } from "../../store/gateway-id.ts";
import type { CloudDeregistrationRecord, CloudIdentityRecord } from "../../store/records/cloud/cloud.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { EnrolmentError, type EnrolmentService } from "./enrolment-service.ts";
import { type Deregistration, ENROLMENT_VERSION } from "./messages.ts";
import { type EnrolmentToken, parseToken, tokenHash } from "./token.ts";

const CURRENT = "current";
const NEXT = "next";
const PENDING = "pending";
const MAX_DEREGISTRATIONS = 8;

/** Journal events about the identity. */
const ENROLLED_EVENT = "system:cloud:enrolled";
const REFUSED_EVENT = "system:cloud:refused";
const CUT_EVENT = "system:cloud:cut";

/** A refusal of the current identity by the cloud service. */
export interface CloudRefusal {
  readonly reason: string;
  /** Wall-clock ms of the first refusal. */
  readonly sinceMs: number;
}

export interface IdentitiesParts {
  readonly store: Pick<Store, "get" | "all" | "commit">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly random: Pick<Random, "secretBytes" | "uuid">;
  readonly log: Log;
  readonly service: EnrolmentService;
}

/** Enrols, renews and deletes the gateway's identity. */
export class Identities {
  readonly #parts: IdentitiesParts;
  readonly #mutex = new KeyedMutex();
  readonly #listeners = new Listeners<[]>();
  #refusal: CloudRefusal | null = null;

  constructor(parts: IdentitiesParts) {
    this.#parts = parts;
  }

  /** The identity in use; `null` if the gateway is not enrolled. */
  get current(): CloudIdentityRecord | null {
    return this.#parts.store.get("cloud-identity", CURRENT);
  }

  /** A renewed identity that the cloud service has not accepted yet; `null` if there is none. */
  get next(): CloudIdentityRecord | null {
    return this.#parts.store.get("cloud-identity", NEXT);
  }

  /** The identity to connect with first. */
  get offered(): CloudIdentityRecord | null {
    return this.next ?? this.current;
  }

  /** Why the cloud service refuses the current identity; `null` if it does not. */
  get refusal(): CloudRefusal | null {
    return this.#refusal;
  }

  /** Deregistrations that the cloud service has not confirmed yet. */
  get deregistrations(): readonly CloudDeregistrationRecord[] {
    return this.#parts.store.all("cloud-farewell");
  }

  /** Calls the listener after each change of an identity, of a refusal, or of the deregistrations. */
  observe(listener: () => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  /**
   * Enrols with a new key; it replaces an earlier identity. Rejects with a `RangeError` if the text is not a token,
   * with an `EnrolmentError`, a `StorageError`, or the signal's reason; nothing has changed then.
   */
  async enroll(text: string, signal: AbortSignal): Promise<CloudIdentityRecord> {
    const token = parseToken(text);
    return await this.#change(async () => {
      const key = await this.#pendingKey(token);
      const installation = await gatewayId(this.#parts);
      const identity = await this.#enrollWith(token, key, installation, signal);
      const old = [this.current, this.next].filter((each) => each !== null);
      await this.#parts.store.commit(
        [
          { table: "cloud-identity", key: CURRENT, put: identity },
          { table: "cloud-identity", key: NEXT, remove: true },
          { table: "cloud-enrolment", key: PENDING, remove: true },
          ...this.#deregistrationsFor(old.filter(({ fingerprint }) => fingerprint !== identity.fingerprint)),
        ],
        [{ event: ENROLLED_EVENT, payload: identityPayload(identity) }],
      );
      this.#refusal = null;
      return identity;
    });
  }

  /**
   * Deletes the identity with its keys; the cloud service is informed as soon as it can be reached. False if there was
   * no identity.
   */
  async cut(): Promise<boolean> {
    return await this.#change(async () => {
      const { current, next } = this;
      const gone = [current, next].filter((each) => each !== null);
      if (current === null) return false;
      await this.#parts.store.commit(
        [
          { table: "cloud-identity", key: CURRENT, remove: true },
          { table: "cloud-identity", key: NEXT, remove: true },
          { table: "cloud-enrolment", key: PENDING, remove: true },
          ...this.#deregistrationsFor(gone),
        ],
        [{ event: CUT_EVENT, payload: identityPayload(current) }],
      );
      this.#refusal = null;
      return true;
    });
  }

  /** Requests another key and certificate. The current identity stays in use until the new one is accepted. */
  async renew(signal: AbortSignal): Promise<void> {
    await this.#change(async () => {
      const { current } = this;
      if (current === null || this.next !== null) return;
      const { random, service, store } = this.#parts;
      const next = await service.renew(
        current,
        SigningKey.make(random),
        SigningKey.read(current.privateKeyPem),
        signal,
      );
      await store.commit([{ table: "cloud-identity", key: NEXT, put: next }], []);
    });
  }

  /** Notes that the cloud service accepted this key: a renewed identity replaces the current one. */
  async accepted(fingerprint: string): Promise<void> {
    if (this.next?.fingerprint !== fingerprint && this.#refusal === null) return;
    await this.#change(async () => {
      const { next } = this;
      if (this.current?.fingerprint === fingerprint) this.#refusal = null;
      if (next?.fingerprint !== fingerprint) return;
      await this.#parts.store.commit(
        [
          { table: "cloud-identity", key: CURRENT, put: next },
          { table: "cloud-identity", key: NEXT, remove: true },
        ],
        [],
      );
      this.#refusal = null;
    });
  }

  /**
   * Notes that the cloud service refused this key: a renewed identity is deleted; a refusal of the current one is
   * logged and journaled.
   */
  async refused(fingerprint: string, reason: string): Promise<void> {
    await this.#change(async () => {
      const { store, log, clock } = this.#parts;
      const { current, next } = this;
      if (next?.fingerprint === fingerprint) {
        log.warn({ reason }, "the cloud service refuses the renewed key; keeping the previous one");
        await store.commit([{ table: "cloud-identity", key: NEXT, remove: true }], []);
      } else if (current?.fingerprint === fingerprint && this.#refusal?.reason !== reason) {
        const isNew = this.#refusal === null;
        this.#refusal = { reason, sinceMs: this.#refusal?.sinceMs ?? clock.nowMs() };
        log.warn({ reason }, "the cloud service refuses this gateway; enrol it again, or cut the link");
        if (isNew) await store.commit([], [{ event: REFUSED_EVENT, payload: { ...identityPayload(current), reason } }]);
      }
    });
  }

  /** Deletes a deregistration that is confirmed or too old. */
  async forgetDeregistration(fingerprint: string): Promise<void> {
    await this.#parts.store.commit([{ table: "cloud-farewell", key: fingerprint, remove: true }], []);
  }

  async #change<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#mutex.run("identity", work);
    } finally {
      this.#listeners.emit();
    }
  }

  /** Returns the key of an interrupted enrolment with the same token, or a new key; it is stored before it is used. */
  async #pendingKey(token: EnrolmentToken): Promise<SigningKey> {
    const { store, random } = this.#parts;
    const kept = store.get("cloud-enrolment", PENDING);
    const hash = tokenHash(token);
    if (kept?.tokenHash === hash && kept.service === token.service) return SigningKey.read(kept.privateKeyPem);
    const key = SigningKey.make(random);
    const put = { service: token.service, tokenHash: hash, privateKeyPem: key.privateKeyPem };
    await store.commit([{ table: "cloud-enrolment", key: PENDING, put }], []);
    return key;
  }

  async #enrollWith(
    token: EnrolmentToken,
    key: SigningKey,
    installation: string,
    signal: AbortSignal,
  ): Promise<CloudIdentityRecord> {
    const { store, service } = this.#parts;
    try {
      return await service.enroll(token, key, installation, signal);
    } catch (error) {
      // A refused key is of no further use; after any other error the service may know the key.
      if (error instanceof EnrolmentError && error.kind === "refused") {
        await store.commit([{ table: "cloud-enrolment", key: PENDING, remove: true }], []);
      }
      throw error;
    }
  }

  #deregistrationsFor(gone: readonly CloudIdentityRecord[]): readonly Write[] {
    const createdAtMs = this.#parts.clock.nowMs();
    const written = gone.map(({ gateway, service, fingerprint, privateKeyPem }): Write => {
      const deregistration: Deregistration = { v: ENROLMENT_VERSION, gateway, fingerprint, atMs: createdAtMs };
      const body = JSON.stringify(deregistration);
      const proof = SigningKey.read(privateKeyPem).sign(new TextEncoder().encode(body));
      const put = { gateway, service, fingerprint, body, proof, createdAtMs };
      return { table: "cloud-farewell", key: fingerprint, put };
    });
    const room = MAX_DEREGISTRATIONS - written.length;
    const oldest = this.deregistrations.toSorted((a, b) => b.createdAtMs - a.createdAtMs).slice(room);
    return [
      ...oldest.map((each): Write => ({ table: "cloud-farewell", key: each.fingerprint, remove: true })),
      ...written,
    ];
  }
}

function identityPayload({ gateway, fingerprint }: CloudIdentityRecord): object {
  return { gateway, fingerprint };
}
