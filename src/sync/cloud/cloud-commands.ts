/** Runs commands of the cloud service against the gateway's API, each command once, and answers with an event. */
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { sleep } from "../../platform/sleep.ts";
import type { CloudCommandRecord, CloudRequest } from "../../store/records/cloud/cloud-command.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { ANSWER_EVENT, type Answer, type Command } from "../protocol/downlink.ts";
import { isShallow } from "../protocol/fields.ts";
import { MAX_COMMAND_LIFE_MS, MAX_DEPTH } from "../protocol/limits.ts";

/** The API's answer to a request. */
export interface ApiAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Calls the gateway's API with the rights and limits of the cloud service's client. */
export interface ApiCaller {
  /**
   * Sends a request. `key` is the idempotency key of the command: a request that must run only once does not run again
   * under the same key, even after a restart.
   */
  ask(request: CloudRequest, key: string): Promise<ApiAnswer>;
  /** True if a second request under the same key has no further effect. */
  isRepeatable(request: Pick<CloudRequest, "method" | "path">): boolean;
}

export interface CloudCommandsParts {
  readonly store: Pick<Store, "get" | "all" | "commit">;
  readonly clock: Clock;
  readonly log: Log;
  readonly api: ApiCaller;
  /** True if the outbox is full; commands are then refused. */
  isFull(): boolean;
}

/** Commands in the queue. Further ones are dropped, and the cloud service sends them again. */
const MAX_WAITING = 100;
/** Stored commands. If there are more, finished ones are deleted: first those that have expired, then the oldest. */
const MAX_KNOWN = 10_000;
/** Delay before an answer is stored again after the disk refused it. */
const RETRY_MS = 5_000;
/** Answers with a larger body are sent without the body. */
const MAX_ANSWER_BYTES = 256 * 1024;
const TABLE = "cloud-command";

type Outcome = Pick<Answer, "outcome" | "status" | "contentType" | "body" | "detail">;

/** Runs commands one after the other. */
export class CloudCommands implements AsyncDisposable {
  readonly #parts: CloudCommandsParts;
  readonly #stop = new AbortController();
  readonly #waiting = new Set<string>();
  readonly #mutex = new KeyedMutex({ maxWaiting: null });

  /** Resumes the commands that ran when the gateway ended. */
  constructor(parts: CloudCommandsParts) {
    this.#parts = parts;
    for (const record of parts.store.all(TABLE)) {
      if (record.running !== null) this.#queue(record.id, () => this.#resume(record));
    }
  }

  /** Queues a command. Ignores one that is stored or queued already: its answer is on its way, or will be. */
  receive(command: Command): void {
    const { id } = command;
    if (this.#waiting.has(id) || this.#parts.store.get(TABLE, id) !== null) return;
    if (this.#waiting.size >= MAX_WAITING) {
      this.#parts.log.warn({ command: id }, "command queue is full; the cloud service has to send this command again");
      return;
    }
    this.#queue(id, () => this.#begin(command));
  }

  /**
   * Stops. Commands that did not start are sent again by the cloud service; one that was running is resumed at the next
   * start.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the gateway is stopping"));
    await this.#mutex.settled();
  }

  #queue(id: string, work: () => Promise<void>): void {
    this.#waiting.add(id);
    void this.#mutex.run("commands", async () => {
      try {
        if (!this.#stop.signal.aborted) await work();
      } catch (err) {
        if (!this.#stop.signal.aborted)
          this.#parts.log.warn({ err, command: id }, "cannot store a command; the cloud service has to send it again");
      } finally {
        this.#waiting.delete(id);
      }
    });
  }

  async #begin({ id, expiresAtMs, version, method, path, body, userId }: Command): Promise<void> {
    const running: CloudRequest = { version, method, path, ...(body !== undefined && { body }), userId };
    const { clock } = this.#parts;
    const unsure = clock.quality() === "synced" ? {} : { isDateUnsure: true as const };
    const record = { id, takenAtMs: clock.nowMs(), expiresAtMs, running, ...unsure };
    const refusal = this.#refusal(record);
    if (refusal !== null) return await this.#answer(record, refusal);
    // Stored before the command has any effect. If the disk refuses, the command does not run, and the cloud service
    // sends it again.
    await this.#parts.store.commit([...this.#forgotten(id), put(record)], []);
    await this.#run(record, running);
  }

  async #resume(record: CloudCommandRecord): Promise<void> {
    const { running, expiresAtMs } = record;
    const { api, clock } = this.#parts;
    const isTimely = clock.quality() !== "unset" && clock.nowMs() < expiresAtMs;
    if (running !== null && isTimely && api.isRepeatable(running)) return await this.#run(record, running);
    const detail = "The gateway ended while it ran, and running it again could have a second effect.";
    await this.#answer(record, { ...NOT_RUN, outcome: "interrupted", detail });
  }

  async #run(record: CloudCommandRecord, request: CloudRequest): Promise<void> {
    const answer = await this.#parts.api.ask(request, `cloud/${record.id}`);
    await this.#answer(record, outcomeOf(answer));
  }

  /** Stores the answer and the end of the command in one commit. */
  async #answer(record: CloudCommandRecord, outcome: Outcome): Promise<void> {
    const { store, clock, log } = this.#parts;
    const payload: Answer = { commandId: record.id, ...outcome };
    for (;;) {
      try {
        const ended = put({ ...record, running: null });
        await store.commit([...this.#forgotten(record.id), ended], [{ event: ANSWER_EVENT, payload }]);
        return;
      } catch (err) {
        log.warn({ err, command: record.id }, "cannot store the answer to a command; trying again");
        await sleep(clock, RETRY_MS, this.#stop.signal);
      }
    }
  }

  /** Returns the deletions that make room for one more command. */
  #forgotten(id: string): readonly Write[] {
    const { store, clock } = this.#parts;
    const known = store.all(TABLE);
    const excess = known.length + 1 - MAX_KNOWN;
    if (excess <= 0 || store.get(TABLE, id) !== null) return [];
    const nowMs = clock.nowMs();
    const isOver = ({ expiresAtMs }: CloudCommandRecord): number => (expiresAtMs <= nowMs ? 0 : 1);
    return known
      .filter(({ running }) => running === null)
      .sort((one, other) => isOver(one) - isOver(other) || one.takenAtMs - other.takenAtMs)
      .slice(0, excess)
      .map((record): Write => ({ table: TABLE, key: record.id, remove: true }));
  }

  #refusal({ expiresAtMs, takenAtMs }: CloudCommandRecord): Outcome | null {
    const refused = (outcome: Answer["outcome"], detail: string): Outcome => ({ ...NOT_RUN, outcome, detail });
    if (this.#parts.clock.quality() === "unset") return refused("refused", "The gateway's clock is not set.");
    if (expiresAtMs <= takenAtMs) return refused("expired", "It came after it had expired.");
    if (expiresAtMs - takenAtMs > MAX_COMMAND_LIFE_MS) return refused("refused", "It expires more than a day ahead.");
    return this.#parts.isFull() ? refused("refused", "Too many events wait for the cloud service.") : null;
  }
}

const NOT_RUN = { status: null, contentType: null, body: null } as const;

function put(record: CloudCommandRecord): Write {
  return { table: TABLE, key: record.id, put: record };
}

function outcomeOf({ status, contentType, body: text }: ApiAnswer): Outcome {
  const unsent = (detail: string): Outcome => ({ outcome: "executed", status, contentType, body: null, detail });
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) return unsent("The answer is too large to be sent.");
  const body = bodyOf(contentType, text);
  // The record around it adds two levels.
  if (!isShallow(body, MAX_DEPTH - 2)) return unsent("The answer is nested too deep to be sent.");
  return { outcome: "executed", status, contentType, body, detail: null };
}

function bodyOf(contentType: string, body: string): unknown {
  if (body === "") return null;
  if (!/^application\/(?:[a-z.-]+\+)?json\b/.test(contentType)) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
