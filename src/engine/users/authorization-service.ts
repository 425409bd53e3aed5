import { kindsOf } from "../../domain/assets/asset-kinds.ts";
import { vendorFor } from "../../domain/vendors/vendor.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { AuthorizationRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Authorizations } from "../contracts/authorizations.ts";
import type { Device } from "../devices/device.ts";
import { credentialsInvalidated } from "../events.ts";

export interface AuthorizationServiceOptions {
  readonly store: Pick<Store, "commit" | "all" | "get">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
  /** False for a device that left: what it refused counts no more. */
  isPresent(deviceId: string): boolean;
  /** The assets show the validity of their credentials. */
  refresh(): void;
}

/** Stores which credentials were refused. Devices of one vendor may each have their own credentials. */
export class AuthorizationService implements Authorizations {
  readonly #options: AuthorizationServiceOptions;
  readonly #mutex = new KeyedMutex();
  readonly #listeners = new Listeners<[userId: string, vendor: string]>();

  constructor(options: AuthorizationServiceOptions) {
    this.#options = options;
  }

  isValid(userId: string, vendor: string): boolean {
    return this.#record(userId, vendor) === null;
  }

  async invalidate(userId: string, vendor: string, deviceId: string): Promise<void> {
    const key = keyOf(userId, vendor);
    await this.#mutex.run(key, async () => {
      const { store, clock, log } = this.#options;
      const before = this.#record(userId, vendor);
      if (before?.refusedBy.includes(deviceId) === true) return;
      const invalidSinceMs = before?.invalidSinceMs ?? clock.nowMs();
      const refusedBy = [...(before?.refusedBy ?? []), deviceId];
      const entries = before === null ? [credentialsInvalidated(userId, vendor)] : [];
      const put: AuthorizationRecord = { userId, vendor, invalidSinceMs, refusedBy };
      await store.commit([{ table: "authorization", key, put }], entries);
      if (before !== null) return;
      log.warn({ vendor, deviceId }, "credentials are not accepted any more");
      this.#tell(userId, vendor);
    });
  }

  async accept(deviceId: string): Promise<void> {
    const refused = this.#options.store.all("authorization").filter(({ refusedBy }) => refusedBy.includes(deviceId));
    for (const { userId, vendor } of refused) await this.#acceptOne(userId, vendor, deviceId);
  }

  refusing(userId: string, vendor: string): readonly string[] {
    return this.#record(userId, vendor)?.refusedBy ?? [];
  }

  restoring(userId: string, vendor: string): readonly Write[] {
    if (this.isValid(userId, vendor)) return [];
    return [{ table: "authorization", key: keyOf(userId, vendor), remove: true }];
  }

  async restore(userId: string, vendor: string): Promise<void> {
    await this.#mutex.run(keyOf(userId, vendor), async () => {
      const writes = this.restoring(userId, vendor);
      if (writes.length === 0) return;
      await this.#options.store.commit(writes, []);
      this.#options.log.info({ vendor }, "credentials are accepted again");
      this.#tell(userId, vendor);
    });
  }

  observe(listener: (userId: string, vendor: string) => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  /** Stores that a device accepted or refused its credentials. Never rejects: the next attempt reports it again. */
  async report(device: Device, isAccepted: boolean): Promise<void> {
    const { known } = device.assets;
    const { id, userId } = device.settings;
    try {
      if (isAccepted) return await this.accept(id);
      const kinds = known === null ? [] : kindsOf(known.points);
      const vendors = new Set(kinds.map((kind) => vendorFor(kind, known?.vendors ?? [])));
      for (const vendor of vendors) await this.invalidate(userId, vendor, id);
    } catch (err) {
      this.#options.log.warn({ err, deviceId: id }, "validity of credentials not stored yet");
    }
  }

  async #acceptOne(userId: string, vendor: string, deviceId: string): Promise<void> {
    const key = keyOf(userId, vendor);
    await this.#mutex.run(key, async () => {
      const before = this.#record(userId, vendor);
      if (before === null) return;
      const refusedBy = before.refusedBy.filter((id) => id !== deviceId);
      const isOver = refusedBy.length === 0;
      const write: Write = isOver
        ? { table: "authorization", key, remove: true }
        : { table: "authorization", key, put: { ...before, refusedBy } };
      await this.#options.store.commit([write], []);
      if (!isOver) return;
      this.#options.log.info({ vendor }, "credentials are accepted again");
      this.#tell(userId, vendor);
    });
  }

  #record(userId: string, vendor: string): AuthorizationRecord | null {
    const record = this.#options.store.get("authorization", keyOf(userId, vendor));
    const refusedBy = record?.refusedBy.filter((id) => this.#options.isPresent(id)) ?? [];
    return record === null || refusedBy.length === 0 ? null : { ...record, refusedBy };
  }

  #tell(userId: string, vendor: string): void {
    this.#options.refresh();
    this.#listeners.emit(userId, vendor);
  }
}

function keyOf(userId: string, vendor: string): string {
  return `${userId}/${vendor}`;
}
