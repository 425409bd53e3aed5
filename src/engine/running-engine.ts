import type { AssetKind } from "../domain/assets/asset.ts";
import type { Clock, Log } from "../platform/ports/ports.ts";
import { within } from "../platform/within.ts";
import type { Store } from "../store/store.ts";
import type { ActionService } from "./actions/actions.ts";
import type { AdapterHost } from "./adapters/adapter-host.ts";
import type { AssetJournal } from "./assets/asset-journal.ts";
import type { AssetRegistry } from "./assets/registry.ts";
import type {
  Actions,
  Assets,
  DeviceStatus,
  Engine,
  ReadFailure,
  Readiness,
  ReadingCounts,
} from "./contracts/engine.ts";
import type { Services } from "./contracts/services.ts";
import { ClockWatch } from "./devices/early-dates.ts";
import { readFailureOf } from "./devices/read-failure.ts";
import type { EnginePart } from "./engine-part.ts";
import type { Feature } from "./feature.ts";
import type { DeviceSet } from "./fleet/device-set.ts";
import type { SharedDevice } from "./modbus-proxy/shared-device.ts";
import { readinessOf, stalledLoops } from "./readiness.ts";

/** Time for all loops to write their safe defaults and close their drivers, side by side, ms: more than each takes itself. */
const LOOPS_CLOSE_MS = 1_800;
/** Time for the last records of the assets, ms. */
const RECORDS_CLOSE_MS = 300;

export interface RunningEngineParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly registry: AssetRegistry;
  readonly journal: AssetJournal;
  readonly actions: ActionService;
  readonly host: AdapterHost;
  readonly devices: DeviceSet;
  readonly readings: ReadingCounts;
  readonly services: Services;
  readonly features: readonly Feature[];
}

/** The engine at work, until it is disposed: then each device gets its safe default, in bounded time. */
export class RunningEngine implements Engine, AsyncDisposable {
  readonly assets: Assets;
  readonly actions: Actions;
  readonly readings: ReadingCounts;
  readonly services: Services;
  /** In the order of their hooks. */
  readonly features: readonly Feature[];
  readonly #parts: RunningEngineParts;
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | null = null;

  constructor(parts: RunningEngineParts) {
    this.#parts = parts;
    this.assets = parts.registry;
    this.actions = parts.actions;
    this.readings = parts.readings;
    this.services = parts.services;
    this.features = parts.features;
  }

  /** Starts all that works by itself: the devices' loops and those of the features. */
  begin(): void {
    const { journal, devices, clock, features } = this.#parts;
    const watch = new ClockWatch(clock, () => {
      for (const device of devices.all()) device.redate();
    });
    const loops = features.flatMap(({ loop }) => loop ?? []);
    const all: readonly EnginePart[] = [journal, devices, watch, ...loops];
    this.#running = Promise.all(all.map((part) => part.run(this.#stop.signal)));
  }

  refreshHint(kind: AssetKind, id: string): boolean {
    return this.#parts.devices.hintAt(kind, id);
  }

  async readNow(kind: AssetKind, id: string): Promise<ReadFailure | null> {
    const { devices } = this.#parts;
    const device = devices.carrierOf(kind, id);
    const reading = device === null ? null : devices.ask(device);
    if (reading === null) return "unavailable";
    const outcome = await reading;
    return outcome === null ? null : readFailureOf(outcome.error);
  }

  /** Returns a device for other programs; `null` if there is none with this id. */
  sharedDevice(deviceId: string): SharedDevice | null {
    const { devices } = this.#parts;
    const device = devices.byId(deviceId);
    if (device === null) return null;
    const { registers, commands } = device;
    return {
      get name() {
        return device.status().name;
      },
      isReachable: device.isReachable,
      registers,
      get commanded() {
        return commands.commanded;
      },
      hint: () => devices.hint(device),
    };
  }

  devices(): readonly DeviceStatus[] {
    return this.#parts.devices.all().map((device) => device.status());
  }

  readiness(): Readiness {
    const { store, clock } = this.#parts;
    return readinessOf({
      isStoreWritable: store.isWritable,
      isDiskShort: store.space.isShort,
      isCopyFailing: store.isCopyFailing,
      losses: store.all("loss").filter(({ state }) => state === "OPEN"),
      nowMs: clock.nowMs(),
      clockQuality: clock.quality(),
      loops: this.#parts.devices.vitals(),
      partsLatenessMs: this.features.map(({ loop }) => loop?.latenessMs?.() ?? 0),
    });
  }

  stalledLoops(): readonly string[] {
    return stalledLoops(this.#parts.devices.vitals());
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { actions, host, devices, store } = this.#parts;
    actions[Symbol.dispose]();
    this.#stop.abort(new Error("the gateway stops"));
    await this.#within(LOOPS_CLOSE_MS, "loops did not end", () => this.#running);
    await host[Symbol.asyncDispose]();
    const writes = devices.all().flatMap((device) => device.assets.writes());
    if (writes.length > 0) {
      await this.#within(RECORDS_CLOSE_MS, "last records not stored", () => store.commit(writes, []));
    }
  }

  async #within(limitMs: number, failure: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await within(this.#parts.clock, limitMs, new AbortController().signal, work);
    } catch (err) {
      this.#parts.log.warn({ err }, failure);
    }
  }
}
