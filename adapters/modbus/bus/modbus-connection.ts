import {
  type Clock,
  DeviceError,
  FrameReader,
  get16,
  MBAP_BYTES,
  type StreamEvents,
  type TcpAddress,
  type TcpStream,
} from "hemgate/sdk";
import { type BusLink, type LinkEvents, NoAnswer, type SendTiming } from "./bus-link.ts";
import type { Exchange } from "./exchange.ts";
import { answersValues, checkAnswer, putRequest, RegisterCopier, requestBytes, requestText } from "./frame.ts";
import { ModbusException } from "./modbus-exception.ts";

const NO_REGISTERS = new Uint16Array(0);
/** Room for several answers, of 260 bytes at most, that come at once. */
const RECEIVED_BYTES = 2_048;

/**
 * Modbus over one TCP stream. An answer is taken only for an open transaction id, and only when unit, function and
 * length fit; anything else, and any answer that does not come in time, ends the connection, so that a late answer has
 * no connection left to arrive on.
 */
export class ModbusConnection implements BusLink {
  readonly maxOpen = Number.POSITIVE_INFINITY;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #events: LinkEvents;
  readonly #isMute: () => boolean;
  readonly #reader = new FrameReader();
  readonly #copier = new RegisterCopier();
  readonly #open: Exchange[] = [];
  #stream: TcpStream | null = null;
  #lastId = 0;
  #lastAnswerMs = 0;
  #lastTrafficMs: number;
  #alarm: Disposable | null = null;
  #alarmMs = Number.POSITIVE_INFINITY;
  #isClosed = false;

  readonly streamEvents: StreamEvents = {
    buffer: new Uint8Array(RECEIVED_BYTES),
    data: (bytes) => this.#receive(bytes),
    closed: (error) => {
      const how = error === null ? "closed the connection" : `was lost: ${error.message}`;
      this.#close(new DeviceError("unreachable", `${this.#name} ${how}`, error === null ? {} : { cause: error }), true);
    },
  };

  /** `isMute`: whether nothing at the address answers any more, as far as earlier connections show. */
  constructor(clock: Clock, address: TcpAddress, events: LinkEvents, isMute: () => boolean) {
    this.#clock = clock;
    this.#name = `${address.host}:${address.port}`;
    this.#events = events;
    this.#isMute = isMute;
    this.#lastTrafficMs = clock.monotonicMs();
  }

  attach(stream: TcpStream): void {
    if (this.#isClosed) stream[Symbol.dispose]();
    else this.#stream = stream;
  }

  /** Exchanges sent and not answered. */
  get openCount(): number {
    return this.#open.length;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get lastTrafficMs(): number {
    return this.#lastTrafficMs;
  }

  /** In one write. */
  send(exchanges: readonly Exchange[], { timeoutMs }: SendTiming): void {
    const nowMs = this.#clock.monotonicMs();
    this.#lastTrafficMs = nowMs;
    let size = 0;
    for (const exchange of exchanges) size += requestBytes(exchange.request);
    const bytes = Buffer.allocUnsafe(size);
    let at = 0;
    for (const exchange of exchanges) {
      exchange.id = this.#freeId();
      exchange.sentAtMs = nowMs;
      this.#open.push(exchange);
      exchange.deadlineMs = nowMs + timeoutMs * this.#open.length;
      at = putRequest(bytes, at, exchange.id, exchange.request);
    }
    this.#stream?.write(bytes);
    this.#watch(nowMs);
  }

  abandon(signal: AbortSignal): void {
    for (const exchange of this.#open) if (exchange.signal === signal) exchange.reject(signal.reason);
  }

  takeOpen(): readonly Exchange[] {
    return this.#open.splice(0).filter((exchange) => !exchange.isSettled);
  }

  [Symbol.dispose](): void {
    this.#close(new DeviceError("unreachable", `${this.#name}: the connection was given up`), true);
  }

  /** Ids count up over all 65,536, so that one comes again only long after its answer. */
  #freeId(): number {
    do this.#lastId = (this.#lastId + 1) & 0xffff;
    while (this.#open.some((exchange) => exchange.id === this.#lastId));
    return this.#lastId;
  }

  #receive(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    const nowMs = this.#clock.monotonicMs();
    this.#lastTrafficMs = nowMs;
    const fault = this.#reader.push(bytes, (frame, start, end) => this.#take(frame, start, end, nowMs));
    if (this.#isClosed) return;
    if (fault === null) this.#events.drained();
    else this.#desync(`not a Modbus TCP answer (${fault})`);
  }

  #take(bytes: Uint8Array, start: number, end: number, nowMs: number): boolean {
    const id = get16(bytes, start);
    const index = this.#open.findIndex((exchange) => exchange.id === id);
    const exchange = this.#open[index];
    if (exchange === undefined) return this.#desync(`an answer to nothing that was asked (transaction ${id})`);
    const answer = checkAnswer(bytes, start + MBAP_BYTES, end, exchange.request);
    if (answer.kind === "lie") return this.#desync(`${requestText(exchange.request)}: answered with ${answer.what}`);
    this.#open.splice(index, 1);
    const latencyMs = nowMs - Math.max(exchange.sentAtMs, this.#lastAnswerMs);
    this.#lastAnswerMs = nowMs;
    const exception =
      answer.kind === "exception"
        ? new ModbusException(answer.code, `${this.#name}, ${requestText(exchange.request)}`)
        : null;
    if (exception !== null) exchange.reject(exception);
    else if (!answersValues(exchange.request)) exchange.resolve(NO_REGISTERS);
    else exchange.resolve(this.#copier.copy(bytes, start + MBAP_BYTES, exchange.request));
    this.#events.answered(nowMs, latencyMs, exception);
    return !this.#isClosed;
  }

  #desync(what: string): false {
    this.#close(new DeviceError("malformed", `${this.#name}, ${what}`), false);
    return false;
  }

  /** One alarm serves all open exchanges: it is set for the earliest deadline and moves on when it finds none missed. */
  #watch(nowMs: number): void {
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const exchange of this.#open) earliestMs = Math.min(earliestMs, exchange.deadlineMs);
    if (earliestMs >= this.#alarmMs) return;
    this.#alarm?.[Symbol.dispose]();
    this.#alarmMs = earliestMs;
    this.#alarm = this.#clock.timer(earliestMs - nowMs, () => this.#ring());
  }

  #ring(): void {
    this.#alarm = null;
    this.#alarmMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.monotonicMs();
    const late = this.#open.find((exchange) => exchange.deadlineMs <= nowMs);
    if (late === undefined) {
      this.#watch(nowMs);
      return;
    }
    const waitedMs = Math.round(nowMs - late.sentAtMs);
    const asked = `${this.#name}, ${requestText(late.request)}`;
    const error = new NoAnswer(`${asked}: no answer in ${waitedMs} ms`, this.#isMute());
    late.reject(error);
    // The others were not left unanswered: they fall with the connection.
    this.#close(new DeviceError("unreachable", error.message, { cause: error }), false);
  }

  #close(error: DeviceError, isPeer: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#alarm?.[Symbol.dispose]();
    this.#stream?.[Symbol.dispose]();
    this.#events.closed(error, isPeer);
    for (const exchange of this.#open.splice(0)) exchange.reject(error);
  }
}
