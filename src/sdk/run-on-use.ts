/** Adapters whose code is loaded when the first of their devices is connected, linked or searched for. */
import type { RunningDiscovery, SearchScope } from "./discovery.ts";
import type { RunningAdapter } from "./driver.ts";
import type { LinkSetup, RunningLinking } from "./linking.ts";
import type { VendorAccount } from "./vendor-account.ts";

/** What an adapter says of itself before its code is loaded. */
export interface OnUseParts {
  /** Present if people link its devices; `hasSetup` if the owner of a device decides something then. */
  readonly linking?: { readonly hasSetup: boolean };
  /** Present if it searches; `canFind` tells whether a search may find anything, so that the code is needed. */
  readonly discovery?: {
    readonly serviceTypes: RunningDiscovery["serviceTypes"];
    canFind(scope: SearchScope): boolean;
  };
  /** Whether there may be a text at a path below `/.well-known/`; absent if there never is. */
  hasWellKnown?(path: string): boolean;
}

/**
 * Returns an adapter at work whose code `start` loads and starts at its first use. A `start` that rejects is called again
 * at the next use. Accounts are those that the code works with: none before it is loaded.
 */
export function runOnUse<Options>(
  start: () => Promise<RunningAdapter<Options>>,
  { linking, discovery, hasWellKnown }: OnUseParts,
): RunningAdapter<Options> {
  const code = new StartedOnUse(start);
  return {
    connect: async (deviceId, options, signal) => await (await code.started()).connect(deviceId, options, signal),
    ...(linking === undefined ? {} : { linking: linkingOf(code, linking) }),
    ...(discovery === undefined ? {} : { discovery: discoveryOf(code, discovery) }),
    accounts: () => code.accounts(),
    wellKnown: async (path) =>
      hasWellKnown?.(path) === true ? ((await (await code.started()).wellKnown?.(path)) ?? null) : null,
    [Symbol.asyncDispose]: () => code[Symbol.asyncDispose](),
  };
}

type Running = Omit<RunningAdapter<never>, "connect">;

class StartedOnUse<Adapter extends Running> implements AsyncDisposable {
  readonly #start: () => Promise<Adapter>;
  #starting: Promise<Adapter> | null = null;
  #running: Adapter | null = null;
  #isClosed = false;

  constructor(start: () => Promise<Adapter>) {
    this.#start = start;
  }

  /** The adapter at work. Rejects if it cannot be loaded, or is closed. */
  async started(): Promise<Adapter> {
    if (this.#isClosed) throw new Error("the adapter is closed");
    this.#starting ??= this.#begin();
    return await this.#starting;
  }

  accounts(): readonly VendorAccount[] {
    return this.#running?.accounts?.() ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const started = await this.#starting?.catch(() => null);
    await started?.[Symbol.asyncDispose]();
  }

  async #begin(): Promise<Adapter> {
    try {
      this.#running = await this.#start();
      return this.#running;
    } catch (error) {
      this.#starting = null;
      throw error;
    }
  }
}

function linkingOf(code: StartedOnUse<Running>, { hasSetup }: { readonly hasSetup: boolean }): RunningLinking {
  const loaded = async (): Promise<RunningLinking> => {
    const { linking } = await code.started();
    if (linking === undefined) throw new TypeError("the adapter links no devices");
    return linking;
  };
  const setup: LinkSetup = {
    fields: async (device, known, signal) => (await (await loaded()).setup?.fields(device, known, signal)) ?? [],
    apply: async (device, values, signal) =>
      (await (await loaded()).setup?.apply(device, values, signal)) ?? { kind: "ready", device },
  };
  return { take: async (step, signal) => await (await loaded()).take(step, signal), ...(hasSetup ? { setup } : {}) };
}

function discoveryOf(
  code: StartedOnUse<Running>,
  { serviceTypes, canFind }: NonNullable<OnUseParts["discovery"]>,
): RunningDiscovery {
  return {
    serviceTypes,
    async search(scope, found, signal) {
      if (canFind(scope)) await (await code.started()).discovery?.search(scope, found, signal);
    },
    readOnce: async (options, signal) => (await (await code.started()).discovery?.readOnce?.(options, signal)) ?? null,
  };
}
