/** Takes what gateways send, and answers it when it is committed. */
import { setTimeout as pause } from "node:timers/promises";
import {
  type Ack,
  type Batch,
  type Command,
  fromFrame,
  type Hello,
  MAX_REASON,
  PROTOCOL_VERSION,
  ProtocolError,
  parseToCloud,
  type Refused,
  readBatch,
  type ToGateway,
  toFrame,
  withoutRecords,
} from "hemgate/cloud-protocol";
import type pg from "pg";
import { applyBatch } from "./apply.ts";
import type { Arriving, Sent } from "./broker.ts";
import { noteSent, openCommands } from "./commands.ts";
import { failureOf, inTransaction } from "./database.ts";
import { type DeadLetter, keepDeadLetter } from "./dead-letters.ts";
import { dueConfiguration } from "./gateway-configuration.ts";
import type { Log } from "./log.ts";
import { meet } from "./meet.ts";
import { STREAMS } from "./place.ts";
import type { Arrival, Topics } from "./topics.ts";
import { Turns } from "./turns.ts";
import { zstd } from "./zstd.ts";

/** The batch before one that comes too early may be here already, or at another copy: so often it is tried again, then asked for. */
const EARLY_TRIES_MS: readonly number[] = [20, 50, 100, 200, 400];
/** Between two tries while the database is away. */
const RETRY_MS = 1_000;
/** A lock that does not come free, or a victim of a deadlock: so often it is tried again. Then the gateway sends it again. */
const BUSY_TRIES = 2;
/** What one frame may keep others of its connection waiting, while the database is there. */
const HELD_MS = 3_000;
/** Frames of a gateway that a copy has, for each that may be on their way. More it sends again. */
const FRAMES_A_WINDOW = 2;
/** Parts of a batch that are tried alone, to find the record that the database does not take. */
const MAX_PARTS = 64;
const BUSY_MS = 60_000;

export interface ReceiverParts {
  readonly pool: pg.Pool;
  readonly topics: Topics;
  /** Batches that a gateway may have on their way. */
  readonly window: number;
  /** Frames that are worked on at once. */
  readonly workers: number;
  readonly log: Log;
  readonly nowMs: () => number;
  send(message: Sent): Promise<void>;
}

type Applied = Pick<Ack, "through" | "missing"> & { readonly refused: readonly Refused[] };

export class Receiver {
  readonly #parts: ReceiverParts;
  readonly #over = new AbortController();
  readonly #turns: Turns;
  /** Frames that are here, by gateway. */
  readonly #held = new Map<string, number>();
  #isAway = false;

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
    this.#turns = new Turns(parts.workers);
  }

  /** See `Workers`. Frames of one gateway are worked on one after the other, whatever comes of the others. */
  async take(message: Arriving, free: () => void = () => undefined): Promise<boolean> {
    const arrival = this.#parts.topics.read(message.topic);
    if (arrival === null) return true;
    const { gateway } = arrival;
    const held = this.#held.get(gateway) ?? 0;
    if (held >= this.#parts.window * FRAMES_A_WINDOW) return true;
    this.#held.set(gateway, held + 1);
    try {
      if (this.#turns.isWorking(gateway)) free();
      return await this.#taken(arrival, message, free);
    } finally {
      const left = (this.#held.get(gateway) ?? 1) - 1;
      if (left === 0) this.#held.delete(gateway);
      else this.#held.set(gateway, left);
    }
  }

  /** Until it is taken, or is nothing that can be. False: this copy ends. */
  async #taken(arrival: Arrival, message: Arriving, free: () => void): Promise<boolean> {
    const { signal } = this.#over;
    let [early, busy] = [0, 0];
    while (!signal.aborted) {
      let pauseMs = RETRY_MS;
      try {
        const tryMs = EARLY_TRIES_MS[early];
        const isDone = await this.#turns.run(arrival.gateway, () =>
          this.#inTime(arrival, message, free, tryMs === undefined),
        );
        this.#isAway = false;
        if (isDone) return true;
        early += 1;
        pauseMs = tryMs ?? RETRY_MS;
        free();
      } catch (err) {
        if (signal.aborted) return false;
        const failure = failureOf(err);
        this.#isAway = failure === "away";
        if (failure === "busy") busy += 1;
        const isTriedAgain = this.#isAway || (failure === "busy" && busy <= BUSY_TRIES);
        this.#parts.log.warn({ err, gateway: arrival.gateway, isTriedAgain }, "a message could not be taken");
        if (!isTriedAgain) return true;
      }
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    return false;
  }

  /** See `#once`. */
  async #inTime(arrival: Arrival, message: Arriving, free: () => void, isLast: boolean): Promise<boolean> {
    const tooLong = setTimeout(() => (this.#isAway ? undefined : free()), HELD_MS);
    try {
      return await this.#once(arrival, message, isLast);
    } finally {
      clearTimeout(tooLong);
    }
  }

  /** False: what it follows is not there yet. */
  async #once({ gateway, what }: Arrival, { payload }: Arriving, isLast: boolean): Promise<boolean> {
    if (what === "presence") {
      await this.#presence(gateway, Buffer.from(payload).toString());
      return true;
    }
    let of: string | null = null;
    try {
      const value = await fromFrame(payload, zstd);
      of = kindOf(value);
      if (of === "batch") return await this.#batch(gateway, value, payload, isLast);
      const message = parseToCloud(value);
      if (message?.kind === "hello") await this.#hello(gateway, message);
    } catch (err) {
      if (failureOf(err) !== "refused") throw err;
      await this.#refuse(gateway, payload, of, err);
    }
    return true;
  }

  /** What nothing can be taken of is kept, and its gateway is told why. */
  async #refuse(gateway: string, frame: Uint8Array, of: string | null, err: unknown): Promise<void> {
    const { pool, nowMs, log } = this.#parts;
    log.warn({ err, gateway, of, isTriedAgain: false }, "a message cannot be taken");
    const reason = reasonOf(err);
    const letter = { gateway, frame, reason, stream: null, epoch: null, refused: [] };
    await inTransaction(pool, (client) => keepDeadLetter(client, letter, nowMs()));
    await this.tell(gateway, { v: PROTOCOL_VERSION, kind: "refusal", of, reason });
  }

  /** Sends a command that has no answer yet; nothing when it has, or is not valid any more. */
  async command(gateway: string, id: string): Promise<void> {
    const { pool, nowMs } = this.#parts;
    for (const command of await openCommands(pool, gateway, nowMs(), id)) await this.#command(gateway, command);
  }

  /** Resolves when the broker has it, which need not bring it after it expired. */
  async sendCommand(gateway: string, command: Command): Promise<void> {
    const leftMs = command.expiresAtMs - this.#parts.nowMs();
    await this.tell(gateway, command, { expirySeconds: Math.max(1, Math.ceil(leftMs / 1_000)) });
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

  /** False: what it follows is not there yet, and this is not its last try. */
  async #batch(gateway: string, value: unknown, frame: Uint8Array, isLast: boolean): Promise<boolean> {
    const { batch, refused } = readBatch(value);
    if (!STREAMS.includes(batch.stream)) return true;
    const { stream, epoch } = batch;
    const letter = { gateway, frame, reason: null, stream, epoch };
    const applied = await this.#apply(letter, batch, refused, { left: MAX_PARTS });
    if (applied === null) return true;
    if (applied.missing.length > 0 && !isLast) return false;
    const { through, missing } = applied;
    const told = applied.refused.length === 0 ? {} : { refused: [...applied.refused] };
    await this.tell(gateway, { v: PROTOCOL_VERSION, kind: "ack", stream, epoch, through, missing, ...told });
    return true;
  }

  /** Of a batch that the database refuses the halves are tried, down to the record that is the reason. */
  async #apply(
    letter: Omit<DeadLetter, "refused">,
    batch: Batch,
    refused: readonly Refused[],
    parts: { left: number },
  ): Promise<Applied | null> {
    try {
      return await this.#commit(letter, batch, refused);
    } catch (err) {
      if (failureOf(err) !== "refused") throw err;
      this.#parts.log.warn(
        { err, gateway: letter.gateway, stream: batch.stream, from: batch.from },
        "records cannot be taken",
      );
      parts.left -= 2;
      const [first, second] = parts.left < 0 ? [] : halves(batch);
      if (first === undefined || second === undefined) {
        const without = withoutRecords(batch, reasonOf(err));
        return await this.#commit(letter, without.batch, [...refused, ...without.refused]);
      }
      const before = await this.#apply(letter, first, refused, parts);
      if (before === null || before.missing.length > 0) return before;
      return await this.#apply(letter, second, before.refused, parts);
    }
  }

  async #commit(
    letter: Omit<DeadLetter, "refused">,
    batch: Batch,
    refused: readonly Refused[],
  ): Promise<Applied | null> {
    const { pool, nowMs, log } = this.#parts;
    const { gateway } = letter;
    const applied = await inTransaction(pool, async (client) => {
      const result = await applyBatch(client, gateway, batch);
      const isTaken = result !== null && result.missing.length === 0;
      if (isTaken && refused.length > 0) await keepDeadLetter(client, { ...letter, refused }, nowMs());
      return result;
    });
    for (const each of refused) log.warn({ gateway, stream: batch.stream, ...each }, "records are refused");
    return applied === null ? null : { ...applied, refused };
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
    const { pool, nowMs } = this.#parts;
    await this.sendCommand(gateway, command);
    await noteSent(pool, gateway, command.id, nowMs());
  }
}

/** As far as it can be read. */
function kindOf(value: unknown): string | null {
  const kind: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "kind") : null;
  return typeof kind === "string" && kind.length <= 100 ? kind : null;
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
}

/** None of a batch with a single record. */
function halves(batch: Batch): readonly Batch[] {
  const { records, gaps } = batch;
  const next = records[Math.ceil(records.length / 2)];
  if (next === undefined || next.seq <= batch.from || next.seq > batch.through) return [];
  const split = (isFirst: boolean): Pick<Batch, "records" | "gaps"> => ({
    records: records.filter(({ seq }) => seq < next.seq === isFirst),
    gaps: gaps.filter(({ from }) => from < next.seq === isFirst),
  });
  return [
    { ...batch, through: next.seq - 1, ...split(true) },
    { ...batch, from: next.seq, ...split(false) },
  ];
}
