import { problem } from "../../domain/problem.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { SetupRecord } from "../../store/records/setup.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

const KEY = "setup";
const EMPTY: SetupRecord = { skipped: {}, handOver: null, tests: {}, loadChecks: [], seen: {} };

/** The one record of the setup. Changes run one after the other, and are on disk when their promise resolves. */
export class SetupBook {
  readonly #store: Pick<Store, "get" | "commit">;
  readonly #mutex = new KeyedMutex({ maxWaiting: null });
  /** What is being stored now; `null` if nothing is. */
  #pending: SetupRecord | null = null;

  constructor(store: Pick<Store, "get" | "commit">) {
    this.#store = store;
  }

  /** True once a setup has begun on this gateway. */
  get isBegun(): boolean {
    return this.#store.get("setup", KEY) !== null;
  }

  get record(): SetupRecord {
    return this.#store.get("setup", KEY) ?? EMPTY;
  }

  /** Stores what the change makes of the record, with other writes. Throws `service-unavailable` if the disk refuses. */
  change(change: (before: SetupRecord) => SetupRecord, others: readonly Write[] = []): Promise<void> {
    return this.#mutex.run(KEY, async () => {
      try {
        this.#pending = change(this.record);
        await this.#store.commit([...others, put(this.#pending)], [], "urgent");
      } catch (cause) {
        throw problem("service-unavailable", "The setup cannot be stored now.", { cause });
      } finally {
        this.#pending = null;
      }
    });
  }

  /** Returns the write that forgets what is known of assets; none if nothing is. */
  without(assetIds: ReadonlySet<string>): readonly Write[] {
    const record = this.#pending ?? this.record;
    const kept = <Value>(byAsset: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
      Object.fromEntries(Object.entries(byAsset).filter(([id]) => !assetIds.has(id)));
    const [tests, seen] = [kept(record.tests), kept(record.seen)];
    const isSame =
      Object.keys(tests).length === Object.keys(record.tests).length &&
      Object.keys(seen).length === Object.keys(record.seen).length;
    return isSame ? [] : [put({ ...record, tests, seen })];
  }
}

function put(record: SetupRecord): Write {
  return { table: "setup", key: KEY, put: record };
}
