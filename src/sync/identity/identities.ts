/** Who this gateway is to a cloud service. Each change is one commit: a power cut leaves the identity before or after it. */
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { SigningKey } from "../../platform/signing-key.ts";
import { gatewayId } from "../../store/gateway-id.ts";
import type { CloudFarewellRecord, CloudIdentityRecord } from "../../store/records/cloud/cloud.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { EnrolmentError, type EnrolmentService } from "./enrolment-service.ts";
import { ENROLMENT_VERSION, type Farewell } from "./messages.ts";
import { type EnrolmentToken, parseToken, tokenHash } from "./token.ts";

const CURRENT = "current";
const NEXT = "next";
const PENDING = "pending";
const MAX_FAREWELLS = 8;

/** Events of the journal about the identity. */
const ENROLLED_EVENT = "system:cloud:enrolled";
const REFUSED_EVENT = "system:cloud:refused";
const CUT_EVENT = "system:cloud:cut";

/** The cloud service does not take the identity that holds. */
export interface CloudRefusal {
  readonly reason: string;
  /** Wall-clock ms of the first time. */
  readonly sinceMs: number;
}

export interface IdentitiesParts {
  readonly store: Pick<Store, "get" | "all" | "commit">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly random: Pick<Random, "secretBytes" | "uuid">;
  readonly log: Log;
  readonly service: EnrolmentService;
}

export class Identities {
  readonly #parts: IdentitiesParts;
  readonly #mutex = new KeyedMutex();
  readonly #listeners = new Listeners<[]>();
  #refusal: CloudRefusal | null = null;

  constructor(parts: IdentitiesParts) {
    this.#parts = parts;
  }

  /** The one that holds; null: not enrolled. */
  get current(): CloudIdentityRecord | null {
    return this.#parts.store.get("cloud-identity", CURRENT);
  }

  /** One that was given since, and did not work yet. */
  get next(): CloudIdentityRecord | null {
    return this.#parts.store.get("cloud-identity", NEXT);
  }

  /** The one to connect with. */
  get offered(): CloudIdentityRecord | null {
    return this.next ?? this.current;
  }

  get refusal(): CloudRefusal | null {
    return this.#refusal;
  }

  get farewells(): readonly CloudFarewellRecord[] {
    return this.#parts.store.all("cloud-farewell");
  }

  /** Told after each change of an identity, of what is refused, or of farewells. */
  observe(listener: () => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  /**
   * Makes a key and has it known; an identity that was there before goes. Rejects with a `RangeError` when the text is no
   * token, with an `EnrolmentError`, a `StorageError`, or the signal's reason; then all is as it was.
   */
  async enroll(text: string, signal: AbortSignal): Promise<CloudIdentityRecord> {
    const token = parseToken(text);
    return await this.#change(async () => {
      const key = await this.#pendingKey(token);
      const installation = await gatewayId(this.#parts);
      const identity = await this.#ask(token, key, installation, signal);
      const old = [this.current, this.next].filter((each) => each !== null);
      await this.#parts.store.commit(
        [
          { table: "cloud-identity", key: CURRENT, put: identity },
          { table: "cloud-identity", key: NEXT, remove: true },
          { table: "cloud-enrolment", key: PENDING, remove: true },
          ...this.#farewellsFor(old.filter(({ fingerprint }) => fingerprint !== identity.fingerprint)),
        ],
        [{ event: ENROLLED_EVENT, payload: told(identity) }],
      );
      this.#refusal = null;
      return identity;
    });
  }

  /** Destroys the keys; the cloud service is told when it can be. False: there was no identity. */
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
          ...this.#farewellsFor(gone),
        ],
        [{ event: CUT_EVENT, payload: told(current) }],
      );
      this.#refusal = null;
      return true;
    });
  }

  /** Asks for another key and certificate. The identity that holds goes on until the other one worked. */
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

  /** The cloud service let this one in: it holds from now on, and the one before it goes. */
  async worked(fingerprint: string): Promise<void> {
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

  /** The cloud service did not let this one in: a new one goes and the old one stays, the old one is told of. */
  async refused(fingerprint: string, reason: string): Promise<void> {
    await this.#change(async () => {
      const { store, log, clock } = this.#parts;
      const { current, next } = this;
      if (next?.fingerprint === fingerprint) {
        log.warn({ reason }, "the cloud service does not take the renewed key; the one before stays");
        await store.commit([{ table: "cloud-identity", key: NEXT, remove: true }], []);
      } else if (current?.fingerprint === fingerprint && this.#refusal?.reason !== reason) {
        const isNew = this.#refusal === null;
        this.#refusal = { reason, sinceMs: this.#refusal?.sinceMs ?? clock.nowMs() };
        log.warn({ reason }, "the cloud service does not take this gateway; enrol it again, or cut the link");
        if (isNew) await store.commit([], [{ event: REFUSED_EVENT, payload: { ...told(current), reason } }]);
      }
    });
  }

  /** The cloud service knows, or it was tried for long enough. */
  async forgetFarewell(fingerprint: string): Promise<void> {
    await this.#parts.store.commit([{ table: "cloud-farewell", key: fingerprint, remove: true }], []);
  }

  async #change<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#mutex.run("identity", work);
    } finally {
      this.#listeners.emit();
    }
  }

  /** The key of an enrolment with the same token that was cut off, or a new one, which is on disk before it is shown. */
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

  async #ask(
    token: EnrolmentToken,
    key: SigningKey,
    installation: string,
    signal: AbortSignal,
  ): Promise<CloudIdentityRecord> {
    const { store, service } = this.#parts;
    try {
      return await service.enroll(token, key, installation, signal);
    } catch (error) {
      // A key that nobody takes is of no use any more; one that may have been taken is.
      if (error instanceof EnrolmentError && error.kind === "refused") {
        await store.commit([{ table: "cloud-enrolment", key: PENDING, remove: true }], []);
      }
      throw error;
    }
  }

  #farewellsFor(gone: readonly CloudIdentityRecord[]): readonly Write[] {
    const createdAtMs = this.#parts.clock.nowMs();
    const written = gone.map(({ gateway, service, fingerprint, privateKeyPem }): Write => {
      const farewell: Farewell = { v: ENROLMENT_VERSION, gateway, fingerprint, atMs: createdAtMs };
      const body = JSON.stringify(farewell);
      const proof = SigningKey.read(privateKeyPem).sign(new TextEncoder().encode(body));
      const put = { gateway, service, fingerprint, body, proof, createdAtMs };
      return { table: "cloud-farewell", key: fingerprint, put };
    });
    const room = MAX_FAREWELLS - written.length;
    const oldest = this.farewells.toSorted((a, b) => b.createdAtMs - a.createdAtMs).slice(room);
    return [
      ...oldest.map((each): Write => ({ table: "cloud-farewell", key: each.fingerprint, remove: true })),
      ...written,
    ];
  }
}

function told({ gateway, fingerprint }: CloudIdentityRecord): object {
  return { gateway, fingerprint };
}
