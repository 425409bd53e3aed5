import { errorText } from "../../platform/error-text.ts";
import type { HttpStreams } from "../../platform/ports/http-stream-port.ts";
import type { Clock, Http, HttpPolicy, Random } from "../../platform/ports/ports.ts";
import { MAX_MESSAGE_BYTES } from "../protocol/limits.ts";
import { Handover } from "./handover.ts";
import { HttpsDownlink } from "./https-downlink.ts";
import { type Headers, HttpsExchange, isNoAnswer } from "./https-exchange.ts";
import { StatusError } from "./https-statuses.ts";
import {
  type FrameHint,
  type Uplink,
  type UplinkConnection,
  type UplinkEnd,
  UplinkError,
  type UplinkEvents,
} from "./uplink.ts";

/** One frame in flight, so that batches arrive in order, and one in the queue. */
const MAX_FRAMES = 2;
const POST_MS = 60_000;
/** Delay before a request without an answer is sent once more, under the same idempotency key. */
const POST_AGAIN_MS = 1_000;
const TOO_LARGE = 413;
/** Smallest frame size after refusals of larger frames. */
const MIN_FRAME_BYTES = 64 * 1024;

export interface HttpsUplinkOptions {
  readonly http: Http;
  readonly httpStreams: HttpStreams;
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid" | "next">;
  readonly gateway: string;
  /** Such as `https://cloud.example/hemgate/v1`, without a slash at its end. */
  readonly url: string;
  readonly policy: HttpPolicy;
  /**
   * Returns the headers that sign in; called before each connection and after a refusal. An `UplinkError` is passed on.
   */
  credentials(signal: AbortSignal): Promise<Headers>;
}

/** The uplink by HTTPS, for networks that block MQTT; docs/cloud-uplinks.md has the paths. */
export class HttpsUplink implements Uplink {
  readonly #options: HttpsUplinkOptions;
  #maxFrameBytes = MAX_MESSAGE_BYTES;

  constructor(options: HttpsUplinkOptions) {
    this.#options = options;
  }

  async connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    const { clock, gateway, random, url } = this.#options;
    const id = random.uuid();
    const credentials = await this.#credentials(signal);
    const own = {
      base: `${url}/gateways/${gateway}`,
      id,
      credentials: (inTime: AbortSignal) => this.#credentials(inTime),
    };
    const exchange = new HttpsExchange({ ...this.#options, ...own }, credentials);
    const connection = new HttpsConnection(
      { events, exchange, clock, random, id, tooLarge: (bytes) => this.#shrink(bytes) },
      this.#maxFrameBytes,
    );
    try {
      await connection.begin(signal);
    } catch (error) {
      connection[Symbol.dispose]();
      throw error;
    }
    return connection;
  }

  async #credentials(signal: AbortSignal): Promise<Headers> {
    try {
      return await this.#options.credentials(signal);
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof UplinkError) throw cause;
      throw new UplinkError(
        { kind: "lost", reason: "cannot get credentials for the cloud service", retryAfterMs: null },
        { cause },
      );
    }
  }

  #shrink(refusedBytes: number): void {
    this.#maxFrameBytes = Math.max(MIN_FRAME_BYTES, Math.floor(refusedBytes / 2));
  }
}

interface Parts {
  readonly events: UplinkEvents;
  readonly exchange: HttpsExchange;
  readonly clock: Clock;
  readonly random: Pick<Random, "next">;
  readonly id: string;
  readonly tooLarge: (bytes: number) => void;
}

class HttpsConnection implements UplinkConnection {
  readonly name = "https";
  readonly maxFrameBytes: number;
  readonly #parts: Parts;
  readonly #handover: Handover;
  readonly #over = new AbortController();
  readonly #frames: { readonly frame: Uint8Array; readonly hint: FrameHint }[] = [];
  #isSending = false;
  #hellos = 0;

  constructor(parts: Parts, maxFrameBytes: number) {
    this.#parts = parts;
    this.maxFrameBytes = maxFrameBytes;
    this.#handover = new Handover(parts.events, parts.clock);
  }

  get credits(): number {
    return this.#over.signal.aborted ? 0 : Math.max(0, MAX_FRAMES - this.#frames.length);
  }

  /** Opens the downlink, which shows whether the gateway is accepted. Rejects with an `UplinkError`. */
  async begin(signal: AbortSignal): Promise<void> {
    const downlink = new HttpsDownlink({ ...this.#parts, frame: (frame) => this.#handover.frame(frame) });
    const first = await downlink.begin(AbortSignal.any([signal, this.#over.signal]));
    this.#handover.begin();
    downlink.run(first, this.#over.signal).catch((error: unknown) => this.#fail(error));
  }

  send(frame: Uint8Array, hint: FrameHint): void {
    if (this.#over.signal.aborted) return;
    this.#frames.push({ frame, hint });
    if (hint.kind === "hello") this.#hellos += 1;
    if (this.#isSending) return;
    this.#isSending = true;
    this.#sendAll().catch((error: unknown) => this.#fail(error));
  }

  [Symbol.dispose](): void {
    this.#finish({ kind: "lost", reason: "closed by the gateway", retryAfterMs: null });
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#frames[0]; next !== undefined; next = this.#frames[0]) {
      for (const answer of await this.#post(next.frame, next.hint)) this.#handover.frame(answer);
      this.#frames.shift();
      if (this.credits === 1) this.#handover.drained();
    }
    this.#isSending = false;
  }

  async #post(frame: Uint8Array, hint: FrameHint): Promise<readonly Uint8Array[]> {
    const { clock, exchange, tooLarge } = this.#parts;
    const { signal } = this.#over;
    const headers = { "content-type": "application/octet-stream", "idempotency-key": this.#key(hint) };
    for (let tries = 1; ; tries += 1) {
      try {
        return await exchange.request("/up", { headers, body: frame }, POST_MS, signal);
      } catch (error) {
        if (error instanceof StatusError && error.status === TOO_LARGE) tooLarge(frame.length);
        if (!isNoAnswer(error) || tries > 1) throw error;
        await clock.sleep(POST_AGAIN_MS, signal);
      }
    }
  }

  /** Returns the idempotency key: equal for equal content. It is a structured string, as in the draft of the header. */
  #key(hint: FrameHint): string {
    if (hint.kind === "hello") return `"${this.#parts.id}/hello-${this.#hellos}"`;
    return `"${hint.epoch}/${hint.stream}/${hint.from}-${hint.through}"`;
  }

  #fail(error: unknown): void {
    const reason = errorText(error);
    this.#finish(error instanceof UplinkError ? error.end : { kind: "lost", reason, retryAfterMs: null });
  }

  #finish(end: UplinkEnd): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort(new UplinkError(end));
    this.#parts.exchange[Symbol.dispose]();
    this.#handover.closed(end);
  }
}
