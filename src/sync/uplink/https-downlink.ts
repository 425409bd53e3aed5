import { MINUTE_MS } from "../../domain/duration.ts";
import type { HttpStream } from "../../platform/ports/http-stream-port.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import { EventStreamReader, EventTooLong } from "./event-stream.ts";
import { type HttpsExchange, isNoAnswer } from "./https-exchange.ts";
import { UplinkError } from "./uplink.ts";

const PATH = "/down";
/** Time limit for the head of the response. */
const HEAD_MS = 15_000;
/**
 * Time limit for the first byte of a stream, which the server sends at once. Without it a proxy between is buffering.
 */
const FIRST_MS = 15_000;
/** Time limit without a byte; the server sends something every 25 s. */
const SILENT_MS = 60_000;
const REOPEN_MS = 1_000;
/** Consecutive streams without a byte, after which the gateway polls. */
const MAX_FAILED_STREAMS = 2;
const STREAM_AGAIN_MS = 10 * MINUTE_MS;
/** How long the server may delay the answer to a poll, until there is something to send. */
const POLL_S = 25;
const POLL_LIMIT_MS = 40_000;
/** Delay after an empty poll if the server did not delay it; and after others. */
const POLL_EMPTY_MS = 5_000;
const POLL_MS = 500;
const MAX_FAILED_POLLS = 3;

interface Parts {
  readonly exchange: HttpsExchange;
  readonly clock: Clock;
  readonly random: Pick<Random, "next">;
  frame(frame: Uint8Array): void;
}

/** An open stream; `over` resolves at its end with true if it received something. */
interface OpenStream {
  readonly stream: HttpStream;
  readonly over: Promise<boolean>;
}

/** Receives frames by HTTPS: from a stream of events or, where proxies prevent streams, by polling. */
export class HttpsDownlink {
  readonly #parts: Parts;
  /** The id of the last event that had one, so that the server continues there. */
  #lastId = "";

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Opens the first stream; `null` if only polling works. Rejects with an `UplinkError` if neither does. */
  async begin(signal: AbortSignal): Promise<OpenStream | null> {
    const stream = await this.#open(signal);
    if (stream === null) await this.#poll(0, signal);
    return stream;
  }

  /** Receives until the end. Rejects with an `UplinkError`, or with the signal's reason. */
  async run(first: OpenStream | null, signal: AbortSignal): Promise<never> {
    const { clock, random } = this.#parts;
    let failedStreams = first === null ? MAX_FAILED_STREAMS : 0;
    let next = first;
    for (;;) {
      if (failedStreams >= MAX_FAILED_STREAMS) {
        await this.#pollFor(STREAM_AGAIN_MS, signal);
        // One more failed stream leads back to polling.
        failedStreams = MAX_FAILED_STREAMS - 1;
      }
      next ??= await this.#open(signal);
      const hasReceived = next !== null && (await this.#listen(next, signal));
      next = null;
      failedStreams = hasReceived ? 0 : failedStreams + 1;
      await clock.sleep(REOPEN_MS * (1 + random.next()), signal);
    }
  }

  async #listen({ stream, over }: OpenStream, signal: AbortSignal): Promise<boolean> {
    const abort = (): void => stream[Symbol.dispose]();
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (signal.aborted) abort();
      const hasReceived = await over;
      signal.throwIfAborted();
      return hasReceived;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  async #open(signal: AbortSignal): Promise<OpenStream | null> {
    const { clock, exchange } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const reader = new EventStreamReader();
    const opened: { stream: HttpStream | null } = { stream: null };
    const giveUp = (): void => opened.stream?.[Symbol.dispose]();
    let hasReceived = false;
    let guard = clock.timer(HEAD_MS + FIRST_MS, giveUp);
    const events = {
      data: (bytes: Uint8Array): void => {
        hasReceived = true;
        guard[Symbol.dispose]();
        guard = clock.timer(SILENT_MS, giveUp);
        try {
          for (const frame of reader.take(bytes)) this.#parts.frame(frame);
        } catch (error) {
          if (!(error instanceof EventTooLong)) throw error;
          giveUp();
        }
        if (reader.lastId !== "") this.#lastId = reader.lastId;
      },
      closed: (): void => {
        guard[Symbol.dispose]();
        resolve(hasReceived);
      },
    };
    try {
      const headers = this.#lastId === "" ? {} : { "last-event-id": this.#lastId };
      opened.stream = await exchange.stream(PATH, headers, events, HEAD_MS, signal);
    } catch (error) {
      guard[Symbol.dispose]();
      if (!isNoAnswer(error)) throw error;
    }
    return opened.stream === null ? null : { stream: opened.stream, over: promise };
  }

  async #pollFor(durationMs: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const untilMs = clock.monotonicMs() + durationMs;
    let failed = 0;
    while (clock.monotonicMs() < untilMs) {
      const atMs = clock.monotonicMs();
      try {
        const count = await this.#poll(POLL_S, signal);
        failed = 0;
        const tookMs = clock.monotonicMs() - atMs;
        await clock.sleep(count > 0 ? POLL_MS : Math.max(POLL_MS, POLL_EMPTY_MS - tookMs), signal);
      } catch (error) {
        failed += 1;
        signal.throwIfAborted();
        const end = error instanceof UplinkError ? error.end : null;
        // A requested delay (`Retry-After`) is respected.
        if (failed >= MAX_FAILED_POLLS || end?.kind !== "lost" || end.retryAfterMs !== null) throw error;
        await clock.sleep(POLL_EMPTY_MS, signal);
      }
    }
  }

  /** Polls once. Returns how many frames were received. Rejects with an `UplinkError`, or the signal's reason. */
  async #poll(waitSeconds: number, signal: AbortSignal): Promise<number> {
    try {
      const frames = await this.#parts.exchange.request(`${PATH}?wait=${waitSeconds}`, {}, POLL_LIMIT_MS, signal);
      for (const frame of frames) this.#parts.frame(frame);
      return frames.length;
    } catch (error) {
      if (!isNoAnswer(error)) throw error;
      throw new UplinkError(
        { kind: "lost", reason: `GET ${PATH}: ${error.message}`, retryAfterMs: null },
        { cause: error },
      );
    }
  }
}
