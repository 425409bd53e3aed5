import type { AssetKind } from "../../domain/assets/asset.ts";
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

/** A new device answers within its first turn; whoever made it waits this long for its asset's id, ms. */
const ASSET_WITHIN_MS = 3_000;
/** The states go to disk this often beside what changes them; from there time is caught up with. */
const KEEP_EVERY_MS = 6 * 3_600_000;

/** What the made-up devices need of the engine. */
export interface SimulatedNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly assets: Assets;
  readonly fleet: Fleet;
  readonly users: Users;
  readonly refreshHint: Engine["refreshHint"];
  /** Null outside of a sandbox. */
  readonly simulation: { readonly adapter: string; readonly simulation: RunningSimulation } | null;
}

export interface SimulatedServiceOptions extends Omit<SimulatedNeeds, "simulation"> {
  readonly adapter: string;
  readonly simulation: RunningSimulation;
}

/** Stores the made-up devices, and links them to users. What they do meanwhile is their simulation's. */
export class SimulatedService implements Simulated, EnginePart, Forgetter {
  readonly #options: SimulatedServiceOptions;
  readonly #mutex = new KeyedMutex();
  readonly #wake: WakeSignal;
  /** Devices that are not on disk yet. */
  readonly #making = new Set<string>();

  constructor(options: SimulatedServiceOptions) {
    this.#options = options;
    this.#wake = new WakeSignal(options.clock);
  }

  /** Hands the stored devices to their simulation, and stores what it changes. */
  connect(): void {
    const { simulation, store } = this.#options;
    for (const device of store.all("simulated")) simulation.put(device);
    simulation.observe((id) => this.#keep(id));
  }

  forget(removal: Removal): readonly Write[] {
    return this.#concerned(removal).map(({ id }) => ({ table: "simulated", key: id, remove: true }));
  }

  onForgotten(): void {
    const { simulation, store } = this.#options;
    for (const id of simulation.ids()) {
      if (!this.#making.has(id) && store.get("simulated", id) === null) simulation.forget(id);
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
      throw problem("bad-request", "An account has a username and a password.");
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
    this.#making.add(id);
    simulation.put(device);
    try {
      if (userId === undefined) await store.commit([putSimulated(device)], []);
      else await fleet.addAll([this.#recordOf(device, userId)], [putSimulated(device)]);
    } catch (error) {
      simulation.forget(id);
      throw error;
    } finally {
      this.#making.delete(id);
    }
    this.#wake.notify();
    if (userId !== undefined) await this.#appeared(device);
    return this.#entry(simulation.get(id) ?? device);
  }

  async change(kind: AssetKind, id: string, changes: SimulatedChanges): Promise<SimulatedEntry> {
    const changed = await this.#inTurn(id, async () => {
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
    await this.#inTurn(id, async () => {
      const { simulation, fleet } = this.#options;
      this.#require(kind, id);
      const linked = this.#recordsOf(id).map((record) => record.id);
      await fleet.remove(linked, [{ table: "simulated", key: id, remove: true }]);
      simulation.forget(id);
    });
  }

  /** Wakes devices when a fault of theirs is over, and stores what time made of them now and then. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let keepAtMs = clock.monotonicMs() + KEEP_EVERY_MS;
    let seenMs = clock.nowMs();
    while (!signal.aborted) {
      const nextEndMs = this.#nextFaultEndMs(seenMs);
      const waitMs = Math.min(keepAtMs - clock.monotonicMs(), nextEndMs - clock.nowMs());
      await this.#wake.wait(Math.max(1, waitMs), signal).catch(() => undefined);
      if (clock.monotonicMs() >= keepAtMs) {
        this.#keepAll();
        keepAtMs = clock.monotonicMs() + KEEP_EVERY_MS;
      }
      const nowMs = clock.nowMs();
      if (!signal.aborted) await this.#wakeRecovered(seenMs, nowMs);
      seenMs = nowMs;
    }
    this.#keepAll();
  }

  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#mutex.run(id, work);
    } catch (error) {
      if (error instanceof BusyError) throw problem("too-many-requests", "Too many changes wait for this device.");
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
      // Signing in again makes a grant that the changed password goes with.
      grant: isPasswordChanged ? before.grant + 1 : before.grant,
      asOfMs: nowMs,
    };
  }

  /** The devices of the fleet show a change: a new plate by a new connection, a new state by an early read. */
  async #follow(before: SimulatedDevice, after: SimulatedDevice): Promise<void> {
    const { fleet, clock, refreshHint } = this.#options;
    const ids = this.#recordsOf(after.id).map(({ id }) => id);
    const nowMs = clock.nowMs();
    const isHindered = (device: SimulatedDevice): boolean =>
      faultAt(device, "invalid-credentials", nowMs) !== null || faultAt(device, "unreachable", nowMs) !== null;
    const isFreed = isHindered(before) && !isHindered(after);
    if (isFreed || plateOf(before) !== plateOf(after)) await fleet.restart(ids);
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

  /** A vehicle hangs on a simulated charger of its own home. */
  #checkCharger(device: SimulatedDevice): void {
    if (device.kind !== "vehicle" || device.state.pluggedInChargerId === null) return;
    const charger = this.#options.simulation.get(device.state.pluggedInChargerId);
    if (charger?.kind === "charger" && charger.home === device.home) return;
    throw problem("bad-request", `There is no simulated charger "${device.state.pluggedInChargerId}" in its home.`);
  }

  #recordOf(device: SimulatedDevice, userId: string): DeviceRecord {
    const { adapter, simulation } = this.#options;
    return {
      id: `simulated-${device.id}`,
      adapter,
      options: simulation.optionsFor(device.id),
      source: "simulated",
      userId,
      name: null,
      scopes: null,
      createdAtMs: device.createdAtMs,
      link: { vendorId: device.vendor.toLowerCase(), key: device.id },
    };
  }

  /** The devices of the fleet that are this one; a device may be linked by more than one user. */
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

  #keep(id: string): void {
    const { simulation, store } = this.#options;
    const device = store.get("simulated", id) === null ? null : simulation.get(id);
    if (device !== null) store.commitAlong([putSimulated(device)]);
  }

  #keepAll(): void {
    for (const { id } of this.#options.store.all("simulated")) this.#keep(id);
  }
}

/** The made-up devices; no service outside of a sandbox. */
export function createSimulated(context: SimulatedNeeds): Feature<SimulatedService | null> {
  const name = "simulated";
  if (context.simulation === null) return { name, service: null };
  const service = new SimulatedService({ ...context, ...context.simulation });
  return { name, service, connect: () => service.connect(), forgetter: service, loop: service };
}

function putSimulated(device: SimulatedDevice): Write {
  return { table: "simulated", key: device.id, put: device };
}
