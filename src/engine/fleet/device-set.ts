import type { AssetKind } from "../../domain/assets/asset.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import type { ReadOutcome } from "../devices/asked-read.ts";
import type { Device } from "../devices/device.ts";
import { DeviceLoop } from "../devices/device-loop.ts";
import type { EnginePart } from "../engine-part.ts";
import type { LoopVitals } from "../readiness.ts";
import type { DeviceEntry } from "./device-entry.ts";

/** Time for one loop to write its safe defaults and close its driver, ms: a little more than the loop takes itself. */
const HALT_MS = 1_800;

interface Member {
  readonly device: Device;
  /** Null: the device is not connected. */
  readonly loop: DeviceLoop | null;
  readonly stop: AbortController;
  /** Resolves when the loop has ended. */
  ended: Promise<void>;
}

export interface DeviceSetOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Makes the device of an entry; its log is given. */
export type MakeDevice = (entry: DeviceEntry, log: Log) => Device;

/** The devices of this moment, each with a loop of its own that can be ended without the others. */
export class DeviceSet implements EnginePart {
  readonly #options: DeviceSetOptions;
  readonly #members = new Map<string, Member>();
  /** Loops that turn, those of devices that left included. */
  readonly #turning = new Set<Promise<void>>();
  #signal: AbortSignal | null = null;

  constructor(options: DeviceSetOptions) {
    this.#options = options;
  }

  all(): readonly Device[] {
    return [...this.#members.values()].map(({ device }) => device);
  }

  byId(deviceId: string): Device | null {
    return this.#members.get(deviceId)?.device ?? null;
  }

  /** The device that carries an asset; null when none does. */
  carrierOf(kind: AssetKind, assetId: string): Device | null {
    for (const { device } of this.#members.values()) if (device.carries(kind, assetId)) return device;
    return null;
  }

  /** There may be something to write. */
  wake(device: Device): void {
    this.#members.get(device.settings.id)?.loop?.wake();
  }

  /** Asks for an early read. */
  hint(device: Device): void {
    this.#members.get(device.settings.id)?.loop?.hint();
  }

  /** Asks for an early read of the device that carries an asset. False: none does. */
  hintAt(kind: AssetKind, assetId: string): boolean {
    const device = this.carrierOf(kind, assetId);
    if (device !== null) this.hint(device);
    return device !== null;
  }

  /** Reads the device now, as its loop allows; null: it is not connected. */
  ask(device: Device): Promise<ReadOutcome> | null {
    return this.#members.get(device.settings.id)?.loop?.ask() ?? null;
  }

  vitals(): readonly LoopVitals[] {
    return [...this.#members].flatMap(([deviceId, { loop }]) =>
      loop === null ? [] : [{ deviceId, latenessMs: loop.latenessMs() }],
    );
  }

  /** Shows the device's assets and starts its loop, in the place of a device with this id that was halted. */
  begin(entry: DeviceEntry, make: MakeDevice): Device {
    const { clock, random } = this.#options;
    const { id, adapter } = entry.settings;
    const log = this.#options.log.child({ deviceId: id, adapter });
    const device = make(entry, log);
    const loop = entry.options === null ? null : new DeviceLoop({ work: device, clock, random, log });
    const member: Member = { device, loop, stop: new AbortController(), ended: Promise.resolve() };
    this.#members.set(id, member);
    if (this.#signal !== null) this.#turn(member, this.#signal);
    return device;
  }

  /** Ends a device's loop, in bounded time, at its safe defaults. The device is still found. Never rejects. */
  async halt(deviceId: string): Promise<void> {
    const member = this.#members.get(deviceId);
    if (member !== undefined) await this.#halt(member);
  }

  /** As `halt`, and the device is found no more from now on. */
  async drop(deviceId: string): Promise<void> {
    const member = this.#members.get(deviceId);
    this.#members.delete(deviceId);
    if (member !== undefined) await this.#halt(member);
  }

  /** Runs the loops of all devices, those that come later too. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    for (const member of this.#members.values()) this.#turn(member, signal);
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopAll = (): void => {
      for (const { stop } of this.#members.values()) stop.abort(signal.reason);
      resolve();
    };
    if (signal.aborted) stopAll();
    else signal.addEventListener("abort", stopAll, { once: true });
    await promise;
    await Promise.all(this.#turning);
  }

  #turn(member: Member, signal: AbortSignal): void {
    if (signal.aborted || member.loop === null) return;
    const turning = member.loop.run(member.stop.signal);
    member.ended = turning;
    this.#turning.add(turning);
    void turning.finally(() => this.#turning.delete(turning));
  }

  async #halt({ device, stop, ended }: Member): Promise<void> {
    stop.abort(new Error("the device is taken out"));
    try {
      await within(this.#options.clock, HALT_MS, new AbortController().signal, () => ended);
    } catch (err) {
      this.#options.log.warn({ err, deviceId: device.settings.id }, "the device's loop did not end");
    }
  }
}
