import type { AssetKind } from "../../domain/assets/asset.ts";
import { HOUR_MS } from "../../domain/duration.ts";
import { comparePositions } from "../../domain/page.ts";
import { problem } from "../../domain/problem.ts";
import { conditionOf, faultAt, type SimulatedDevice, type SimulatedSupply } from "../../domain/sandbox/simulated.ts";
import type { NewSimulated, SimulatedChanges } from "../../domain/sandbox/simulated-request.ts";
import { BusyError, KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import { within } from "../../platform/within.ts";
import type { RunningSimulation } from "../../sdk/simulation.ts";
import type { DeviceRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Assets, Engine } from "../contracts/engine.ts";
import type { Fleet } from "../contracts/fleet.ts";
import type { Simulated, SimulatedEntry } from "../contracts/simulated.ts";
import type { Forgetter, Removal, Users } from "../contracts/users.ts";
import type { EnginePart } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import { accountAfter, newAccount } from "./simulated-account.ts";
import { plateAfter, plateOf, vendorOf, withPlugging } from "./simulated-change.ts";
import { faultsAfter, faultsFrom } from "./simulated-faults.ts";

/** Time that a request waits for the asset of a new device, which appears with its first read. */
const ASSET_WITHIN_MS = 3_000;
/** Interval at which all states are stored. After a restart the simulation continues from the stored state. */
const STORE_EVERY_MS = 6 * HOUR_MS;

/** The parts of the engine that simulated devices use. */
export interface SimulatedNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly assets: Assets;
  readonly fleet: Fleet;
  readonly users: Users;
  readonly refreshHint: Engine["refreshHint"];
  /** `null` outside of a sandbox. */
  readonly simulation: { readonly adapter: string; readonly simulation: RunningSimulation } | null;
}

export interface SimulatedServiceOptions extends Omit<SimulatedNeeds, "simulation"> {
  readonly adapter: string;
  readonly simulation: RunningSimulation;
}

/** Stores simulated devices and links them to users. Their behaviour is in `RunningSimulation`. */
export class SimulatedService implements Simulated, EnginePart, Forgetter {
  readonly #options: SimulatedServiceOptions;
  readonly #mutex = new KeyedMutex();
  readonly #wake: WakeSignal;
  /** Devices that are being stored. */
  readonly #creating = new Set<string>();

  constructor(options: SimulatedServiceOptions) {
    this.#options = options;
    this.#wake = new WakeSignal(options.clock);
  }

  /** Passes the stored devices to the simulation, and stores its changes. */
  connect(): void {
    const { simulation, store } = this.#options;
    for (const device of store.all("simulated")) simulation.put(device);
    simulation.observe((id) => this.#store(id));
  }

  forget(removal: Removal): readonly Write[] {
    return this.#concerned(removal).map(({ id }) => ({ table: "simulated", key: id, remove: true }));
  }

  onForgotten(): void {
    const { simulation, store } = this.#options;
    for (const id of simulation.ids()) {
      if (!this.#creating.has(id) && store.get("simulated", id) === null) simulation.forget(id);
    }
  }

  get(kind: AssetKind, id: string): SimulatedEntry | null {
    const device = this.#options.simulation.get(id);
    return device === null || device.kind !== kind ? null : this.#entry(device);
  }

  list(kind: AssetKind): readonly SimulatedEntry[] {
    const ids = this.#options.store.all("simulated").filter((device) => device.kind === kind);
    const devices = ids.flatMap(({ id }) => this.#options.simulation.get(id) ?? []);
    return devices.sort(comparePositions).map((device) => this.#entry(device));
  }

  supply(vehicleId: string, supply: SimulatedSupply | null): void {
    this.#options.simulation.supply(vehicleId, supply);
  }

  async create(kind: AssetKind, fields: NewSimulated): Promise<SimulatedEntry> {
    const { random, clock, fleet, users, simulation, store } = this.#options;
    const { state, userId, username, password, secondFactor, faults, vendor, ...plate } = fields;
    if ((username === undefined) !== (password === undefined)) {
      throw problem("bad-request", "An account needs a username and a password.");
    }
    if (secondFactor !== undefined && username === undefined) {
      throw problem("bad-request", "A second factor belongs to an account, with a username and a password.");
    }
    const id = random.uuid();
    const nowMs = clock.nowMs();
    const account =
      username === undefined
        ? null
        : { ...(await newAccount(random, username, password)), ...(secondFactor !== undefined && { secondFactor }) };
    if (userId !== undefined) await users.ensure(userId);
    const device: SimulatedDevice = {
      ...plate,
      ...conditionOf(kind, state),
      id,
      home: userId ?? username ?? id,
      vendor: vendorOf(kind, vendor),
      account,
      grant: 0,
      faults: faultsFrom(faults, nowMs),
      slowCommands: [],
      createdAtMs: nowMs,
      asOfMs: nowMs,
    };
    this.#checkCharger(device);
    this.#creating.add(id);
    simulation.put(device);
    try {
      if (userId === undefined) await store.commit([putSimulated(device)], []);
      else await fleet.addAll([this.#recordOf(device, userId)], [putSimulated(device)]);
    } catch (error) {
      simulation.forget(id);
      throw error;
    } finally {
      this.#creating.delete(id);
    }
    this.#wake.notify();
    if (userId !== undefined) await this.#appeared(device);
    return this.#entry(simulation.get(id) ?? device);
  }

  async change(kind: AssetKind, id: string, changes: SimulatedChanges): Promise<SimulatedEntry> {
    const changed = await this.#withLock(id, async () => {
      const { simulation, store } = this.#options;
      const before = this.#require(kind, id);
      const after = {
        ...this.#changed(before, changes),
        account: await accountAfter(this.#options.random, before, changes),
      };
      this.#checkCharger(after);
      await store.commit([putSimulated(after)], []);
      simulation.put(after);
      await this.#follow(before, after);
      return after;
    });
    this.#wake.notify();
    return this.#entry(changed);
  }

  async remove(kind: AssetKind, id: string): Promise<void> {
    await this.#withLock(id, async () => {
      const { simulation, fleet } = this.#options;
      this.#require(kind, id);
      const linked = this.#recordsOf(id).map((record) => record.id);
      await fleet.remove(linked, [{ table: "simulated", key: id, remove: true }]);
      simulation.forget(id);
    });
  }

  /** Restarts devices whose fault is over, and stores all states every six hours. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let storeAtMs = clock.monotonicMs() + STORE_EVERY_MS;
    let seenMs = clock.nowMs();
    while (!signal.aborted) {
      const nextEndMs = this.#nextFaultEndMs(seenMs);
      const waitMs = Math.min(storeAtMs - clock.monotonicMs(), nextEndMs - clock.nowMs());
      await this.#wake.wait(Math.max(1, waitMs), signal).catch(() => undefined);
      if (clock.monotonicMs() >= storeAtMs) {
        this.#storeAll();
        storeAtMs = clock.monotonicMs() + STORE_EVERY_MS;
      }
      const nowMs = clock.nowMs();
      if (!signal.aborted) await this.#wakeRecovered(seenMs, nowMs);
      seenMs = nowMs;
    }
    this.#storeAll();
  }

  async #withLock<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#mutex.run(id, work);
    } catch (error) {
      if (error instanceof BusyError)
        throw problem("too-many-requests", "Too many changes of this device are pending; try again later.");
      throw error;
    }
  }

  #changed(before: SimulatedDevice, changes: SimulatedChanges): SimulatedDevice {
    const nowMs = this.#options.clock.nowMs();
    const { kind, state, ...rest } = before;
    const isPasswordChanged = changes.faults?.some((fault) => fault.kind === "invalid-credentials") ?? false;
    return {
      ...rest,
      ...plateAfter(before, changes),
      ...conditionOf(kind, withPlugging(before, changes.state ?? {}), state),
      faults: faultsAfter(before, changes, nowMs),
      // A changed password invalidates the grants of earlier sign-ins.
      grant: isPasswordChanged ? before.grant + 1 : before.grant,
      asOfMs: nowMs,
    };
  }

  /** Shows a change on the linked devices: a new nameplate by a new connection, a new state by an early read. */
  async #follow(before: SimulatedDevice, after: SimulatedDevice): Promise<void> {
    const { fleet, clock, refreshHint } = this.#options;
    const records = this.#recordsOf(after.id);
    const nowMs = clock.nowMs();
    const isBlocked = (device: SimulatedDevice): boolean =>
      faultAt(device, "invalid-credentials", nowMs) !== null || faultAt(device, "unreachable", nowMs) !== null;
    const isUnblocked = isBlocked(before) && !isBlocked(after);
    // A name that a person gave to the linked device stays.
    const renamed = before.name === after.name ? [] : records.filter(({ name }) => name === before.name);
    for (const record of renamed) await fleet.change({ ...record, name: after.name });
    if (isUnblocked || plateOf(before) !== plateOf(after)) {
      await fleet.restart(records.filter((record) => !renamed.includes(record)).map(({ id }) => id));
    }
    const { assetId } = this.#entry(after);
    if (assetId !== null) refreshHint(after.kind, assetId);
  }

  async #wakeRecovered(fromMs: number, toMs: number): Promise<void> {
    const over = this.#options.store
      .all("simulated")
      .filter(({ faults }) =>
        faults.some(({ until }) => until !== null && Date.parse(until) > fromMs && Date.parse(until) <= toMs),
      );
    const ids = over.flatMap(({ id }) => this.#recordsOf(id).map((record) => record.id));
    await this.#options.fleet.restart(ids).catch(() => undefined);
  }

  #nextFaultEndMs(afterMs: number): number {
    const ends = this.#options.store
      .all("simulated")
      .flatMap(({ faults }) => faults.flatMap(({ until }) => (until === null ? [] : [Date.parse(until)])));
    return ends.filter((endMs) => endMs > afterMs).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  }

  /** Throws `bad-request` if a vehicle is plugged into anything but a simulated charger of its home. */
  #checkCharger(device: SimulatedDevice): void {
    if (device.kind !== "vehicle" || device.state.pluggedInChargerId === null) return;
    const charger = this.#options.simulation.get(device.state.pluggedInChargerId);
    if (charger?.kind === "charger" && charger.home === device.home) return;
    throw problem(
      "bad-request",
      `There is no simulated charger "${device.state.pluggedInChargerId}" in the vehicle's home.`,
    );
  }

  #recordOf(device: SimulatedDevice, userId: string): DeviceRecord {
    const { adapter, simulation } = this.#options;
    return {
      id: `simulated-${device.id}`,
      adapter,
      options: simulation.optionsFor(device.id),
      source: "simulated",
      userId,
      name: device.name,
      scopes: null,
      createdAtMs: device.createdAtMs,
      link: { vendorId: device.vendor.toLowerCase(), key: device.id },
    };
  }

  /** Returns the linked devices of a simulated device; several users may have linked it. */
  #recordsOf(id: string): readonly DeviceRecord[] {
    const { fleet, adapter } = this.#options;
    return fleet.list().filter((record) => record.adapter === adapter && record.link?.key === id);
  }

  #entry(device: SimulatedDevice): SimulatedEntry {
    const record = this.#recordsOf(device.id)[0];
    const asset = this.#options.store.all("asset").find(({ deviceId }) => deviceId === record?.id);
    return { device, userId: record?.userId ?? null, assetId: asset?.id ?? null };
  }

  #require(kind: AssetKind, id: string): SimulatedDevice {
    const device = this.#options.simulation.get(id);
    if (device?.kind === kind) return device;
    throw problem("not-found", `There is no simulated ${kind} "${id}".`);
  }

  async #appeared(device: SimulatedDevice): Promise<void> {
    const { assets, clock } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    using _seen = assets.observe(() => (this.#entry(device).assetId === null ? undefined : resolve()));
    await within(clock, ASSET_WITHIN_MS, new AbortController().signal, () => promise).catch(() => undefined);
  }

  #concerned(removal: Removal): readonly SimulatedDevice[] {
    if (removal.kind !== "user") return [];
    return this.#options.store.all("simulated").filter(({ home }) => home === removal.userId);
  }

  #store(id: string): void {
    const { simulation, store } = this.#options;
    const device = store.get("simulated", id) === null ? null : simulation.get(id);
    if (device !== null) store.commitAlong([putSimulated(device)]);
  }

  #storeAll(): void {
    for (const { id } of this.#options.store.all("simulated")) this.#store(id);
  }
}

/** Creates the feature; its service is `null` outside of a sandbox. */
export function createSimulated(context: SimulatedNeeds): Feature<SimulatedService | null> {
  const name = "simulated";
  if (context.simulation === null) return { name, service: null };
  const service = new SimulatedService({ ...context, ...context.simulation });
  return { name, service, connect: () => service.connect(), forgetter: service, loop: service };
}

function putSimulated(device: SimulatedDevice): Write {
  return { table: "simulated", key: device.id, put: device };
}
