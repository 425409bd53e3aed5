/** Runs what the cloud service asks of the gateway's API, each command once, and answers by an event. */
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { sleep } from "../../platform/sleep.ts";
import type { CloudCommandRecord, CloudRequest } from "../../store/records/cloud/cloud-command.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { ANSWER_EVENT, type Answer, type Command } from "../protocol/downlink.ts";
import { isShallow } from "../protocol/fields.ts";
import { MAX_COMMAND_LIFE_MS, MAX_DEPTH } from "../protocol/limits.ts";

/** What a request was answered. */
export interface ApiAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The gateway's API, with the rights and limits of the cloud service's own client. */
export interface ApiCaller {
  /** `key` is the same for the same command: what can be run once only, runs once under it, also over restarts. */
  ask(request: CloudRequest, key: string): Promise<ApiAnswer>;
  /** Whether asking again under the same key has no further effect. */
  isRepeatable(request: Pick<CloudRequest, "method" | "path">): boolean;
}

export interface DownlinkParts {
  readonly store: Pick<Store, "get" | "all" | "commit">;
  readonly clock: Clock;
  readonly log: Log;
  readonly api: ApiCaller;
  /** Whether so many events wait that no command is taken. */
  isFull(): boolean;
}

/** Commands that wait for their turn. The cloud service sends the others again. */
const MAX_WAITING = 100;
/** Commands that are known; with more, the oldest that ended are forgotten, first those that nobody sends any more. */
const MAX_KNOWN = 10_000;
/** A disk that refused an answer is tried again. */
const RETRY_MS = 5_000;
/** Larger answers are not sent. */
const MAX_ANSWER_BYTES = 256 * 1024;
const TABLE = "cloud-command";

type Outcome = Pick<Answer, "outcome" | "status" | "contentType" | "body" | "detail">;

export class Downlink implements AsyncDisposable {
  readonly #parts: DownlinkParts;
  readonly #stop = new AbortController();
  readonly #waiting = new Set<string>();
  #turn: Promise<void> = Promise.resolve();

  /** Goes on with what ran when the gateway ended. */
  constructor(parts: DownlinkParts) {
    this.#parts = parts;
    for (const record of parts.store.all(TABLE)) {
      if (record.running !== null) this.#queue(record.id, () => this.#resume(record));
    }
  }

  /** One that was taken before is left alone: its answer is on its way, or will be. */
  take(command: Command): void {
    const { id } = command;
    if (this.#waiting.has(id) || this.#parts.store.get(TABLE, id) !== null) return;
    if (this.#waiting.size >= MAX_WAITING) {
      this.#parts.log.warn({ command: id }, "too many commands wait; this one is taken when it comes again");
      return;
    }
    this.#queue(id, () => this.#begin(command));
  }

  /** Ends it; what did not run yet is sent again, or goes on at the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the gateway is stopping"));
    await this.#turn;
  }

  #queue(id: string, work: () => Promise<void>): void {
    this.#waiting.add(id);
    this.#turn = this.#turn.then(async () => {
      try {
        if (!this.#stop.signal.aborted) await work();
      } catch (err) {
        if (!this.#stop.signal.aborted) this.#parts.log.warn({ err, command: id }, "command not taken");
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
    // Before it has any effect. When the disk refuses, it does not run, and the cloud service sends it again.
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

  /** The answer and the end of the command are one batch. */
  async #answer(record: CloudCommandRecord, outcome: Outcome): Promise<void> {
    const { store, clock, log } = this.#parts;
    const payload: Answer = { commandId: record.id, ...outcome };
    for (;;) {
      try {
        const ended = put({ ...record, running: null });
        await store.commit([...this.#forgotten(record.id), ended], [{ event: ANSWER_EVENT, payload }]);
        return;
      } catch (err) {
        log.warn({ err, command: record.id }, "answer to a command not kept yet");
        await sleep(clock, RETRY_MS, this.#stop.signal);
      }
    }
  }

  /** What makes room for a command. */
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
  // The record that carries it has two levels of its own.
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
