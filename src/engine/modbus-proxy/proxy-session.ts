import { FrameReader } from "../../platform/modbus/frame-reader.ts";
import type { StreamEvents, TcpStream } from "../../platform/ports/ports.ts";
import type { ProxyAnswers } from "./proxy-answers.ts";
import type { ProxyClient } from "./proxy-clients.ts";
import { EXCEPTION, exceptionAnswer } from "./proxy-frames.ts";

/** Requests that a program may send ahead of their answers; further ones are answered as busy. */
const MAX_WAITING = 16;
/** Requests in a row that are answered as busy before the connection ends. */
const MAX_BUSY = 200;
/** Bytes of answers that a program may leave unread before its connection ends. */
const MAX_UNREAD_BYTES = 64 * 1_024;

interface ProxySessionParts {
  readonly stream: TcpStream;
  readonly client: ProxyClient;
  readonly answers: Pick<ProxyAnswers, "answer">;
  /** A request came. */
  used(): void;
  closed(): void;
}

/** One connection of a program: its requests are answered one after the other. */
export class ProxySession implements StreamEvents, Disposable {
  readonly #parts: ProxySessionParts;
  readonly #reader = new FrameReader();
  readonly #waiting: Uint8Array[] = [];
  readonly #life = new AbortController();
  #isAsking = false;
  #busy = 0;

  constructor(parts: ProxySessionParts) {
    this.#parts = parts;
    parts.client.connections += 1;
  }

  data(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    const fault = this.#reader.push(bytes, (frame, start, end) => {
      this.#take(frame.slice(start, end));
      return !this.#isClosed;
    });
    // What is no Modbus TCP has no place at which the next frame would begin.
    if (fault !== null) this[Symbol.dispose]();
  }

  closed(): void {
    this[Symbol.dispose]();
  }

  /** Ends the connection; requests that wait for a device are not sent any more. */
  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#life.abort(new Error("the program's connection ended"));
    this.#waiting.length = 0;
    this.#parts.client.connections -= 1;
    this.#parts.stream[Symbol.dispose]();
    this.#parts.closed();
  }

  get #isClosed(): boolean {
    return this.#life.signal.aborted;
  }

  #take(frame: Uint8Array): void {
    if (this.#isClosed) return;
    this.#parts.used();
    if (this.#waiting.length < MAX_WAITING) {
      this.#busy = 0;
      this.#waiting.push(frame);
      this.#advance();
      return;
    }
    this.#parts.client.counts.refused += 1;
    this.#busy += 1;
    if (this.#busy > MAX_BUSY) this[Symbol.dispose]();
    else this.#send(exceptionAnswer(frame, EXCEPTION.deviceBusy));
  }

  #advance(): void {
    const { answers, client } = this.#parts;
    while (!this.#isAsking && !this.#isClosed) {
      const frame = this.#waiting.shift();
      if (frame === undefined) return;
      const answer = answers.answer(frame, client, this.#life.signal);
      if (answer instanceof Uint8Array) this.#send(answer);
      else void this.#sendLater(answer);
    }
  }

  async #sendLater(answer: Promise<Uint8Array>): Promise<void> {
    this.#isAsking = true;
    const bytes = await answer;
    this.#isAsking = false;
    if (this.#isClosed) return;
    this.#send(bytes);
    this.#advance();
  }

  #send(bytes: Uint8Array): void {
    const { stream } = this.#parts;
    stream.write(bytes);
    if (stream.bufferedBytes > MAX_UNREAD_BYTES) this[Symbol.dispose]();
  }
}
