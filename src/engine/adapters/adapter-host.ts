import { fieldsProblem } from "../../domain/linking/link-field-names.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import type { RunningDiscovery } from "../../sdk/discovery.ts";
import type { Adapter, AdapterContext, Driver, RunningAdapter } from "../../sdk/driver.ts";
import type { LinkableVendor, RunningLinking } from "../../sdk/linking.ts";
import type { RunningSimulation } from "../../sdk/simulation.ts";
import type { VendorAccount } from "../../sdk/vendor-account.ts";
import { limitedLog } from "./limited-log.ts";

/** Time for one adapter to close, ms. */
const CLOSE_MS = 300;

type Options = Readonly<Record<string, unknown>>;

/** An adapter at work whose vendors people can link. */
export interface Linker {
  readonly adapter: string;
  readonly vendors: readonly LinkableVendor[];
  readonly linking: RunningLinking;
}

/** An account of an adapter at work. */
export interface KnownAccount {
  readonly adapter: string;
  readonly account: VendorAccount;
}

/** An adapter at work that finds devices. */
export interface Finder {
  readonly adapter: string;
  readonly discovery: RunningDiscovery;
}

/** The adapters at work. One that does not start harms only its own devices. */
export class AdapterHost implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #running = new Map<string, RunningAdapter<Options> | Error>();
  readonly #adapters: readonly Adapter[];

  /** `keptBy` makes what an adapter keeps of its devices and accounts. */
  constructor(
    adapters: readonly Adapter[],
    context: Omit<AdapterContext, "notes" | "accounts">,
    keptBy: (adapter: string) => Pick<AdapterContext, "notes" | "accounts">,
  ) {
    this.#clock = context.clock;
    this.#log = context.log;
    this.#adapters = adapters;
    for (const adapter of adapters) {
      const log = limitedLog(context.log.child({ adapter: adapter.name }), context.clock);
      this.#running.set(adapter.name, this.#start(adapter, { ...context, log, ...keptBy(adapter.name) }));
    }
  }

  async connect(adapter: string, deviceId: string, options: Options, signal: AbortSignal): Promise<Driver> {
    const running = this.#running.get(adapter) ?? new Error(`there is no adapter ${adapter}`);
    if (running instanceof Error) throw running;
    return await running.connect(deviceId, options, signal);
  }

  /** What parts of the engine have of the adapters. */
  parts() {
    return {
      linkers: this.#linkers(),
      accounts: () => this.#accounts(),
      wellKnown: (path: string) => this.#wellKnown(path),
      simulation: this.#simulation(),
    };
  }

  /** The adapters that link, in their order; one that did not start, or a form that cannot be shown, links nothing. */
  #linkers(): readonly Linker[] {
    return this.#adapters.flatMap(({ name, linking: vendors = [] }) => {
      const running = this.#running.get(name);
      if (running === undefined || running instanceof Error || running.linking === undefined) return [];
      const shown = vendors.filter((vendor) => this.#canAsk(name, vendor));
      return [{ adapter: name, vendors: shown, linking: running.linking }];
    });
  }

  /** The accounts that adapters work with; one that cannot tell has none. */
  #accounts(): readonly KnownAccount[] {
    return [...this.#running].flatMap(([adapter, running]) => {
      if (running instanceof Error) return [];
      try {
        return (running.accounts?.() ?? []).map((account) => ({ adapter, account }));
      } catch (err) {
        this.#log.error({ err, adapter }, "accounts cannot be told");
        return [];
      }
    });
  }

  /** Of the first adapter that has something there; one that cannot tell has nothing. */
  async #wellKnown(path: string): Promise<string | null> {
    for (const [adapter, running] of this.#running) {
      if (running instanceof Error) continue;
      try {
        const text = await running.wellKnown?.(path);
        if (text != null) return text;
      } catch (err) {
        this.#log.error({ err, adapter }, "well-known text cannot be told");
      }
    }
    return null;
  }

  #canAsk(adapter: string, { id, fields }: LinkableVendor): boolean {
    const problem = fieldsProblem(fields);
    if (problem !== null) this.#log.error({ adapter, vendor: id, problem }, "a vendor cannot be linked");
    return problem === null;
  }

  /** The adapters that search, in their order; one that did not start finds nothing. */
  finders(): readonly Finder[] {
    return [...this.#running].flatMap(([adapter, running]) => {
      if (running instanceof Error || running.discovery === undefined) return [];
      return [{ adapter, discovery: running.discovery }];
    });
  }

  /** The made-up devices, and the adapter that has them; null when none does. */
  #simulation(): { readonly adapter: string; readonly simulation: RunningSimulation } | null {
    for (const [adapter, running] of this.#running) {
      if (!(running instanceof Error) && running.simulation !== undefined) {
        return { adapter, simulation: running.simulation };
      }
    }
    return null;
  }

  /** Closes all at the same time, each in bounded time. */
  async [Symbol.asyncDispose](): Promise<void> {
    const running = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(running.map((adapter) => (adapter instanceof Error ? undefined : this.#close(adapter))));
  }

  #start(adapter: Adapter, context: AdapterContext): RunningAdapter<Options> | Error {
    try {
      return adapter.start(context);
    } catch (cause) {
      context.log.error({ err: cause }, "adapter does not start");
      return new Error(`the adapter ${adapter.name} does not start`, { cause });
    }
  }

  async #close(adapter: RunningAdapter<Options>): Promise<void> {
    const signal = new AbortController().signal;
    try {
      await within(this.#clock, CLOSE_MS, signal, async () => await adapter[Symbol.asyncDispose]());
    } catch (err) {
      this.#log.warn({ err }, "adapter did not close");
    }
  }
}
