/** A disk that tells when all it was asked for is done, so that virtual time waits for a real one. */
import type { Disk } from "../../src/platform/ports/ports.ts";

export interface SettlingDisk {
  readonly disk: Disk;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

export function settlingDisk(real: Disk): SettlingDisk {
  const underWay = new Set<Promise<unknown>>();
  const watch = <Result>(work: Promise<Result>): Promise<Result> => {
    const done = work.then(
      () => void underWay.delete(done),
      () => void underWay.delete(done),
    );
    underWay.add(done);
    return work;
  };
  return {
    disk: {
      open: async (name) => watched(await watch(real.open(name)), watch),
      rebuild: (name, parts) => watch(real.rebuild(name, parts)),
      moveAside: (name) => watch(real.moveAside(name)),
      copy: {
        read: () => watch(real.copy.read()),
        write: (bytes) => watch(real.copy.write(bytes)),
        moveAside: () => watch(real.copy.moveAside()),
      },
      freeBytes: () => watch(real.freeBytes()),
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

type Watch = <Result>(work: Promise<Result>) => Promise<Result>;

const ITERATORS: ReadonlySet<string | symbol> = new Set(["iterator", "keys", "values"]);

/** The same with each of its promises watched, and those of its iterators. */
function watched<Target extends object>(target: Target, watch: Watch): Target {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, given);
        if (result instanceof Promise) return watch(result);
        return ITERATORS.has(name) && typeof result === "object" && result !== null ? watched(result, watch) : result;
      };
    },
  });
}
