/** How the cloud service wants to be told: kept, and told that it is known. What is waiting never changes by it. */
import type { Log } from "../../platform/ports.ts";
import type { CloudSettingsRecord } from "../../store/records/cloud-command.ts";
import type { Store } from "../../store/store.ts";
import { CONFIGURED_EVENT, type Configuration, type Configured, RemoteSettings } from "../protocol/downlink.ts";

const TABLE = "cloud-settings";
const KEY = "current";
const MAX_UNKNOWN_KEYS = 100;
const NONE: CloudSettingsRecord = { revision: 0 };

export class RemoteConfiguration {
  readonly #store: Pick<Store, "get" | "commit">;
  readonly #log: Pick<Log, "warn">;
  #taking = 0;

  constructor({ store, log }: { readonly store: Pick<Store, "get" | "commit">; readonly log: Pick<Log, "warn"> }) {
    this.#store = store;
    this.#log = log;
  }

  get settings(): CloudSettingsRecord {
    return this.#store.get(TABLE, KEY) ?? NONE;
  }

  /** A revision that was seen before changes nothing. Resolves when the new one is on disk, or was refused there. */
  async take({ revision, settings }: Configuration): Promise<void> {
    if (revision <= Math.max(this.settings.revision, this.#taking)) return;
    this.#taking = revision;
    const { telemetry, backlogPercent } = settings;
    const put: CloudSettingsRecord = { revision, telemetry, backlogPercent };
    const unknownKeys = Object.keys(settings).filter((key) => !Object.hasOwn(RemoteSettings.shape, key));
    const payload: Configured = { revision, unknownKeys: unknownKeys.slice(0, MAX_UNKNOWN_KEYS) };
    try {
      await this.#store.commit([{ table: TABLE, key: KEY, put }], [{ event: CONFIGURED_EVENT, payload }]);
    } catch (err) {
      this.#log.warn({ err, revision }, "settings of the cloud service not kept");
    } finally {
      this.#taking = 0;
    }
  }
}
