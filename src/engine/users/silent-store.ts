import type { NewJournalEntry, Store } from "../../store/store.ts";

/**
 * The store, but for one thing: nothing that happens to a deauthorized user is journaled, so nobody is told of it
 * (rule I4.1). One place for all parts that journal.
 */
export function silenceUsers(store: Store, isSilent: (userId: string) => boolean): Store {
  const isTold = ({ payload }: NewJournalEntry): boolean => {
    const userId = userIdOf(payload);
    return userId === null || !isSilent(userId);
  };
  return {
    get epoch() {
      return store.epoch;
    },
    get recovered() {
      return store.recovered;
    },
    get locked() {
      return store.locked;
    },
    get isCopyFailing() {
      return store.isCopyFailing;
    },
    get space() {
      return store.space;
    },
    get isWritable() {
      return store.isWritable;
    },
    commit: (writes, journal) => store.commit(writes, journal.filter(isTold)),
    commitAlong: (writes) => store.commitAlong(writes),
    all: (table) => store.all(table),
    get: (table, key) => store.get(table, key),
    journalAfter: (position, limit) => store.journalAfter(position, limit),
    get journalEnd() {
      return store.journalEnd;
    },
    watchJournal: (listener) => store.watchJournal(listener),
    record: (sample) => store.record(sample),
    history: (deviceId, fromMs, toMs) => store.history(deviceId, fromMs, toMs),
    historyHoles: (fromMs, toMs) => store.historyHoles(fromMs, toMs),
    energy: (query) => store.energy(query),
    forgetHistory: (deviceId) => store.forgetHistory(deviceId),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** The user that an event is about; null when it is about none. */
function userIdOf(payload: unknown): string | null {
  const user = field(payload, "user");
  const id = field(user, "id");
  return typeof id === "string" ? id : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
