import type { AssetKind } from "../../domain/assets/asset.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import type { ReadOutcome } from "../devices/asked-read.ts";
import type { Device } from "../devices/device.ts";
import { DeviceLoop } from "../devices/device-loop.ts";
import type { EnginePart } from "../engine-part.ts";
import type { LoopVitals } from "../readiness.ts";
import type { DeviceEntry } from "./device-entry.ts";

/** Time for a loop to write its safe defaults and close its driver; slightly longer than the loop's own limits. */
const HALT_MS = 1_800;

/** Devices polled at the same instants; each further group follows a little later, so that no round blocks the others. */
const POLLED_TOGETHER = 50;
const OFFSET_MS = 40;

interface DeviceRun {
  readonly device: Device;
  /** `null` if the device is not connected. */
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

/** Creates the device of an entry. */
export type MakeDevice = (entry: DeviceEntry, log: Log) => Device;

/** The present devices with their loops; each loop can be stopped without the others. */
export class DeviceSet implements EnginePart {
  readonly #options: DeviceSetOptions;
  readonly #runs = new Map<string, DeviceRun>();
  /** All running loops, including those of removed devices. */
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal | null = null;

  constructor(options: DeviceSetOptions) {
    this.#options = options;
  }

  all(): readonly Device[] {
    return [...this.#runs.values()].map(({ device }) => device);
  }

  byId(deviceId: string): Device | null {
    return this.#runs.get(deviceId)?.device ?? null;
  }

  /** Returns the device of an asset; `null` if there is none. */
  carrierOf(kind: AssetKind, assetId: string): Device | null {
    for (const { device } of this.#runs.values()) if (device.carries(kind, assetId)) return device;
    return null;
  }

  /** Wakes the device's loop because there may be something to write. */
  wake(device: Device): void {
    this.#runs.get(device.settings.id)?.loop?.wake();
  }

  /** Requests an early read of the device. */
  hint(device: Device): void {
    this.#runs.get(device.settings.id)?.loop?.hint();
  }

  /** Requests an early read of an asset's device. Returns false if there is none. */
  hintAt(kind: AssetKind, assetId: string): boolean {
    const device = this.carrierOf(kind, assetId);
    if (device !== null) this.hint(device);
    return device !== null;
  }

  /** Reads the device as soon as its loop allows; returns `null` if it is not connected. */
  ask(device: Device): Promise<ReadOutcome> | null {
    return this.#runs.get(device.settings.id)?.loop?.ask() ?? null;
  }

  /** Returns how late each loop is. */
  vitals(): readonly LoopVitals[] {
    return [...this.#runs].flatMap(([deviceId, { loop }]) =>
      loop === null ? [] : [{ deviceId, latenessMs: loop.latenessMs() }],
    );
  }

  /** Shows the device's assets and starts its loop. Replaces a stopped device with the same id. */
  begin(entry: DeviceEntry, make: MakeDevice): Device {
    const { clock, random } = this.#options;
    const { id, adapter } = entry.settings;
    const log = this.#options.log.child({ deviceId: id, adapter });
    const device = make(entry, log);
    const offsetMs = Math.floor(this.#runs.size / POLLED_TOGETHER) * OFFSET_MS;
    const loop = entry.options === null ? null : new DeviceLoop({ work: device, clock, random, log, offsetMs });
    const run: DeviceRun = { device, loop, stop: new AbortController(), ended: Promise.resolve() };
    this.#runs.set(id, run);
    if (this.#signal !== null) this.#start(run, this.#signal);
    return device;
  }

  /**
   * Writes the device's safe defaults and stops its loop, in bounded time. The device stays in the set. Never rejects.
   */
  async halt(deviceId: string): Promise<void> {
    const run = this.#runs.get(deviceId);
    if (run !== undefined) await this.#halt(run);
  }

  /** Removes the device from the set, then stops its loop as `halt` does. */
  async drop(deviceId: string): Promise<void> {
    const run = this.#runs.get(deviceId);
    this.#runs.delete(deviceId);
    if (run !== undefined) await this.#halt(run);
  }

  /** Runs the loops of all devices, including those that are added later. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    for (const run of this.#runs.values()) this.#start(run, signal);
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopAll = (): void => {
      for (const { stop } of this.#runs.values()) stop.abort(signal.reason);
      resolve();
    };
    if (signal.aborted) stopAll();
    else signal.addEventListener("abort", stopAll, { once: true });
    await promise;
    await Promise.all(this.#running);
  }

  #start(run: DeviceRun, signal: AbortSignal): void {
    if (signal.aborted || run.loop === null) return;
    const running = run.loop.run(run.stop.signal);
    run.ended = running;
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  async #halt({ device, stop, ended }: DeviceRun): Promise<void> {
    stop.abort(new Error("the device is removed or restarted"));
    try {
      await within(this.#options.clock, HALT_MS, new AbortController().signal, () => ended);
    } catch (err) {
      this.#options.log.warn(
        { err, deviceId: device.settings.id },
        "device loop did not end in time; continuing without it",
      );
    }
  }
}
