import {
  type Clock,
  type ControlPoint,
  DeviceError,
  faultAt,
  type PointValue,
  type Reading,
  type RunningSimulation,
  type SimulatedDevice,
  type SimulatedSupply,
} from "hemgate/sdk";
import { commanded } from "./command.ts";
import { readingsOf } from "./device-points.ts";
import { type Flows, flowsIn, homeAfter } from "./home-step.ts";

/** Homes move in steps like this, and in longer ones when a long time is to be caught up with. */
const STEP_MS = 60_000;
const MAX_STEPS = 3_000;
/** Less than this is no time. */
const LEAST_STEP_MS = 1_000;

/** All made-up devices, home by home. Time passes for a home when somebody looks at it. */
export class Simulation implements RunningSimulation {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #devices = new Map<string, SimulatedDevice>();
  /** The ids of the devices of each home. */
  readonly #homes = new Map<string, Set<string>>();
  /** What flowed in each home when somebody looked last; none after a change there. */
  readonly #lastFlows = new Map<string, { readonly atMs: number; readonly flows: Flows }>();
  /** What chargers that are not made up offer, by the vehicle on them. */
  readonly #supplies = new Map<string, SimulatedSupply>();
  readonly #listeners = new Set<(id: string) => void>();

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  get(id: string): SimulatedDevice | null {
    const device = this.#devices.get(id);
    if (device === undefined) return null;
    this.#advance(device.home);
    return this.#devices.get(id) ?? null;
  }

  put(device: SimulatedDevice): void {
    const before = this.#devices.get(device.id);
    // What was before goes on by what was true then.
    if (before !== undefined) this.#advance(before.home);
    if (before !== undefined && before.home !== device.home) this.#leaveHome(before);
    const home = this.#homes.get(device.home) ?? new Set();
    this.#homes.set(device.home, home.add(device.id));
    this.#set(device);
  }

  forget(id: string): void {
    const device = this.#devices.get(id);
    if (device !== undefined) this.#leaveHome(device);
    this.#devices.delete(id);
    this.#supplies.delete(id);
  }

  supply(vehicleId: string, supply: SimulatedSupply | null): void {
    const device = this.#devices.get(vehicleId);
    const before = this.#supplies.get(vehicleId) ?? null;
    if (device === undefined || isSameSupply(before, supply)) return;
    // What was before goes on by what was true then.
    this.#advance(device.home);
    this.#lastFlows.delete(device.home);
    if (supply === null) this.#supplies.delete(vehicleId);
    else this.#supplies.set(vehicleId, supply);
    for (const listener of this.#listeners) listener(vehicleId);
  }

  ids(): readonly string[] {
    return [...this.#devices.keys()];
  }

  observe(listener: (id: string) => void): Disposable {
    const own = (id: string): void => listener(id);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  optionsFor(id: string): Readonly<Record<string, unknown>> {
    return { simulatedId: id, grant: this.#devices.get(id)?.grant ?? 0 };
  }

  /** The devices of an account's vendor that have an account. */
  withAccountAt(vendor: string): readonly SimulatedDevice[] {
    return [...this.#devices.values()].filter((device) => device.vendor === vendor && device.account !== null);
  }

  /** The device, when it answers. Throws a `DeviceError` when it does not. */
  reach(id: string, grant: number): SimulatedDevice {
    const device = this.get(id);
    const nowMs = this.#clock.nowMs();
    if (device === null) throw new DeviceError("unreachable", "the simulated device is gone");
    if (faultAt(device, "unreachable", nowMs) !== null) {
      throw new DeviceError("unreachable", "the simulated device is set not to answer");
    }
    if (faultAt(device, "invalid-credentials", nowMs) !== null && grant !== device.grant) {
      throw new DeviceError("unauthorized", "the simulated device is set to refuse its credentials");
    }
    return device;
  }

  readings(id: string): readonly Reading[] {
    const device = this.#devices.get(id);
    if (device === undefined) return [];
    const home = this.#home(device.home);
    const atMs = this.#clock.nowMs();
    const flows = this.#flows(device.home, home, atMs);
    return readingsOf({ device, home, flows, supplies: this.#supplies, atMs });
  }

  /** Carries a command out, now or, when the device is slow, later. */
  command(device: SimulatedDevice, point: ControlPoint, value: PointValue): void {
    const nowMs = this.#clock.nowMs();
    if (faultAt(device, "rejects-commands", nowMs) !== null) {
      throw new DeviceError("rejected", "the simulated device is set to refuse commands");
    }
    const after = commanded(device, point, value);
    const slow = faultAt(device, "slow", nowMs);
    if (slow === null) {
      this.#set(after);
    } else if (!device.slowCommands.some((command) => command.point === point && command.value === value)) {
      const others = device.slowCommands.filter((command) => command.point !== point);
      const dueMs = nowMs + (slow.delaySeconds ?? 0) * 1_000;
      this.#set({ ...device, slowCommands: [...others, { point, value, dueMs }] });
    }
    for (const listener of this.#listeners) listener(device.id);
  }

  #home(home: string): readonly SimulatedDevice[] {
    const devices: SimulatedDevice[] = [];
    for (const id of this.#homes.get(home) ?? []) {
      const device = this.#devices.get(id);
      if (device !== undefined) devices.push(device);
    }
    return devices;
  }

  #leaveHome({ id, home }: SimulatedDevice): void {
    const ids = this.#homes.get(home);
    ids?.delete(id);
    if (ids?.size === 0) this.#homes.delete(home);
    this.#lastFlows.delete(home);
  }

  #set(device: SimulatedDevice): void {
    this.#devices.set(device.id, device);
    this.#lastFlows.delete(device.home);
  }

  /** Devices of a home that are read at one moment share the work. */
  #flows(home: string, devices: readonly SimulatedDevice[], atMs: number): Flows {
    const last = this.#lastFlows.get(home);
    if (last !== undefined && Math.abs(atMs - last.atMs) < LEAST_STEP_MS) return last.flows;
    const flows = flowsIn({ devices, atMs, supplies: this.#supplies });
    this.#lastFlows.set(home, { atMs, flows });
    return flows;
  }

  #advance(home: string): void {
    const nowMs = this.#clock.nowMs();
    let devices = this.#home(home);
    let atMs = earliest(devices, nowMs);
    if (nowMs - atMs < LEAST_STEP_MS && devices.every(({ slowCommands }) => slowCommands.length === 0)) return;
    if (nowMs - atMs >= LEAST_STEP_MS) {
      const stepMs = Math.max(STEP_MS, (nowMs - atMs) / MAX_STEPS);
      while (atMs < nowMs) {
        const next = Math.min(atMs + stepMs, nowMs, nextAfter(devices, atMs));
        const after = homeAfter({ devices, atMs }, flowsIn({ devices, atMs, supplies: this.#supplies }), next - atMs);
        // A device that was stored later than the others waits for them.
        devices = devices.map((device, at) => (device.asOfMs > atMs ? device : (after[at] ?? device)));
        atMs = next;
      }
    }
    for (const device of devices) {
      const after = this.#withDueCommands(device, nowMs);
      if (after !== this.#devices.get(after.id)) this.#set(after);
    }
  }

  #withDueCommands(device: SimulatedDevice, nowMs: number): SimulatedDevice {
    if (device.slowCommands.every(({ dueMs }) => dueMs > nowMs)) return device;
    const slowCommands = device.slowCommands.filter(({ dueMs }) => dueMs > nowMs);
    return device.slowCommands
      .filter(({ dueMs }) => dueMs <= nowMs)
      .reduce((before: SimulatedDevice, { point, value }) => commanded(before, point, value), {
        ...device,
        slowCommands,
      });
  }
}

function isSameSupply(one: SimulatedSupply | null, other: SimulatedSupply | null): boolean {
  return (
    one?.isChargingEnabled === other?.isChargingEnabled &&
    one?.maxCurrent === other?.maxCurrent &&
    one?.phases === other?.phases
  );
}

/** The instant up to which all devices are known; a wall clock that stepped back makes nothing younger. */
function earliest(devices: readonly SimulatedDevice[], nowMs: number): number {
  return devices.reduce((least, { asOfMs }) => Math.min(least, asOfMs), nowMs);
}

function nextAfter(devices: readonly SimulatedDevice[], atMs: number): number {
  return devices.reduce(
    (next, { asOfMs }) => (asOfMs > atMs ? Math.min(next, asOfMs) : next),
    Number.POSITIVE_INFINITY,
  );
}
