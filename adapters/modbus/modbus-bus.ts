import { type Clock, DeviceError, type Net, type Random, type RegisterTable, type TcpAddress } from "hemgate/sdk";
import { AbortWatch } from "./abort-watch.ts";
import { Backoff } from "./backoff.ts";
import { Exchange } from "./exchange.ts";
import { type Request, requestText } from "./frame.ts";
import { type ConnectionEvents, type ModbusConnection, openConnection } from "./modbus-connection.ts";
import type { ModbusException } from "./modbus-exception.ts";
import type { ModbusUnit } from "./register-point.ts";
import { type LaneManners, UnitLane } from "./unit-lane.ts";

/** Registers in one request (Modbus application protocol V1.1b3, parts 6.3 and 6.12). */
const MAX_READ = 125;
const MAX_WRITE = 123;

/** What a bus needs of the world. */
export interface BusWorld {
  readonly clock: Clock;
  readonly net: Net;
  readonly random: Pick<Random, "next">;
}

/** A unit as its user holds it. Disposing ends the use, and the waiting requests of a unit that nobody uses. */
export interface BusUnit extends ModbusUnit, Disposable {}

/**
 * One physical connection and all units behind it. Requests of one unit at a time are open on it, so that a unit that
 * stays silent takes down only its own; then it rests for a while and the others go on over a new connection.
 * The connection is opened by the first request and again when it was lost.
 */
export class ModbusBus implements Disposable {
  readonly #world: BusWorld;
  readonly #address: TcpAddress;
  readonly #name: string;
  readonly #lanes: UnitLane[] = [];
  readonly #backoff: Backoff;
  readonly #aborts: AbortWatch;
  readonly #life = new AbortController();
  #connection: ModbusConnection | null = null;
  #isConnecting = false;
  #isClosed = false;
  #isPumpDue = false;
  /** A microtask through a settled promise costs a fraction of `queueMicrotask`, which tracks its caller. */
  readonly #soon = Promise.resolve();
  readonly #pumpDue = (): void => {
    this.#isPumpDue = false;
    this.#pump();
  };
  /** The lane whose requests are open, or were last. */
  #turn = 0;
  #gapAlarm: Disposable | null = null;
  /** Whether the connection has brought an answer yet. */
  #hasAnswered = false;

  readonly #events: ConnectionEvents = {
    answered: (nowMs, latencyMs, exception) => this.#answered(nowMs, latencyMs, exception),
    drained: () => this.#pumpSoon(),
    closed: (error, isPeer) => this.#lost(error, isPeer),
  };

  constructor(world: BusWorld, address: TcpAddress) {
    this.#world = world;
    this.#address = address;
    this.#name = `${address.host}:${address.port}`;
    this.#backoff = new Backoff(world.random);
    this.#aborts = new AbortWatch((signal) => this.#aborted(signal));
  }

  /** A unit to ask. The caller disposes it. */
  unit(id: number, manners: LaneManners): BusUnit {
    checkInteger("unit", id, 0, 255);
    const lane = this.#lanes.find((each) => each.unit === id) ?? this.#addLane(id);
    lane.join(manners);
    return {
      read: (table, address, count, signal) =>
        this.#request(lane, () => readRequest(id, table, address, count), signal),
      write: async (address, values, code, signal) => {
        await this.#request(lane, () => writeRequest(id, address, values, code), signal);
      },
      [Symbol.dispose]: () => {
        lane.leave(manners);
        if (lane.users.size > 0) return;
        lane.rejectWaiting(new DeviceError("unreachable", `${this.#name}: unit ${id} is not used any more`));
      },
    };
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const error = new DeviceError("unreachable", `${this.#name}: the bus is closed`);
    this.#life.abort(error);
    this.#gapAlarm?.[Symbol.dispose]();
    this.#aborts[Symbol.dispose]();
    for (const lane of this.#lanes) lane.rejectWaiting(error);
    this.#connection?.[Symbol.dispose]();
  }

  #addLane(unit: number): UnitLane {
    const lane = new UnitLane(unit, this.#world.random);
    this.#lanes.push(lane);
    return lane;
  }

  #request(lane: UnitLane, make: () => Request, signal: AbortSignal): Promise<Uint16Array> {
    return new Promise((resolve, reject) => {
      const request = make();
      signal.throwIfAborted();
      if (this.#isClosed) throw this.#life.signal.reason;
      if (lane.backoff.hasFailed || this.#backoff.hasFailed) this.#refuseWhileResting(lane, request);
      const exchange = new Exchange(request, signal, this.#aborts, resolve, reject);
      lane.enqueue(exchange);
      this.#pumpSoon();
    });
  }

  /** While a bus or a unit rests after a failure its requests fail at once and cost the others nothing. */
  #refuseWhileResting(lane: UnitLane, request: Request): void {
    const nowMs = this.#world.clock.monotonicMs();
    for (const backoff of [this.#backoff, lane.backoff]) {
      const restMs = Math.ceil(backoff.restMs(nowMs));
      if (restMs === 0) continue;
      const text = `${this.#name}, ${requestText(request)}: not asked for another ${restMs} ms after a failure`;
      throw new DeviceError("unreachable", text, { cause: backoff.cause });
    }
  }

  #aborted(signal: AbortSignal): void {
    for (const lane of this.#lanes) lane.abandon(signal);
    this.#connection?.abandon(signal);
  }

  /** Pumps after the callers that were just answered had their turn, so that what they ask next goes out in one write. */
  #pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    void this.#soon.then(this.#pumpDue);
  }

  #pump(): void {
    if (this.#isClosed) return;
    const connection = this.#connection;
    if (connection === null) {
      if (this.#lanes.some((lane) => lane.hasWaiting)) this.#connect();
      return;
    }
    const lane = connection.openCount > 0 ? this.#sameLane() : this.#nextLane();
    if (lane === null) return;
    const batch: Exchange[] = [];
    while (connection.openCount + batch.length < lane.window) {
      const exchange = lane.take();
      if (exchange === null) break;
      batch.push(exchange);
    }
    if (batch.length > 0) connection.send(batch, lane.timeout.timeoutMs);
  }

  /** The lane with open requests may add to them unless another one waits for its turn. */
  #sameLane(): UnitLane | null {
    const lane = this.#lanes[this.#turn];
    const isAnotherWaiting = this.#lanes.some((other) => other !== lane && other.hasWaiting);
    return lane === undefined || isAnotherWaiting ? null : lane;
  }

  /** The next lane in turn that may be asked, one with a write first. Sets the alarm when all have to pause. */
  #nextLane(): UnitLane | null {
    const nowMs = this.#lanes.some((lane) => lane.gapUntilMs > 0) ? this.#world.clock.monotonicMs() : 0;
    let found: UnitLane | null = null;
    let pauseMs = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= this.#lanes.length; step++) {
      const lane = this.#lanes[(this.#turn + step) % this.#lanes.length];
      if (lane === undefined || !lane.hasWaiting) continue;
      if (lane.gapUntilMs > nowMs) pauseMs = Math.min(pauseMs, lane.gapUntilMs - nowMs);
      else if (found === null || (lane.hasWaitingWrite && !found.hasWaitingWrite)) found = lane;
    }
    if (found !== null) this.#turn = this.#lanes.indexOf(found);
    else if (Number.isFinite(pauseMs)) this.#pumpAfter(pauseMs);
    return found;
  }

  #pumpAfter(pauseMs: number): void {
    this.#gapAlarm?.[Symbol.dispose]();
    this.#gapAlarm = this.#world.clock.timer(pauseMs, () => this.#pump());
  }

  #connect(): void {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    void openConnection(this.#world, this.#address, this.#events, this.#life.signal)
      .then(
        (connection) => this.#connected(connection),
        (error: unknown) => this.#failed(error),
      )
      .finally(() => {
        this.#isConnecting = false;
        this.#pump();
      });
  }

  #connected(connection: ModbusConnection): void {
    this.#hasAnswered = false;
    if (this.#isClosed) connection[Symbol.dispose]();
    else if (connection.isClosed) this.#failed(new DeviceError("unreachable", `${this.#name} closed at once`));
    else this.#connection = connection;
  }

  /** The address cannot be used: all that waits fails, and it rests. */
  #failed(error: unknown): void {
    if (this.#isClosed) return;
    this.#backoff.failed(this.#world.clock.monotonicMs(), error);
    for (const lane of this.#lanes) lane.rejectWaiting(error);
  }

  #answered(nowMs: number, latencyMs: number, exception: ModbusException | null): void {
    this.#hasAnswered = true;
    if (this.#backoff.hasFailed) this.#backoff.succeeded();
    const lane = this.#lanes[this.#turn];
    if (lane === undefined) return;
    lane.answered(nowMs, latencyMs);
    if (exception?.isFromGateway === true) this.#rest(lane, nowMs, exception);
    else if (lane.backoff.hasFailed) lane.backoff.succeeded();
  }

  /** The connection is gone; the open requests have been rejected with the error. */
  #lost(error: DeviceError, isPeer: boolean): void {
    // A connection that ends before it was handed over is found closed by `#connected`.
    if (this.#connection === null) return;
    this.#connection = null;
    const lane = this.#lanes[this.#turn];
    if (isPeer && !this.#hasAnswered) {
      // A device that takes one client only accepts the second and hangs up; asking again at once would never end.
      this.#failed(error);
    } else if (!isPeer && lane !== undefined) {
      if (error.kind === "unreachable") lane.timeout.stayedSilent();
      this.#rest(lane, this.#world.clock.monotonicMs(), error);
    }
    this.#pumpSoon();
  }

  /** Leaves one unit alone for a while, its waiting requests included; each would cost the others a timeout. */
  #rest(lane: UnitLane, nowMs: number, error: DeviceError): void {
    lane.backoff.failed(nowMs, error);
    lane.rejectWaiting(error);
  }
}

const READ_CODES = { coil: 1, discrete: 2, holding: 3, input: 4 } as const;

function readRequest(unit: number, table: RegisterTable, address: number, count: number): Request {
  checkInteger("count", count, 1, MAX_READ);
  checkInteger("address", address, 0, 65_536 - count);
  return { unit, code: READ_CODES[table], address, count, values: [] };
}

function writeRequest(unit: number, address: number, values: readonly number[], code: 5 | 6 | 16): Request {
  checkInteger("count", values.length, 1, MAX_WRITE);
  checkInteger("address", address, 0, 65_536 - values.length);
  for (const value of values) checkInteger("value", value, 0, 65_535);
  return { unit, code: values.length > 1 ? 16 : code, address, count: values.length, values };
}

/** A number outside of what the protocol can carry is our own mistake, and never goes on the wire. */
function checkInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} ${value} is not an integer from ${min} to ${max}`);
}
