import type { AssetKind } from "../../domain/assets/asset.ts";
import { problem } from "../../domain/problem.ts";
import { BusyError, KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Log } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import type { AssetRecord, DeviceRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { ActionService } from "../actions/actions.ts";
import type { AssetRegistry } from "../assets/registry.ts";
import type { Fleet, UnlinkedDevice } from "../contracts/fleet.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";
import { expectAny } from "../devices/expected-serial.ts";
import { assetRemoval, leaseRemovals } from "./asset-removal.ts";
import { kindsGranted } from "./device-entry.ts";
import type { DeviceSet, MakeDevice } from "./device-set.ts";
import type { Roster } from "./roster.ts";

/** The assets of one device that are removed or parked. */
export interface Detachment {
  readonly deviceId: string;
  concerns(record: AssetRecord): boolean;
  /** Returns the changes of the device's own record. Called after the device has stopped. */
  writes(): readonly Write[];
}

/** `deleted`: the assets are removed. `parked`: they stay in their last state and take no more commands. */
export type DetachmentKind = "deleted" | "parked";

/** Further writes for the same commit. */
export interface ExtraWrites {
  /** Called when the commit is made. */
  writes(): readonly Write[];
  /** Called when the commit is on disk. */
  onStored?(): void;
}

export interface FleetOptions {
  readonly store: Pick<Store, "commit" | "all" | "get">;
  readonly log: Log;
  readonly devices: DeviceSet;
  /** Returns what creates devices. It calls `lacks` if a device does not have parts that it has assets of. */
  make(lacks: Lacks): MakeDevice;
  readonly roster: Roster;
  readonly actions: Pick<ActionService, "retire" | "resume">;
  readonly registry: AssetRegistry;
  readonly owner: string;
  /** Remove what the features keep about assets; see `Forgetter`. */
  readonly forgetters: Forgetter;
  /** Returns the writes that restore the authorization of deauthorized users. */
  reauthorize(userIds: readonly string[]): readonly Write[];
}

/** Called with the kinds of a device's assets whose parts the device does not have. */
export type Lacks = (deviceId: string, kinds: readonly AssetKind[]) => void;

/**
 * Adds, changes and removes devices. The changes of one device run one after the other, each in one commit, so that a crash
 * leaves either all of a change or nothing.
 */
export class FleetService implements Fleet {
  readonly #options: FleetOptions;
  readonly #mutex = new KeyedMutex();
  readonly #make: MakeDevice;
  /** Devices whose absent assets were removed in this run, whether or not that could be stored. */
  readonly #removedAbsent = new Set<string>();

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#make = options.make((deviceId, kinds) => this.#removeAbsent(deviceId, kinds));
  }

  /** Shows the assets of all devices, and resumes their actions. */
  begin(): void {
    const { devices, actions, roster } = this.#options;
    for (const id of roster.ids()) {
      const entry = roster.entry(id);
      if (entry !== null) devices.begin(entry, this.#make);
    }
    actions.resume();
  }

  list(): readonly DeviceRecord[] {
    return this.#options.store.all("device");
  }

  get(id: string): DeviceRecord | null {
    return this.#options.store.get("device", id);
  }

  add(device: DeviceRecord): Promise<void> {
    return this.addAll([device]);
  }

  async addAll(devices: readonly DeviceRecord[], writes: readonly Write[] = []): Promise<void> {
    for (const device of devices) this.#check(device);
    const ids = devices.map(({ id }) => id);
    const users = devices.map(({ userId }) => userId);
    const authorizing = this.#options.reauthorize(users);
    await this.#withLock(ids, async () => {
      const expecting = ids.flatMap((id) => expectAny(this.#options.store, id));
      const all = [...devices.map(putLinked), ...expecting, ...writes, ...authorizing];
      await this.#detach(
        devices.flatMap((device) => this.#lostScopes(device)),
        "deleted",
        { writes: () => all },
      );
      await Promise.all(ids.map((id) => this.#restart(id)));
    });
    if (authorizing.length > 0) await this.#restartOthers(users, ids);
  }

  async change(device: DeviceRecord): Promise<void> {
    if (this.get(device.id) === null) throw problem("not-found", `There is no device "${device.id}".`);
    await this.addAll([device]);
  }

  async keep(device: DeviceRecord): Promise<void> {
    this.#check(device);
    await this.#withLock([device.id], async () => {
      if (this.get(device.id) === null) throw problem("not-found", `There is no device "${device.id}".`);
      await this.#options.store.commit([putDevice(device)], []);
    });
  }

  async restart(ids: readonly string[]): Promise<void> {
    const known = ids.filter((id) => this.#options.roster.userOf(id) !== null);
    await Promise.all(known.map((id) => this.#withLock([id], () => this.#restart(id))));
  }

  async remove(ids: readonly string[], writes: readonly Write[] = []): Promise<void> {
    const known = ids.filter((id) => this.get(id) !== null);
    const detachments = known.map((deviceId): Detachment => {
      return { deviceId, concerns: () => true, writes: () => [{ table: "device", key: deviceId, remove: true }] };
    });
    if (detachments.length + writes.length > 0) await this.detach(detachments, "deleted", { writes: () => writes });
  }

  async reshow(deviceId: string, leaving: readonly AssetKind[], writes: readonly Write[]): Promise<void> {
    const concerns = ({ kind }: AssetRecord): boolean => leaving.includes(kind);
    await this.detach([{ deviceId, concerns, writes: () => [] }], "deleted", { writes: () => writes });
  }

  unlinked(): readonly UnlinkedDevice[] {
    const { store, roster } = this.#options;
    return store.all("unlinked").flatMap(({ deviceId, kinds }) => {
      const configured = roster.configured(deviceId);
      return configured === null ? [] : [{ deviceId, kinds, userId: configured.userId, name: configured.name }];
    });
  }

  async relink(deviceIds: readonly string[], writes: readonly Write[] = []): Promise<void> {
    const chosen = this.unlinked().filter(({ deviceId }) => deviceIds.includes(deviceId));
    const ids = chosen.map(({ deviceId }) => deviceId);
    const users = chosen.map(({ userId }) => userId);
    const authorizing = this.#options.reauthorize(users);
    const removals = ids.map((key): Write => ({ table: "unlinked", key, remove: true }));
    await this.#withLock(ids, async () => {
      const expecting = ids.flatMap((id) => expectAny(this.#options.store, id));
      await this.#options.store.commit([...removals, ...expecting, ...writes, ...authorizing], []);
      await Promise.all(ids.map((id) => this.#restart(id)));
    });
    if (authorizing.length > 0) await this.#restartOthers(users, ids);
  }

  /**
   * Stops devices at their safe values, removes or parks their assets together with the extra writes in one commit, and
   * starts the devices that remain. If the commit fails, all devices start as before, and the promise rejects.
   */
  async detach(detachments: readonly Detachment[], kind: DetachmentKind, extra: ExtraWrites): Promise<void> {
    const ids = detachments.map(({ deviceId }) => deviceId);
    await this.#withLock(ids, async () => {
      await this.#detach(detachments, kind, extra);
      for (const id of ids) this.#begin(id);
    });
  }

  async #detach(detachments: readonly Detachment[], kind: DetachmentKind, extra: ExtraWrites): Promise<void> {
    const { devices, actions, store, registry, owner, forgetters } = this.#options;
    const present = detachments.map(({ deviceId }) => devices.byId(deviceId));
    await Promise.all(detachments.map(({ deviceId }) => devices.drop(deviceId)));
    for (const device of present) device?.assets.leave();
    const concerned = store
      .all("asset")
      .filter((record) => detachments.some((one) => one.deviceId === record.deviceId && one.concerns(record)));
    const gone = kind === "deleted" ? concerned : [];
    const removed = assetRemoval(gone, { owner, shown: (kind, id) => registry.get(kind, id) });
    const event = kind === "deleted" ? "target-deleted" : "cancel-requested";
    const removal: Removal = { kind: "assets", assetIds: new Set(gone.map(({ id }) => id)) };
    const targets = concerned.map(({ id }) => id);
    try {
      await actions.retire(targets, { type: event }, async (writes, entries) => {
        const own = [
          ...removed.writes,
          ...leaseRemovals(concerned, store),
          ...detachments.flatMap((one) => one.writes()),
        ];
        const journal = kind === "deleted" ? [...entries, ...removed.entries] : [];
        await store.commit([...writes, ...own, ...forgetters.forget(removal), ...extra.writes()], journal);
        for (const { kind, id } of gone) registry.remove(kind, id);
        forgetters.onForgotten?.(removal);
        extra.onStored?.();
      });
    } catch (error) {
      for (const { deviceId } of detachments) this.#begin(deviceId);
      throw error;
    }
  }

  /** Returns the detachment of the assets whose kinds the device's scopes no longer grant; empty if there are none. */
  #lostScopes(device: DeviceRecord): readonly Detachment[] {
    const kinds = kindsGranted(device.scopes);
    const concerns = ({ kind }: AssetRecord): boolean => !kinds.includes(kind);
    const isAnyLost = this.#options.store
      .all("asset")
      .some((record) => record.deviceId === device.id && concerns(record));
    return isAnyLost ? [{ deviceId: device.id, concerns, writes: () => [] }] : [];
  }

  async #restart(deviceId: string): Promise<void> {
    const { devices } = this.#options;
    await devices.halt(deviceId);
    devices.byId(deviceId)?.assets.leave();
    this.#begin(deviceId);
  }

  /** Starts the device as the store and the configuration have it now; does nothing if it is gone. */
  #begin(deviceId: string): void {
    const { devices, actions, roster } = this.#options;
    const entry = roster.entry(deviceId);
    if (entry === null) return;
    devices.begin(entry, this.#make);
    actions.resume(deviceId);
  }

  /** Removes the assets of parts that a device does not have; tries only once per run, because the disk may fail. */
  #removeAbsent(deviceId: string, kinds: readonly AssetKind[]): void {
    if (this.#removedAbsent.has(deviceId)) return;
    this.#removedAbsent.add(deviceId);
    const { log } = this.#options;
    log.info({ deviceId, kinds }, "removing assets of parts that the device does not have");
    this.reshow(deviceId, kinds, []).catch((err: unknown) =>
      log.warn({ err, deviceId }, "cannot remove assets of missing parts; will retry after the next start"),
    );
  }

  #check(device: DeviceRecord): void {
    const { roster } = this.#options;
    if (roster.configured(device.id) !== null) {
      throw problem("bad-request", `The configuration has a device "${device.id}"; use another id.`);
    }
    const fault = roster.faultOf(device);
    if (fault !== null) throw problem("bad-request", fault);
  }

  /** Restarts the users' other devices, which work again with the restored authorization. */
  async #restartOthers(users: readonly string[], done: readonly string[]): Promise<void> {
    await this.restart(this.#options.roster.idsOf(users).filter((id) => !done.includes(id)));
  }

  async #withLock(ids: readonly string[], work: () => Promise<void>): Promise<void> {
    try {
      await this.#mutex.runAll(ids, work);
    } catch (error) {
      if (error instanceof BusyError)
        throw problem("too-many-requests", "Too many changes of this device are pending; try again later.");
      if (!(error instanceof StorageError)) throw error;
      throw problem(
        "service-unavailable",
        "The change could not be stored and was not made; check the disk and try again.",
        { cause: error },
      );
    }
  }
}

/** Returns the write of a device whose credentials are restored. */
function putLinked({ isUnlinked: _isUnlinked, ...device }: DeviceRecord): Write {
  return putDevice(device);
}

function putDevice(device: DeviceRecord): Write {
  return { table: "device", key: device.id, put: device };
}
