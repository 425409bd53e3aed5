import type { KeyValueStore } from "../../../../adapters/clouds/kit/session/key-value-store.ts";

/** A drawer that outlives the runs that write to it. */
export class FakeStore implements KeyValueStore {
  readonly texts = new Map<string, string>();
  puts = 0;
  /** What a put does before anything is kept; it may reject. */
  beforePut: () => Promise<void> = async () => undefined;
  #run = 0;

  get(name: string): string | null {
    return this.texts.get(name) ?? null;
  }

  async put(name: string, text: string): Promise<void> {
    await this.#putAs(this.#run, name, text);
  }

  /** The drawer as the next run has it; what earlier runs still write is lost. */
  nextRun(): KeyValueStore {
    this.#run += 1;
    const run = this.#run;
    return { get: (name) => this.get(name), put: (name, text) => this.#putAs(run, name, text) };
  }

  async #putAs(run: number, name: string, text: string): Promise<void> {
    await this.beforePut();
    if (run !== this.#run) return;
    this.puts += 1;
    this.texts.set(name, text);
  }
}
