import { type Clock, DeviceError, type StreamEvents } from "hemgate/sdk";
import type { Doubts } from "../driver/doubts.ts";
import { type BusLink, type LinkEvents, NoAnswer, type SendTiming } from "./bus-link.ts";
import type { Exchange } from "./exchange.ts";
import {
  answerAduBytes,
  answersSame,
  answersValues,
  checkAnswer,
  RegisterCopier,
  type Request,
  requestText,
} from "./frame.ts";
import type { Found, Framing } from "./line-frames.ts";
import { ModbusException } from "./modbus-exception.ts";

/** A frame damaged on the way ends with this much silence; a converter to USB holds bytes back for 16 ms. */
const SETTLE_MS = 20;
/** How long a line may chatter before a request gives up to find it silent. */
const CHATTER_MS = 2_000;
/** Received bytes that are kept: the longest answer in ASCII, and noise before it. */
const MAX_RECEIVED_BYTES = 1_024;
/**
 * Requests in a row without an answer that end a connection. The first one ends none: behind a host that passes frames
 * on one unit is silent and the others are not, and some hosts give the bytes to the connection that was given up.
 */
const MAX_SILENCES = 2;
/** Rounding of instants; a shorter pause counts as no pause. */
const NO_TIME_MS = 0.001;
const NO_REGISTERS = new Uint16Array(0);

/** What frames go out through. */
export interface Wire extends Disposable {
  write(bytes: Uint8Array): void;
}

export interface HalfDuplexLinkOptions {
  readonly clock: Clock;
  /** For messages. */
  readonly name: string;
  readonly framing: Framing;
  /** How long a byte takes on the line, ms; 0 where that is another's concern. */
  readonly byteMs: number;
  /** Silence before each request, ms. */
  readonly silenceMs: number;
  /** Each chunk received is a separate frame. */
  readonly isDatagram: boolean;
  /** Silence ends the link: a connection may be dead without a word. */
  readonly endsOnSilence: boolean;
  readonly doubts: Doubts;
}

/**
 * A line on which one speaks at a time and frames carry no transaction id: one request is open, it goes out into
 * silence, and after an unanswered one a read of another shape goes first, see `Doubts`.
 */
export class HalfDuplexLink implements BusLink {
  readonly maxOpen = 1;
  readonly #options: HalfDuplexLinkOptions;
  readonly #events: LinkEvents;
  readonly #copier = new RegisterCopier();
  #wire: Wire | null = null;
  #exchange: Exchange | null = null;
  #timing: SendTiming = { timeoutMs: 0, resendAfterMs: null };
  /** What is on the wire: the exchange's request, or a probe before it; null while waiting for silence. */
  #asked: Request | null = null;
  #sentFrame: Uint8Array = new Uint8Array(0);
  #sends = 0;
  /** Requests in a row that nobody answered. */
  #silences = 0;
  #sentAtMs = 0;
  #transferMs = 0;
  #waitingSinceMs = 0;
  #received: Uint8Array = new Uint8Array(0);
  #alarm: Disposable | null = null;
  #settleAlarm: Disposable | null = null;
  #quietFromMs = 0;
  /** Whether the line returns what is written to it, as cheap adapters to RS-485 do. */
  #hasEcho = false;
  #isClosed = false;

  readonly streamEvents: StreamEvents = {
    data: (bytes) => this.#receive(bytes),
    closed: (error) => {
      const how = error === null ? "closed the connection" : `was lost: ${error.message}`;
      const cause = error === null ? {} : { cause: error };
      this.#close(new DeviceError("unreachable", `${this.#options.name} ${how}`, cause), true);
    },
  };

  constructor(options: HalfDuplexLinkOptions, events: LinkEvents) {
    this.#options = options;
    this.#events = events;
    this.#quietFromMs = options.clock.monotonicMs();
  }

  attach(wire: Wire): void {
    if (this.#isClosed) wire[Symbol.dispose]();
    else this.#wire = wire;
  }

  get openCount(): number {
    return this.#exchange === null ? 0 : 1;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get lastTrafficMs(): number {
    return this.#quietFromMs;
  }

  send([exchange]: readonly Exchange[], timing: SendTiming): void {
    if (exchange === undefined) return;
    const nowMs = this.#options.clock.monotonicMs();
    exchange.sentAtMs = nowMs;
    this.#exchange = exchange;
    this.#timing = timing;
    this.#startExchange(nowMs);
  }

  abandon(signal: AbortSignal): void {
    if (this.#exchange?.signal !== signal) return;
    this.#exchange.reject(signal.reason);
    if (this.#asked === null) this.#endExchange();
  }

  takeOpen(): readonly Exchange[] {
    const open = this.#exchange === null || this.#exchange.isSettled ? [] : [this.#exchange];
    this.#exchange = null;
    return open;
  }

  [Symbol.dispose](): void {
    this.#close(new DeviceError("unreachable", `${this.#options.name}: the connection was given up`), true);
  }

  #startExchange(nowMs: number): void {
    this.#asked = null;
    this.#sends = 0;
    this.#waitingSinceMs = nowMs;
    this.#sendIntoSilence(null);
  }

  /** Sends the request that is due, or the one given once more, as soon as the line has been silent for long enough. */
  #sendIntoSilence(again: Request | null): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    const { clock, silenceMs, doubts, name } = this.#options;
    const nowMs = clock.monotonicMs();
    const waitMs = this.#quietFromMs + silenceMs - nowMs;
    if (waitMs <= NO_TIME_MS) {
      this.#transmit(again ?? doubts.probeFor(exchange.request, nowMs) ?? exchange.request, nowMs);
    } else if (nowMs - this.#waitingSinceMs > CHATTER_MS) {
      const why = "it is never silent: another program asks there, too, or its bit rate is another";
      this.#fail(new DeviceError("unreachable", `${name}, ${requestText(exchange.request)}: not sent, ${why}`));
    } else this.#setAlarm(waitMs, () => this.#sendIntoSilence(again));
  }

  #transmit(request: Request, nowMs: number): void {
    const { framing, byteMs } = this.#options;
    const frame = framing.encode(request);
    const sendingMs = byteMs * frame.length;
    this.#asked = request;
    this.#sends += 1;
    this.#sentFrame = frame;
    this.#sentAtMs = nowMs;
    this.#transferMs = sendingMs + byteMs * framing.frameBytes(answerAduBytes(request));
    this.#quietFromMs = nowMs + sendingMs;
    this.#received = new Uint8Array(0);
    const { timeoutMs, resendAfterMs } = this.#timing;
    const isToResend = resendAfterMs !== null && this.#sends === 1;
    this.#setAlarm(this.#transferMs + (isToResend ? resendAfterMs : timeoutMs), () =>
      isToResend ? this.#resend(request) : this.#giveUp(request),
    );
    this.#wire?.write(frame);
  }

  /** The same once more; the answer to either is good, and the other one may still come. */
  #resend(request: Request): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#options.doubts.add(request, nowMs);
    this.#waitingSinceMs = nowMs;
    this.#sendIntoSilence(request);
  }

  #giveUp(request: Request): void {
    const { clock, doubts, name, endsOnSilence } = this.#options;
    const nowMs = clock.monotonicMs();
    doubts.add(request, nowMs);
    const waitedMs = Math.round(nowMs - this.#sentAtMs);
    const error = new NoAnswer(`${name}, ${requestText(request)}: no answer in ${waitedMs} ms`);
    this.#silences += 1;
    if (endsOnSilence && this.#silences >= MAX_SILENCES) this.#close(error, false);
    else this.#fail(error);
  }

  #receive(bytes: Uint8Array): void {
    const { clock, isDatagram, framing } = this.#options;
    const nowMs = clock.monotonicMs();
    this.#quietFromMs = Math.max(this.#quietFromMs, nowMs);
    if (this.#isClosed || this.#asked === null) return;
    this.#received = isDatagram ? bytes : joined(this.#received, bytes);
    const echoBytes = this.#echoBytes();
    const isEchoOnly = this.#hasEcho && answersSame(this.#asked) && this.#received.length < 2 * this.#sentFrame.length;
    const found = isEchoOnly ? null : framing.find(this.#received.subarray(this.#hasEcho ? echoBytes : 0), this.#asked);
    this.#settleAlarm?.[Symbol.dispose]();
    if (found?.kind === "answer") {
      if (!this.#hasEcho && answersValues(this.#asked)) this.#hasEcho = echoBytes > 0 && found.offset >= echoBytes;
      this.#take(found, this.#asked, nowMs);
    } else if (found?.kind === "damaged") this.#settleAlarm = clock.timer(SETTLE_MS, () => this.#damaged());
  }

  /** Bytes of the request itself that came back before anything else. */
  #echoBytes(): number {
    const { length } = this.#sentFrame;
    const isEcho = this.#received.length >= length && this.#sentFrame.every((byte, at) => byte === this.#received[at]);
    return isEcho ? length : 0;
  }

  #take({ adu, start, end }: Extract<Found, { kind: "answer" }>, asked: Request, nowMs: number): void {
    const { doubts, name } = this.#options;
    const exchange = this.#exchange;
    this.#silences = 0;
    doubts.clear(asked.unit);
    if (this.#sends > 1) doubts.add(asked, nowMs);
    const isProbe = asked !== exchange?.request;
    if (isProbe && exchange?.isSettled === false) {
      this.#startExchange(nowMs);
      return;
    }
    const answer = checkAnswer(adu, start, end, asked);
    const exception =
      answer.kind === "exception" ? new ModbusException(answer.code, `${name}, ${requestText(asked)}`) : null;
    if (exception !== null) exchange?.reject(exception);
    else exchange?.resolve(answersValues(asked) ? this.#copier.copy(adu, start, asked) : NO_REGISTERS);
    this.#endExchange();
    this.#events.answered(nowMs, Math.max(0, nowMs - this.#sentAtMs - this.#transferMs), exception);
    if (!this.#isClosed) this.#events.drained();
  }

  /** An answer came whose checksum is wrong: it is asked for once more. */
  #damaged(): void {
    const asked = this.#asked;
    if (asked === null) return;
    if (this.#sends === 1) this.#sendIntoSilence(asked);
    else
      this.#fail(
        new DeviceError("malformed", `${this.#options.name}, ${requestText(asked)}: answered with a wrong checksum`),
      );
  }

  #fail(error: DeviceError): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#quietFromMs = Math.max(this.#quietFromMs, nowMs + SETTLE_MS);
    const exchange = this.#exchange;
    this.#endExchange();
    exchange?.reject(error);
    this.#events.failed(nowMs, error);
    if (!this.#isClosed) this.#events.drained();
  }

  #endExchange(): void {
    this.#exchange = null;
    this.#asked = null;
    this.#alarm?.[Symbol.dispose]();
    this.#settleAlarm?.[Symbol.dispose]();
  }

  #setAlarm(delayMs: number, ring: () => void): void {
    this.#alarm?.[Symbol.dispose]();
    this.#alarm = this.#options.clock.timer(delayMs, ring);
  }

  #close(error: DeviceError, isPeer: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wire?.[Symbol.dispose]();
    const exchange = this.#exchange;
    this.#alarm?.[Symbol.dispose]();
    this.#settleAlarm?.[Symbol.dispose]();
    this.#events.closed(error, isPeer);
    this.#exchange = null;
    exchange?.reject(error);
  }
}

/** The newest bytes of both. */
function joined(buffered: Uint8Array, more: Uint8Array): Uint8Array {
  const all = new Uint8Array(buffered.length + more.length);
  all.set(buffered);
  all.set(more, buffered.length);
  return all.slice(-MAX_RECEIVED_BYTES);
}
