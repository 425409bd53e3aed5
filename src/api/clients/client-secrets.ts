/**
 * Checks the secrets of API clients. scrypt takes 32 MiB and tens of milliseconds each time, on purpose, so it runs in
 * turns; a secret that was verified once in this run is known again by a fast digest, without a turn.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { problem } from "../../domain/problem.ts";
import type { Random } from "../../platform/ports/ports.ts";
import { createSemaphore } from "../../platform/semaphore.ts";
import type { ClientRecord } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { authenticate, type ClientCredentials } from "./clients.ts";

/** Two at once leave the machine to the devices. */
const SCRYPT_AT_ONCE = 2;
/** About a second of work. */
const MAX_SCRYPT_WAITING = 32;

export interface ClientSecrets {
  /** The client of credentials that were verified in this run, at once; null for all others. */
  recall(credentials: ClientCredentials): ClientRecord | null;
  /**
   * The client of credentials, or null. Waits for its turn, `isAhead` before all others, and calls `before` when it has
   * come. Throws `service-unavailable` when too many wait.
   */
  verify(
    credentials: ClientCredentials,
    options?: { readonly isAhead?: boolean; before?(): void },
  ): Promise<ClientRecord | null>;
}

interface Verified {
  /** Of the record that it was verified against: a client with another secret is another one. */
  readonly secretHash: string;
  readonly digest: Uint8Array;
}

export function createClientSecrets(parts: {
  readonly store: Pick<Store, "get">;
  readonly random: Pick<Random, "scrypt">;
}): ClientSecrets {
  const semaphore = createSemaphore({
    atOnce: SCRYPT_AT_ONCE,
    maxWaiting: MAX_SCRYPT_WAITING,
    overfull: () => problem("service-unavailable", "Too many requests of this kind are waiting."),
  });
  const verified = new Map<string, Verified>();
  return {
    recall({ id, secret }) {
      const known = verified.get(id);
      if (known === undefined) return null;
      const record = parts.store.get("client", id);
      if (record === null || record.secretHash !== known.secretHash) {
        verified.delete(id);
        return null;
      }
      return timingSafeEqual(known.digest, digestOf(record, secret)) ? record : null;
    },
    verify(credentials, { isAhead = false, before } = {}) {
      return semaphore.run(async () => {
        before?.();
        const record = await authenticate(parts, credentials);
        if (record !== null) {
          const { id, secretHash } = record;
          verified.set(id, { secretHash, digest: digestOf(record, credentials.secret) });
        }
        return record;
      }, isAhead);
    },
  };
}

/** Secrets are 32 random bytes, so a fast digest of one is no way to it. It stays in memory. */
function digestOf({ salt }: ClientRecord, secret: string): Uint8Array {
  return createHmac("sha256", salt).update(secret).digest();
}
