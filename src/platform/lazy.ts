/** Parts of the program that are loaded when they are first used, so that a gateway loads no code that it does not need. */
import { errorText } from "./error-text.ts";

/** A part of the program could not be loaded: a file of the installation is missing or damaged. */
export class LoadError extends Error {
  override readonly name = "LoadError";

  constructor(what: string, cause: unknown) {
    const url: unknown = cause instanceof Error && "url" in cause ? cause.url : null;
    const place = typeof url === "string" ? ` (${url})` : "";
    super(`${what} cannot be loaded: ${errorText(cause)}${place}; the installation is damaged: install hemgate again`, {
      cause,
    });
  }
}

/** Every part that `lazy` declared, and the loads that are under way. */
const declared = new Set<() => Promise<unknown>>();
const underWay = new Set<Promise<unknown>>();

/**
 * Declares a part of the program. The function that it returns loads the part at its first call, and resolves to the same
 * part each time. It rejects with a `LoadError`, and then tries again at the next call. `what` names the part for people.
 */
export function lazy<T>(what: string, load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  const part = (): Promise<T> => {
    loaded ??= counted(load()).catch((cause: unknown) => {
      loaded = null;
      throw new LoadError(what, cause);
    });
    return loaded;
  };
  declared.add(part);
  return part;
}

async function counted<T>(load: Promise<T>): Promise<T> {
  underWay.add(load);
  try {
    return await load;
  } finally {
    underWay.delete(load);
  }
}

/**
 * Resolves when nothing is being loaded, to `true` if it had to wait. The clock of a simulated world stands still until
 * then: loading takes real time and no virtual time.
 */
export async function waitForLoads(): Promise<boolean> {
  if (underWay.size === 0) return false;
  await Promise.allSettled(underWay);
  return true;
}

/**
 * Loads every part that was declared. A run from a seed begins with it: the order in which files come from the disk would
 * otherwise decide which device is connected first.
 */
export async function loadAll(): Promise<void> {
  await Promise.all([...declared].map((part) => part()));
}
