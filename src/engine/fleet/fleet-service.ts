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
import { kindsGranted } from "./device-entry.ts";
import type { DeviceSet, MakeDevice } from "./device-set.ts";
import { farewellTo, leasesOf } from "./farewell.ts";
import type { Roster } from "./roster.ts";

/** Assets of a device that take leave. */
export interface Parting {
  readonly deviceId: string;
  concerns(record: AssetRecord): boolean;
  /** What becomes of the device; asked for when it has stopped. */
  writes(): readonly Write[];
}

/** How assets take leave: they are forgotten, or stay as they were last seen and are commanded no more. */
export type Fate = "deleted" | "parked";

/** What goes into the commit beside; asked for when it is made, and told when it is on disk. */
export interface Beside {
  writes(): readonly Write[];
  onStored?(): void;
}

export interface FleetOptions {
  readonly store: Pick<Store, "commit" | "all" | "get">;
  readonly log: Log;
  readonly devices: DeviceSet;
  /** Makes a device. It calls `lacks` when the device turns out to lack parts that it has assets of. */
  make(lacks: Lacks): MakeDevice;
  readonly roster: Roster;
  readonly actions: Pick<ActionService, "retire" | "resume">;
  readonly registry: AssetRegistry;
  readonly owner: string;
  /** What parts have about assets; see `Forgetter`. */
  readonly forgetters: Forgetter;
  /** What makes the authorization of these users count again; empty when it does. */
  reauthorize(userIds: readonly string[]): readonly Write[];
}

/** Assets of these kinds are of parts that a device lacks. */
export type Lacks = (deviceId: string, kinds: readonly AssetKind[]) => void;

/** All changes of one device happen one after the other, each in one commit: a crash leaves all of it or nothing. */
export class FleetService implements Fleet {
  readonly #options: FleetOptions;
  readonly #mutex = new KeyedMutex();
  readonly #make: MakeDevice;
  /** Devices whose absent assets were removed in this run, or not because a disk refused. */
  readonly #removedAbsent = new Set<string>();

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#make = options.make((deviceId, kinds) => this.#removeAbsent(deviceId, kinds));
  }

  /** Shows the assets of all devices that there are, and takes up their actions. */
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
    await this.#inTurn(ids, async () => {
      const expecting = ids.flatMap((id) => expectAny(this.#options.store, id));
      const all = [...devices.map(putLinked), ...expecting, ...writes, ...authorizing];
      await this.#part(
        devices.flatMap((device) => this.#narrowing(device)),
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
    await this.#inTurn([device.id], async () => {
      if (this.get(device.id) === null) throw problem("not-found", `There is no device "${device.id}".`);
      await this.#options.store.commit([putDevice(device)], []);
    });
  }

  async restart(ids: readonly string[]): Promise<void> {
    const known = ids.filter((id) => this.#options.roster.userOf(id) !== null);
    await Promise.all(known.map((id) => this.#inTurn([id], () => this.#restart(id))));
  }

  async remove(ids: readonly string[], writes: readonly Write[] = []): Promise<void> {
    const known = ids.filter((id) => this.get(id) !== null);
    const partings = known.map((deviceId): Parting => {
      return { deviceId, concerns: () => true, writes: () => [{ table: "device", key: deviceId, remove: true }] };
    });
    if (partings.length + writes.length > 0) await this.part(partings, "deleted", { writes: () => writes });
  }

  async reshow(deviceId: string, leaving: readonly AssetKind[], writes: readonly Write[]): Promise<void> {
    const concerns = ({ kind }: AssetRecord): boolean => leaving.includes(kind);
    await this.part([{ deviceId, concerns, writes: () => [] }], "deleted", { writes: () => writes });
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
    await this.#inTurn(ids, async () => {
      const expecting = ids.flatMap((id) => expectAny(this.#options.store, id));
      await this.#options.store.commit([...removals, ...expecting, ...writes, ...authorizing], []);
      await Promise.all(ids.map((id) => this.#restart(id)));
    });
    if (authorizing.length > 0) await this.#restartOthers(users, ids);
  }

  /**
   * Stops devices at their safe values, then stores what becomes of their assets, with what goes beside it, in one commit;
   * then runs what remains. When the disk refuses, everything is as before, and it rejects.
   */
  async part(partings: readonly Parting[], fate: Fate, beside: Beside): Promise<void> {
    const ids = partings.map(({ deviceId }) => deviceId);
    await this.#inTurn(ids, async () => {
      await this.#part(partings, fate, beside);
      for (const id of ids) this.#begin(id);
    });
  }

  async #part(partings: readonly Parting[], fate: Fate, beside: Beside): Promise<void> {
    const { devices, actions, store, registry, owner, forgetters } = this.#options;
    const present = partings.map(({ deviceId }) => devices.byId(deviceId));
    await Promise.all(partings.map(({ deviceId }) => devices.drop(deviceId)));
    for (const device of present) device?.assets.leave();
    const concerned = store
      .all("asset")
      .filter((record) => partings.some((one) => one.deviceId === record.deviceId && one.concerns(record)));
    const gone = fate === "deleted" ? concerned : [];
    const farewell = farewellTo(gone, { owner, shown: (kind, id) => registry.get(kind, id) });
    const event = fate === "deleted" ? "target-deleted" : "cancel-requested";
    const removal: Removal = { kind: "assets", assetIds: new Set(gone.map(({ id }) => id)) };
    const targets = concerned.map(({ id }) => id);
    try {
      await actions.retire(targets, { type: event }, async (writes, entries) => {
        const own = [...farewell.writes, ...leasesOf(concerned, store), ...partings.flatMap((one) => one.writes())];
        const told = fate === "deleted" ? [...entries, ...farewell.entries] : [];
        await store.commit([...writes, ...own, ...forgetters.forget(removal), ...beside.writes()], told);
        for (const { kind, id } of gone) registry.remove(kind, id);
        forgetters.onForgotten?.(removal);
        beside.onStored?.();
      });
    } catch (error) {
      for (const { deviceId } of partings) this.#begin(deviceId);
      throw error;
    }
  }

  /** The assets that go when a device's scopes no longer grant their kinds. */
  #narrowing(device: DeviceRecord): readonly Parting[] {
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

  /** Runs the device as the store and the configuration have it now; does nothing for one that is gone. */
  #begin(deviceId: string): void {
    const { devices, actions, roster } = this.#options;
    const entry = roster.entry(deviceId);
    if (entry === null) return;
    devices.begin(entry, this.#make);
    actions.resume(deviceId);
  }

  /** Removes assets of parts that a device lacks, as a removal does, once in a run for each device: a disk may refuse. */
  #removeAbsent(deviceId: string, kinds: readonly AssetKind[]): void {
    if (this.#removedAbsent.has(deviceId)) return;
    this.#removedAbsent.add(deviceId);
    const { log } = this.#options;
    log.info({ deviceId, kinds }, "assets of parts that the device lacks are removed");
    this.reshow(deviceId, kinds, []).catch((err: unknown) => log.warn({ err, deviceId }, "assets not removed yet"));
  }

  #check(device: DeviceRecord): void {
    const { roster } = this.#options;
    if (roster.configured(device.id) !== null) {
      throw problem("bad-request", `The configuration has a device "${device.id}".`);
    }
    const fault = roster.faultOf(device);
    if (fault !== null) throw problem("bad-request", fault);
  }

  /** The users' other devices work again. */
  async #restartOthers(users: readonly string[], done: readonly string[]): Promise<void> {
    await this.restart(this.#options.roster.idsOf(users).filter((id) => !done.includes(id)));
  }

  async #inTurn(ids: readonly string[], work: () => Promise<void>): Promise<void> {
    try {
      await this.#mutex.runAll(ids, work);
    } catch (error) {
      if (error instanceof BusyError) throw problem("too-many-requests", "Too many changes wait for this device.");
      if (!(error instanceof StorageError)) throw error;
      throw problem("service-unavailable", "The change cannot be stored now, so it is not made.", { cause: error });
    }
  }
}

/** What a device is linked with is there again. */
function putLinked({ isUnlinked: _isUnlinked, ...device }: DeviceRecord): Write {
  return putDevice(device);
}

function putDevice(device: DeviceRecord): Write {
  return { table: "device", key: device.id, put: device };
}
