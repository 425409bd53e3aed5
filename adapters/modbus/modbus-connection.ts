import {
  type Clock,
  DeviceError,
  type Net,
  type StreamEvents,
  type TcpAddress,
  type TcpStream,
  within,
} from "hemgate/sdk";
import type { Exchange } from "./exchange.ts";
import { checkAnswer, FrameReader, get16, putRequest, RegisterCopier, requestBytes, requestText } from "./frame.ts";
import { ModbusException } from "./modbus-exception.ts";

/** How long a device may take to accept a connection. */
const CONNECT_TIMEOUT_MS = 5_000;
const NO_REGISTERS = new Uint16Array(0);

/** What the owner of a connection is told. */
export interface ConnectionEvents {
  /** An answer came, `latencyMs` after its request was sent or after the answer before it. */
  answered(nowMs: number, latencyMs: number, exception: ModbusException | null): void;
  /** Once per segment that held answers. */
  drained(): void;
  /** Once; every open exchange has been rejected. `isPeer`: the peer or the network ended it, with nothing wrong said. */
  closed(error: DeviceError, isPeer: boolean): void;
}

/** Opens a connection. The caller disposes it. */
export async function openConnection(
  world: { readonly clock: Clock; readonly net: Net },
  address: TcpAddress,
  events: ConnectionEvents,
  signal: AbortSignal,
): Promise<ModbusConnection> {
  const connection = new ModbusConnection(world.clock, address, events);
  try {
    const stream = await within(world.clock, CONNECT_TIMEOUT_MS, signal, (inner) =>
      world.net.connect(address, connection.streamEvents, inner),
    );
    connection.attach(stream);
    return connection;
  } catch (cause) {
    if (cause instanceof DeviceError || signal.aborted) throw cause;
    throw new DeviceError("unreachable", `${address.host}:${address.port}: connecting failed`, { cause });
  }
}

/**
 * Modbus over one TCP stream. An answer is taken only for an open transaction id, and only when unit, function and
 * length fit; anything else, and any answer that does not come in time, ends the connection, so that a late answer has
 * no connection left to arrive on.
 */
export class ModbusConnection implements Disposable {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #events: ConnectionEvents;
  readonly #reader = new FrameReader();
  readonly #copier = new RegisterCopier();
  readonly #open: Exchange[] = [];
  #stream: TcpStream | null = null;
  #lastId = 0;
  #lastAnswerMs = 0;
  #alarm: Disposable | null = null;
  #alarmMs = Number.POSITIVE_INFINITY;
  #isClosed = false;

  readonly streamEvents: StreamEvents = {
    data: (bytes) => this.#receive(bytes),
    closed: (error) => {
      const how = error === null ? "closed the connection" : `was lost: ${error.message}`;
      this.#close(new DeviceError("unreachable", `${this.#name} ${how}`, error === null ? {} : { cause: error }), true);
    },
  };

  constructor(clock: Clock, address: TcpAddress, events: ConnectionEvents) {
    this.#clock = clock;
    this.#name = `${address.host}:${address.port}`;
    this.#events = events;
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

  /** Sends exchanges in one write. Each must be answered within `timeoutMs` for itself and each one before it. */
  send(exchanges: readonly Exchange[], timeoutMs: number): void {
    const nowMs = this.#clock.monotonicMs();
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

  /** Ends the waiting of requests whose caller gave up; their answers are still awaited and then dropped. */
  abandon(signal: AbortSignal): void {
    for (const exchange of this.#open) if (exchange.signal === signal) exchange.reject(signal.reason);
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
    const answer = checkAnswer(bytes, start, end, exchange.request);
    if (answer.kind === "lie") return this.#desync(`${requestText(exchange.request)}: answered with ${answer.what}`);
    this.#open.splice(index, 1);
    const latencyMs = nowMs - Math.max(exchange.sentAtMs, this.#lastAnswerMs);
    this.#lastAnswerMs = nowMs;
    const exception =
      answer.kind === "exception"
        ? new ModbusException(answer.code, `${this.#name}, ${requestText(exchange.request)}`)
        : null;
    if (exception !== null) exchange.reject(exception);
    else if (exchange.isWrite) exchange.resolve(NO_REGISTERS);
    else exchange.resolve(this.#copier.copy(bytes, start, exchange.request));
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
    this.#close(
      new DeviceError("unreachable", `${this.#name}, ${requestText(late.request)}: no answer in ${waitedMs} ms`),
      false,
    );
  }

  #close(error: DeviceError, isPeer: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#alarm?.[Symbol.dispose]();
    this.#stream?.[Symbol.dispose]();
    for (const exchange of this.#open.splice(0)) exchange.reject(error);
    this.#events.closed(error, isPeer);
  }
}
