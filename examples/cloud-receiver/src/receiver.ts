/** Takes what gateways send, and answers it when it is committed. */
import { setTimeout as pause } from "node:timers/promises";
import {
  type Batch,
  type Command,
  fromFrame,
  type Hello,
  PROTOCOL_VERSION,
  ProtocolError,
  parseToCloud,
  type ToGateway,
  toFrame,
} from "hemgate/cloud-protocol";
import type pg from "pg";
import { applyBatch, BatchError } from "./apply.ts";
import type { Arriving, Sent } from "./broker.ts";
import { openCommands } from "./commands.ts";
import { inTransaction, isPassing } from "./database.ts";
import { dueConfiguration } from "./gateway-configuration.ts";
import type { Log } from "./log.ts";
import { meet } from "./meet.ts";
import { STREAMS } from "./place.ts";
import type { Topics } from "./topics.ts";
import { zstd } from "./zstd.ts";

/** The batch before one that comes too early may be in the hands of another copy: so often it is tried again, then asked for. */
const EARLY_TRIES_MS: readonly number[] = [20, 50, 100, 200, 400];
/** Between two tries while the database is away. The worker takes nothing else meanwhile. */
const RETRY_MS = 1_000;
const BUSY_MS = 60_000;

export interface ReceiverParts {
  readonly pool: pg.Pool;
  readonly topics: Topics;
  /** Batches that a gateway may have on their way. */
  readonly window: number;
  readonly log: Log;
  readonly nowMs: () => number;
  send(message: Sent): Promise<void>;
}

export class Receiver {
  readonly #parts: ReceiverParts;
  readonly #over = new AbortController();

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  /** Takes one message of the broker; true: it can be forgotten there. False: this copy ends, and another one is to have it. */
  async take(message: Arriving): Promise<boolean> {
    const arrival = this.#parts.topics.read(message.topic);
    if (arrival === null) return true;
    const { gateway, what } = arrival;
    const { signal } = this.#over;
    while (!signal.aborted) {
      try {
        if (what === "presence") await this.#presence(gateway, Buffer.from(message.payload).toString());
        else await this.#frame(gateway, message);
        return true;
      } catch (err) {
        if (signal.aborted) return false;
        const isOfTheMessage = err instanceof ProtocolError || err instanceof BatchError || !isPassing(err);
        this.#parts.log.warn({ err, gateway, isTriedAgain: !isOfTheMessage }, "a message could not be taken");
        if (isOfTheMessage) return true;
        await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    return false;
  }

  /** Sends a command that has no answer yet; nothing when it has, or is not valid any more. */
  async command(gateway: string, id: string): Promise<void> {
    const { pool, nowMs } = this.#parts;
    for (const command of await openCommands(pool, gateway, nowMs(), id)) await this.#command(gateway, command);
  }

  /** Sends any other message down. */
  async tell(gateway: string, message: ToGateway, how: Pick<Sent, "expirySeconds"> = {}): Promise<void> {
    const payload = await toFrame(message, zstd);
    await this.#parts.send({ topic: this.#parts.topics.down(gateway, message.kind), payload, ...how });
  }

  /** No message is tried again from here on. */
  [Symbol.dispose](): void {
    this.#over.abort();
  }

  async #frame(gateway: string, { payload }: Arriving): Promise<void> {
    const message = parseToCloud(await fromFrame(payload, zstd));
    if (message?.kind === "hello") await this.#hello(gateway, message);
    else if (message?.kind === "batch") await this.#batch(gateway, message);
  }

  async #hello(gateway: string, hello: Hello): Promise<void> {
    const { pool, window, nowMs, log } = this.#parts;
    if (hello.gateway !== gateway) throw new ProtocolError(`hello: ${hello.gateway} wrote as ${gateway}`);
    if (!hello.versions.includes(PROTOCOL_VERSION)) {
      await this.tell(gateway, { v: PROTOCOL_VERSION, kind: "goodbye", reason: "version", retryAfterMs: BUSY_MS });
      return;
    }
    const limits = { window, nowMs: nowMs() };
    const welcome = await inTransaction(pool, (client) => meet(client, gateway, hello, limits));
    if (welcome.isFork) log.warn({ gateway }, "a gateway's history parted from what is known");
    await this.tell(gateway, welcome);
    if (welcome.isFork) return;
    const due = await dueConfiguration(pool, gateway, hello);
    if (due !== null) await this.tell(gateway, due);
    for (const command of await openCommands(pool, gateway, nowMs())) await this.#command(gateway, command);
  }

  async #batch(gateway: string, batch: Batch): Promise<void> {
    if (!STREAMS.includes(batch.stream)) return;
    const { stream, epoch } = batch;
    let applied = await this.#apply(gateway, batch);
    for (const tryMs of EARLY_TRIES_MS) {
      if (applied === null || applied.missing.length === 0) break;
      await pause(tryMs);
      applied = await this.#apply(gateway, batch);
    }
    if (applied !== null) await this.tell(gateway, { v: PROTOCOL_VERSION, kind: "ack", stream, epoch, ...applied });
  }

  async #apply(gateway: string, batch: Batch): ReturnType<typeof applyBatch> {
    return await inTransaction(this.#parts.pool, (client) => applyBatch(client, gateway, batch));
  }

  async #presence(gateway: string, presence: string): Promise<void> {
    const { pool, nowMs } = this.#parts;
    if (presence !== "online" && presence !== "offline") return;
    await pool.query("UPDATE gateway SET is_online = $2, presence_ms = $3 WHERE gateway = $1", [
      gateway,
      presence === "online",
      nowMs(),
    ]);
  }

  async #command(gateway: string, command: Command): Promise<void> {
    const leftMs = command.expiresAtMs - this.#parts.nowMs();
    await this.tell(gateway, command, { expirySeconds: Math.max(1, Math.ceil(leftMs / 1_000)) });
  }
}
