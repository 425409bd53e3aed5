import { fieldsProblem } from "../../domain/linking/link-field-names.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import type { RunningDiscovery } from "../../sdk/discovery.ts";
import type { Adapter, AdapterContext, Driver, RunningAdapter } from "../../sdk/driver.ts";
import type { LinkableVendor, RunningLinking } from "../../sdk/linking.ts";
import type { RunningSimulation } from "../../sdk/simulation.ts";
import type { VendorAccount } from "../../sdk/vendor-account.ts";
import { limitedLog } from "./limited-log.ts";

/** Time limit for an adapter to close. */
const CLOSE_MS = 300;

type Options = Readonly<Record<string, unknown>>;

/** A running adapter whose devices can be linked. */
export interface Linker {
  readonly adapter: string;
  readonly vendors: readonly LinkableVendor[];
  readonly linking: RunningLinking;
}

/** An account of a running adapter. */
export interface KnownAccount {
  readonly adapter: string;
  readonly account: VendorAccount;
}

/** A running adapter that finds devices. */
export interface Finder {
  readonly adapter: string;
  readonly discovery: RunningDiscovery;
}

/** Runs the adapters. If one does not start, only its own devices fail. */
export class AdapterHost implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #running = new Map<string, RunningAdapter<Options> | Error>();
  readonly #adapters: readonly Adapter[];

  /** `notesOf` returns the note stores of an adapter. */
  constructor(
    adapters: readonly Adapter[],
    context: Omit<AdapterContext, "notes" | "accounts">,
    notesOf: (adapter: string) => Pick<AdapterContext, "notes" | "accounts">,
  ) {
    this.#clock = context.clock;
    this.#log = context.log;
    this.#adapters = adapters;
    for (const adapter of adapters) {
      const log = limitedLog(context.log.child({ adapter: adapter.name }), context.clock);
      this.#running.set(adapter.name, this.#start(adapter, { ...context, log, ...notesOf(adapter.name) }));
    }
  }

  /** Connects a device. Rejects if its adapter is unknown or did not start. */
  async connect(adapter: string, deviceId: string, options: Options, signal: AbortSignal): Promise<Driver> {
    const running = this.#running.get(adapter) ?? new Error(`there is no adapter ${adapter}`);
    if (running instanceof Error) throw running;
    return await running.connect(deviceId, options, signal);
  }

  /** Returns what the features of the engine use of the adapters. */
  parts() {
    return {
      linkers: this.#linkers(),
      accounts: () => this.#accounts(),
      wellKnown: (path: string) => this.#wellKnown(path),
      simulation: this.#simulation(),
    };
  }

  /** Returns the adapters that can link, without vendors whose form the page cannot show. */
  #linkers(): readonly Linker[] {
    return this.#adapters.flatMap(({ name, linking: vendors = [] }) => {
      const running = this.#running.get(name);
      if (running === undefined || running instanceof Error || running.linking === undefined) return [];
      const shown = vendors.filter((vendor) => this.#canAsk(name, vendor));
      return [{ adapter: name, vendors: shown, linking: running.linking }];
    });
  }

  /** Returns the accounts of all adapters; none for an adapter that throws. */
  #accounts(): readonly KnownAccount[] {
    return [...this.#running].flatMap(([adapter, running]) => {
      if (running instanceof Error) return [];
      try {
        return (running.accounts?.() ?? []).map((account) => ({ adapter, account }));
      } catch (err) {
        this.#log.error({ err, adapter }, "cannot list the adapter's accounts; it is shown without accounts");
        return [];
      }
    });
  }

  /** Returns the text of the first adapter that has one at the path; ignores adapters that throw. */
  async #wellKnown(path: string): Promise<string | null> {
    for (const [adapter, running] of this.#running) {
      if (running instanceof Error) continue;
      try {
        const text = await running.wellKnown?.(path);
        if (text != null) return text;
      } catch (err) {
        this.#log.error({ err, adapter }, "cannot read the adapter's well-known text; the adapter is skipped");
      }
    }
    return null;
  }

  #canAsk(adapter: string, { id, fields }: LinkableVendor): boolean {
    const problem = fieldsProblem(fields);
    if (problem !== null)
      this.#log.error({ adapter, vendor: id, problem }, "link form is invalid; the vendor cannot be linked");
    return problem === null;
  }

  /** Returns the adapters that can search, without those that did not start. */
  finders(): readonly Finder[] {
    return [...this.#running].flatMap(([adapter, running]) => {
      if (running instanceof Error || running.discovery === undefined) return [];
      return [{ adapter, discovery: running.discovery }];
    });
  }

  /** Returns the simulation and its adapter; `null` outside of a sandbox. */
  #simulation(): { readonly adapter: string; readonly simulation: RunningSimulation } | null {
    for (const [adapter, running] of this.#running) {
      if (!(running instanceof Error) && running.simulation !== undefined) {
        return { adapter, simulation: running.simulation };
      }
    }
    return null;
  }

  /** Closes all adapters in parallel, each within its time limit. */
  async [Symbol.asyncDispose](): Promise<void> {
    const running = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(running.map((adapter) => (adapter instanceof Error ? undefined : this.#close(adapter))));
  }

  #start(adapter: Adapter, context: AdapterContext): RunningAdapter<Options> | Error {
    try {
      return adapter.start(context);
    } catch (cause) {
      context.log.error({ err: cause }, "adapter does not start; its devices are not connected");
      return new Error(`the adapter ${adapter.name} does not start`, { cause });
    }
  }

  async #close(adapter: RunningAdapter<Options>): Promise<void> {
    const signal = new AbortController().signal;
    try {
      await within(this.#clock, CLOSE_MS, signal, async () => await adapter[Symbol.asyncDispose]());
    } catch (err) {
      this.#log.warn({ err }, "adapter did not close in time; continuing without it");
    }
  }
}
