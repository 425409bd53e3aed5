/** Sends commands until they are answered, and ends those whose time is over. */
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "hemgate/cloud-protocol";
import type pg from "pg";
import { endCommands, noteSent, takeDueCommands } from "./commands.ts";
import type { Log } from "./log.ts";

const EVERY_MS = 1_000;

export interface CommandRoundsParts {
  readonly pool: pg.Pool;
  readonly log: Log;
  readonly nowMs: () => number;
  /** Resolves when the broker has it. */
  send(gateway: string, command: Command): Promise<void>;
}

/** Whatever else waits: it needs neither a worker nor a hello. */
export class CommandRounds implements AsyncDisposable {
  readonly #parts: CommandRoundsParts;
  readonly #over = new AbortController();
  readonly #running: Promise<void>;
  /** Commands that the broker is given at the moment. */
  readonly #sending = new Set<string>();

  constructor(parts: CommandRoundsParts) {
    this.#parts = parts;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      try {
        await this.#round();
      } catch (err) {
        this.#parts.log.warn({ err }, "commands could not be looked at");
      }
      await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #round(): Promise<void> {
    const { pool, nowMs, log } = this.#parts;
    for (const { gateway, command } of await takeDueCommands(pool, nowMs())) {
      const key = `${gateway}/${command.id}`;
      if (this.#sending.has(key)) continue;
      this.#sending.add(key);
      this.#send(gateway, command)
        .catch((err: unknown) => log.warn({ err, gateway, command: command.id }, "a command could not be sent"))
        .finally(() => this.#sending.delete(key));
    }
    await endCommands(pool, nowMs());
  }

  async #send(gateway: string, command: Command): Promise<void> {
    const { pool, nowMs, send } = this.#parts;
    await send(gateway, command);
    if (!this.#over.signal.aborted) await noteSent(pool, gateway, command.id, nowMs());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#running;
  }
}
