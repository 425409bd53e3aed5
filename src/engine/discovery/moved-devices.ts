/** Devices that were found at another address than the one they were configured or linked with. */
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { MovedDeviceRecord } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

type Options = Readonly<Record<string, unknown>>;

/** The options with which a device is run: with the place where it was found, while what was configured is the same. */
export function placedOptions(options: Options, moved: MovedDeviceRecord | null): Options {
  if (moved === null || !isAsItWas(options, moved)) return options;
  return { ...options, ...moved.place };
}

/** What place options are now; null for one that is not there. */
function placeIn(options: Options, keys: readonly string[]): Options {
  return Object.fromEntries(keys.map((key) => [key, options[key] ?? null]));
}

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
  /** What the device was configured or linked with; null when there is no such device. */
  configured(deviceId: string): Options | null;
  restart(deviceIds: readonly string[]): Promise<void>;
}

/** Keeps where devices moved to. */
export class MovedDevices {
  readonly #context: MoveContext;

  constructor(context: MoveContext) {
    this.#context = context;
  }

  /** Those that count. */
  all(): readonly MovedDeviceRecord[] {
    const { store, configured } = this.#context;
    return store.all("moved-device").filter((record) => {
      const options = configured(record.deviceId);
      return options !== null && isAsItWas(options, record);
    });
  }

  /** Runs a device at the place where it was found. Rejects when that cannot be stored. */
  async move(deviceId: string, serial: string, place: Options): Promise<void> {
    const { store, clock, log, configured, restart } = this.#context;
    const options = configured(deviceId);
    if (options === null) return;
    const was = placeIn(options, Object.keys(place));
    // What it was configured without, such as a port, is as the adapter has it.
    const isHome = Object.entries(place).every(([key, value]) => was[key] === null || was[key] === value);
    const record: MovedDeviceRecord = { deviceId, serial, place, was, movedAtMs: clock.nowMs() };
    const write = isHome
      ? ({ table: "moved-device", key: deviceId, remove: true } as const)
      : ({ table: "moved-device", key: deviceId, put: record } as const);
    await store.commit([write], []);
    log.warn({ deviceId, from: placeText(was), to: placeText(place) }, "device has another address");
    await restart([deviceId]);
  }

  /** Forgets devices that are gone, and places that no longer count. */
  async tidy(): Promise<void> {
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
