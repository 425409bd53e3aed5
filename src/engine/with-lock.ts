import { problem } from "../domain/problem.ts";
import { BusyError, type KeyedMutex } from "../platform/keyed-mutex.ts";

/** Runs a change after all earlier changes under the same lock name. Throws `too-many-requests` if too many are pending. */
export async function withLock<T>(mutex: KeyedMutex, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await mutex.run(name, work);
  } catch (error) {
    if (error instanceof BusyError)
      throw problem("too-many-requests", `Too many changes of ${name} are pending; try again later.`);
    throw error;
  }
}
