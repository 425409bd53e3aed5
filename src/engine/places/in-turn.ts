import { problem } from "../../domain/problem.ts";
import { BusyError, type KeyedMutex } from "../../platform/keyed-mutex.ts";

/** Runs a change after those that came before it. Throws `too-many-requests` when too many wait already. */
export async function inTurn<T>(mutex: KeyedMutex, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await mutex.run(what, work);
  } catch (error) {
    if (error instanceof BusyError) throw problem("too-many-requests", `Too many changes of ${what} wait.`);
    throw error;
  }
}
