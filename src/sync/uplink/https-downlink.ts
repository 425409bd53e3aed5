import type { HttpStream } from "../../platform/ports/http-stream-port.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import { EventStreamReader, EventTooLong } from "./event-stream.ts";
import { type HttpsExchange, isNoAnswer } from "./https-exchange.ts";
import { UplinkError } from "./uplink.ts";

const PATH = "/down";
/** To the head of the answer. */
const HEAD_MS = 15_000;
/** A stream on which nothing comes so soon is held back by something between; the other side says a word at once. */
const FIRST_MS = 15_000;
/** The other side says something every 25 s. */
const SILENT_MS = 60_000;
const REOPEN_MS = 1_000;
/** Streams in a row that did not live; then it is asked for what there is. */
const MAX_STILLBORN = 2;
const STREAM_AGAIN_MS = 10 * 60_000;
/** How long the other side may keep a poll until there is something. */
const POLL_S = 25;
const POLL_LIMIT_MS = 40_000;
/** Between polls that bring nothing, where the other side does not keep them; between others. */
const POLL_EMPTY_MS = 5_000;
const POLL_MS = 500;
const MAX_FAILED_POLLS = 3;

interface Parts {
  readonly exchange: HttpsExchange;
  readonly clock: Clock;
  readonly random: Pick<Random, "next">;
  frame(frame: Uint8Array): void;
}

/** A stream while it lasts: what it brings, and whether it lived. */
interface Listening {
  readonly stream: HttpStream;
  readonly over: Promise<boolean>;
}

/** What comes down by HTTPS: a stream of events, or answers to polls where nothing lets a stream through. */
export class HttpsDownlink {
  readonly #parts: Parts;
  /** Of the last event that had one, so that the other side goes on there. */
  #lastId = "";

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The first stream, or null where a poll has to do. Rejects with an `UplinkError` when neither is answered. */
  async begin(signal: AbortSignal): Promise<Listening | null> {
    const stream = await this.#open(signal);
    if (stream === null) await this.#poll(0, signal);
    return stream;
  }

  /** Listens until the end. Rejects with an `UplinkError`, or with the signal's reason. */
  async run(first: Listening | null, signal: AbortSignal): Promise<never> {
    const { clock, random } = this.#parts;
    let stillborn = first === null ? MAX_STILLBORN : 0;
    let next = first;
    for (;;) {
      if (stillborn >= MAX_STILLBORN) {
        await this.#pollFor(STREAM_AGAIN_MS, signal);
        // One stream is tried; when that one does not live either, it is polling again.
        stillborn = MAX_STILLBORN - 1;
      }
      next ??= await this.#open(signal);
      const hasLived = next !== null && (await this.#listen(next, signal));
      next = null;
      stillborn = hasLived ? 0 : stillborn + 1;
      await clock.sleep(REOPEN_MS * (1 + random.next()), signal);
    }
  }

  async #listen({ stream, over }: Listening, signal: AbortSignal): Promise<boolean> {
    const abort = (): void => stream[Symbol.dispose]();
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (signal.aborted) abort();
      const hasLived = await over;
      signal.throwIfAborted();
      return hasLived;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  async #open(signal: AbortSignal): Promise<Listening | null> {
    const { clock, exchange } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const reader = new EventStreamReader();
    const opened: { stream: HttpStream | null } = { stream: null };
    const giveUp = (): void => opened.stream?.[Symbol.dispose]();
    let hasLived = false;
    let guard = clock.timer(HEAD_MS + FIRST_MS, giveUp);
    const events = {
      data: (bytes: Uint8Array): void => {
        hasLived = true;
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
        resolve(hasLived);
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
        // Who wants to be left alone for a while is.
        if (failed >= MAX_FAILED_POLLS || end?.kind !== "lost" || end.retryAfterMs !== null) throw error;
        await clock.sleep(POLL_EMPTY_MS, signal);
      }
    }
  }

  /** Asks for what there is; answers how many frames came. Rejects with an `UplinkError`, or the signal's reason. */
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
