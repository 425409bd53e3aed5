import type { Clock, WebSocketConnection, WebSocketEvents } from "hemgate/sdk";
import { errorText } from "hemgate/sdk";
import { CloudError } from "../session/cloud-error.ts";
import type { CloudStream, StreamVoice } from "./cloud-stream.ts";

/** Sums of times are not exact. */
const LEAST_MS = 1;
/** What a stream may say in so many ms; one that says more floods. */
const FLOOD = { windowMs: 10_000, messages: 2_000, letters: 4_000_000 } as const;

export interface StreamTalkParts {
  readonly stream: Pick<CloudStream, "silentMs" | "ping" | "speak">;
  readonly clock: Pick<Clock, "monotonicMs" | "timer">;
  /** The vendor let us in. */
  readonly ready: () => void;
  /** The vendor sent something. */
  readonly received: () => void;
  readonly tell: (key: string, news: unknown) => void;
}

/** What is said on one connection of a stream, and whether it is worth listening on. */
export class StreamTalk implements Disposable {
  /** What its socket is to tell. */
  readonly events: WebSocketEvents = {
    text: (message) => this.#take(message),
    closed: (error) =>
      this.end(new CloudError("unavailable", error === null ? "the vendor closed the stream" : errorText(error))),
  };
  readonly #parts: StreamTalkParts;
  readonly #over = Promise.withResolvers<Error>();
  #socket: WebSocketConnection | null = null;
  #voice: StreamVoice | null = null;
  #isReady = false;
  #isOver = false;
  #timer: Disposable | null = null;
  /** Monotonic ms. */
  #begunAtMs = 0;
  #receivedAtMs = 0;
  #saidAtMs = 0;
  #window = { fromMs: 0, messages: 0, letters: 0 };

  constructor(parts: StreamTalkParts) {
    this.#parts = parts;
  }

  /** Why it ended. */
  get over(): Promise<Error> {
    return this.#over.promise;
  }

  /** Takes the connection that was opened with its events, and disposes it in the end. */
  begin(socket: WebSocketConnection): void {
    const { stream, clock } = this.#parts;
    this.#socket = socket;
    if (this.#isOver) {
      socket[Symbol.dispose]();
      return;
    }
    this.#begunAtMs = clock.monotonicMs();
    this.#receivedAtMs = this.#begunAtMs;
    this.#voice = stream.speak({
      send: (text) => this.#send(text),
      ready: () => this.#becomeReady(),
      tell: (key, news) => this.#parts.tell(key, news),
    });
    this.#watch();
  }

  /** Asks for a device, now or as soon as the vendor lets us in: `ready` is called then. */
  subscribe(key: string): void {
    if (this.#isReady) this.#voice?.subscribe(key);
  }

  end(why: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
    this.#socket?.[Symbol.dispose]();
    this.#over.resolve(why);
  }

  [Symbol.dispose](): void {
    this.end(new CloudError("unavailable", "the stream is closed"));
  }

  #becomeReady(): void {
    if (this.#isReady || this.#isOver) return;
    this.#isReady = true;
    this.#parts.ready();
  }

  #send(text: string): void {
    this.#saidAtMs = this.#parts.clock.monotonicMs();
    this.#socket?.send(text);
  }

  #take(message: string): void {
    if (this.#isOver) return;
    this.#receivedAtMs = this.#parts.clock.monotonicMs();
    this.#parts.received();
    try {
      this.#count(message.length);
      this.#voice?.hear(message);
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #count(letters: number): void {
    const nowMs = this.#receivedAtMs;
    if (nowMs - this.#window.fromMs >= FLOOD.windowMs) this.#window = { fromMs: nowMs, messages: 0, letters: 0 };
    this.#window.messages += 1;
    this.#window.letters += letters;
    if (this.#window.messages <= FLOOD.messages && this.#window.letters <= FLOOD.letters) return;
    throw new CloudError("malformed", "the stream floods");
  }

  #watch(): void {
    const { clock, stream } = this.#parts;
    const nowMs = clock.monotonicMs();
    const silentAtMs = (this.#isReady ? this.#receivedAtMs : this.#begunAtMs) + stream.silentMs;
    if (nowMs >= silentAtMs) {
      this.end(new CloudError("timeout", `the stream said nothing for ${stream.silentMs / 1_000} s`));
      return;
    }
    if (nowMs - this.#saidAtMs >= stream.ping.everyMs) this.#send(stream.ping.text);
    if (this.#isOver) return;
    const nextMs = Math.min(silentAtMs, this.#saidAtMs + stream.ping.everyMs);
    this.#timer = clock.timer(Math.max(LEAST_MS, nextMs - nowMs), () => this.#watch());
  }
}
