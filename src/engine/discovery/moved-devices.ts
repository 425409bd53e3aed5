/** Devices at another address than the configured or linked one. */
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { MovedDeviceRecord } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

type Options = Readonly<Record<string, unknown>>;

/** Returns the options with the address where the device was found, as long as the configured address is unchanged. */
export function placedOptions(options: Options, moved: MovedDeviceRecord | null): Options {
  if (moved === null || !isAsItWas(options, moved)) return options;
  return { ...options, ...moved.place };
}

/** Returns the values of the keys in the options; `null` for absent ones. */
function placeIn(options: Options, keys: readonly string[]): Options {
  return Object.fromEntries(keys.map((key) => [key, options[key] ?? null]));
}

/** Returns the values of a place as text, such as `192.168.1.5:502`. */
export function placeText(place: Options): string {
  return Object.values(place)
    .filter((value) => value !== null)
    .join(":");
}

function isAsItWas(options: Options, { was }: MovedDeviceRecord): boolean {
  const now = placeIn(options, Object.keys(was));
  return Object.keys(was).every((key) => now[key] === was[key]);
}

export interface MoveContext {
  readonly store: Pick<Store, "get" | "all" | "commit">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
  /** Returns the options that the device was configured or linked with; `null` if the device is unknown. */
  configured(deviceId: string): Options | null;
  restart(deviceIds: readonly string[]): Promise<void>;
}

/** Stores the new addresses of moved devices. */
export class MovedDevices {
  readonly #context: MoveContext;

  constructor(context: MoveContext) {
    this.#context = context;
  }

  /** Returns the moved devices whose configured address is unchanged. */
  all(): readonly MovedDeviceRecord[] {
    const { store, configured } = this.#context;
    return store.all("moved-device").filter((record) => {
      const options = configured(record.deviceId);
      return options !== null && isAsItWas(options, record);
    });
  }

  /** Stores the place where a device was found and restarts the device there. Rejects with a `StorageError`. */
  async move(deviceId: string, serial: string, place: Options): Promise<void> {
    const { store, clock, log, configured, restart } = this.#context;
    const options = configured(deviceId);
    if (options === null) return;
    const was = placeIn(options, Object.keys(place));
    // Options that are not configured, such as a port, have the adapter's default.
    const isConfiguredPlace = Object.entries(place).every(([key, value]) => was[key] === null || was[key] === value);
    const record: MovedDeviceRecord = { deviceId, serial, place, was, movedAtMs: clock.nowMs() };
    const write = isConfiguredPlace
      ? ({ table: "moved-device", key: deviceId, remove: true } as const)
      : ({ table: "moved-device", key: deviceId, put: record } as const);
    await store.commit([write], []);
    log.warn(
      { deviceId, from: placeText(was), to: placeText(place) },
      "device found at another address; using that address",
    );
    await restart([deviceId]);
  }

  /** Deletes the records of devices that are gone, or whose configured address has changed. */
  async removeStale(): Promise<void> {
    const { store } = this.#context;
    const kept = new Set(this.all());
    const gone = store.all("moved-device").filter((record) => !kept.has(record));
    if (gone.length === 0) return;
    await store.commit(
      gone.map(({ deviceId }) => ({ table: "moved-device", key: deviceId, remove: true }) as const),
      [],
    );
  }
}
