import { DeviceError, type RegisterRange } from "hemgate/sdk";
import { Doubts } from "../driver/doubts.ts";
import type { LinkState, ModbusUnit, ReadOutcome } from "../driver/register-point.ts";
import { AbortWatch } from "./abort-watch.ts";
import { Backoff } from "./backoff.ts";
import type { BusLink, LinkEvents } from "./bus-link.ts";
import { checkInteger, guestWriteRequest, readRequest, writeRequest } from "./bus-requests.ts";
import type { BusWorld } from "./bus-world.ts";
import { crowdedError } from "./crowded-error.ts";
import { Exchange, type ExchangeOwner, type GuestTerms } from "./exchange.ts";
import { ExchangeBatch } from "./exchange-batch.ts";
import { type Request, requestText } from "./frame.ts";
import { NETWORK_PATIENCE, SERIAL_PATIENCE } from "./learned-timeout.ts";
import { isSerialLine, type LineAddress, lineName } from "./line-address.ts";
import type { ModbusException } from "./modbus-exception.ts";
import { openLink } from "./open-link.ts";
import { type UnitPacing, UnitQueue } from "./unit-queue.ts";
import { UnitScheduler } from "./unit-scheduler.ts";

/** After so long without traffic a device may have closed the connection while the next request is on its way. */
const IDLE_MS = 5_000;
/** A link that was silent for this share of the time after which the device closes it is not used any more. */
const IDLE_SHARE = 0.9;
/** Where some unit answered so lately, the silence of another one is its own. */
const MUTE_AFTER_MS = 60_000;
/** A datagram may be lost: it is sent again after this share of the time that its answer has. */
const DATAGRAM_RESEND_SHARE = 0.5;

/** A unit as its user holds it. Disposing ends the use, and the waiting requests of a unit that nobody uses. */
export interface BusUnit extends ModbusUnit, Disposable {}

/**
 * One physical line and all units behind it. Requests of one unit at a time are open on it, so that a unit that stays
 * silent takes down only its own; then it rests for a while and the others go on, over a new connection where there is
 * one. The line is opened by the first request and again when it was lost.
 */
export class ModbusBus implements Disposable {
  readonly #world: BusWorld;
  readonly #address: LineAddress;
  readonly #name: string;
  readonly #queues = new UnitScheduler();
  readonly #backoff: Backoff;
  readonly #aborts: AbortWatch;
  readonly #life = new AbortController();
  readonly #doubts = new Doubts();
  #link: BusLink | null = null;
  /** Links that were opened so far. */
  #links = 0;
  #isConnecting = false;
  #isClosed = false;
  #isPumpDue = false;
  /** A microtask through a settled promise costs a fraction of `queueMicrotask`, which tracks its caller. */
  readonly #soon = Promise.resolve();
  readonly #pumpDue = (): void => {
    this.#isPumpDue = false;
    this.#pump();
  };
  #gapAlarm: Disposable | null = null;
  /** Whether the connection has brought an answer yet. */
  #hasAnswered = false;
  /** Monotonic instant of the last answer of any unit. */
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  /** Whether the open requests were sent after a pause. */
  #wasIdle = false;

  readonly #events: LinkEvents = {
    answered: (nowMs, latencyMs, exception) => this.#answered(nowMs, latencyMs, exception),
    failed: (nowMs, error) => this.#stayedSilent(nowMs, error),
    drained: () => this.#pumpSoon(),
    closed: (error, isPeer) => this.#lost(error, isPeer),
  };

  constructor(world: BusWorld, address: LineAddress) {
    this.#world = world;
    this.#address = address;
    this.#name = lineName(address);
    this.#backoff = new Backoff(world.random);
    this.#aborts = new AbortWatch((signal) => this.#aborted(signal));
  }

  /** A unit to ask. The caller disposes it. */
  unit(id: number, pacing: UnitPacing): BusUnit {
    checkInteger("unit", id, 0, 255);
    const queue = this.#queues.find(id) ?? this.#addQueue(id);
    this.#queues.join(queue, pacing);
    const linkState = (): LinkState => ({
      count: this.#links,
      isOpen: this.#link !== null && !this.#isStale(this.#link),
    });
    return {
      get link() {
        return linkState();
      },
      read: (table, address, count, signal) =>
        this.#request(queue, () => readRequest(id, table, address, count), signal),
      readAll: (ranges, signal) => this.#readAll(queue, id, ranges, signal),
      write: async (address, values, code, signal) => {
        await this.#request(queue, () => writeRequest(id, address, values, code), signal);
      },
      guest: {
        read: ({ table, address, count }, signal) =>
          this.#request(queue, () => readRequest(id, table, address, count), signal, { refusal: null }),
        write: (write, refusal, signal) =>
          this.#request(queue, () => guestWriteRequest(id, write), signal, { refusal }),
      },
      sibling: (other) => this.unit(other, { ...pacing }),
      [Symbol.dispose]: () => {
        this.#queues.leave(queue, pacing);
        if (queue.users.size > 0) return;
        queue.rejectWaiting(new DeviceError("unreachable", `${this.#name}: unit ${id} is not used any more`));
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
    this.#queues.rejectWaiting(error);
    this.#link?.[Symbol.dispose]();
  }

  #addQueue(unit: number): UnitQueue {
    const patience = isSerialLine(this.#address) ? SERIAL_PATIENCE : NETWORK_PATIENCE;
    return this.#queues.add(new UnitQueue(unit, patience, this.#world.random));
  }

  #request(
    queue: UnitQueue,
    make: () => Request,
    signal: AbortSignal,
    guest: GuestTerms | null = null,
  ): Promise<Uint16Array> {
    return new Promise((resolve, reject) => {
      this.#enqueue(queue, make(), signal, { resolve, reject, guest }, 0);
    });
  }

  #readAll(
    queue: UnitQueue,
    unit: number,
    ranges: readonly RegisterRange[],
    signal: AbortSignal,
  ): Promise<readonly ReadOutcome[]> {
    const batch = new ExchangeBatch(ranges.length);
    let index = 0;
    for (const { table, address, count } of ranges) {
      try {
        this.#enqueue(queue, readRequest(unit, table, address, count), signal, batch, index);
      } catch (error) {
        batch.reject(error, index);
      }
      index += 1;
    }
    return batch.outcomes;
  }

  /** Throws when it is not even tried. */
  #enqueue(queue: UnitQueue, request: Request, signal: AbortSignal, owner: ExchangeOwner, index: number): void {
    signal.throwIfAborted();
    if (this.#isClosed) throw this.#life.signal.reason;
    if (queue.backoff.hasFailed || this.#backoff.hasFailed) this.#refuseWhilePaused(queue, request);
    queue.enqueue(new Exchange(request, signal, this.#aborts, owner, index));
    this.#pumpSoon();
  }

  /** While a bus or a unit rests after a failure its requests fail at once and cost the others nothing. */
  #refuseWhilePaused(queue: UnitQueue, request: Request): void {
    const nowMs = this.#world.clock.monotonicMs();
    const refuse = (ms: number, why: string, cause: unknown): void => {
      const text = `${this.#name}, ${requestText(request)}: not asked for another ${Math.ceil(ms)} ms${why}`;
      if (ms > 0) throw new DeviceError("unreachable", text, { cause });
    };
    for (const each of [this.#backoff, queue.backoff]) refuse(each.restMs(nowMs), " after a failure", each.cause);
    refuse(this.#queues.keptMs(queue, nowMs), ", which belong to the units that answer", queue.backoff.cause);
  }

  #aborted(signal: AbortSignal): void {
    for (const queue of this.#queues.all) queue.abandon(signal);
    this.#link?.abandon(signal);
  }

  /** Pumps after the callers that were just answered had their turn, so that what they ask next goes out in one write. */
  #pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    void this.#soon.then(this.#pumpDue);
  }

  #pump(): void {
    if (this.#isClosed) return;
    const link = this.#freshLink();
    if (link === null) {
      if (this.#queues.hasWaiting) this.#connect();
      return;
    }
    const queue = link.openCount > 0 ? this.#queues.same() : this.#queues.next(() => this.#world.clock.monotonicMs());
    if (queue === null) return;
    if (typeof queue === "number") this.#pumpAfter(queue);
    else this.#send(link, queue);
  }

  #send(link: BusLink, queue: UnitQueue): void {
    const batch: Exchange[] = [];
    const window = Math.min(queue.window, link.maxOpen);
    while (link.openCount + batch.length < window) {
      const exchange = queue.take();
      if (exchange === null) break;
      batch.push(exchange);
    }
    if (batch.length === 0) {
      // What waited was refused just now; others may wait for their turn.
      if (!queue.hasWaiting && this.#queues.hasWaiting) this.#pumpSoon();
      return;
    }
    if (link.openCount === 0)
      this.#wasIdle = this.#idleMs(link) >= Math.min(IDLE_MS, this.#queues.pacing.idleCloseMs / 2);
    const { timeoutMs } = queue.timeout;
    const isDatagram = this.#address.kind === "udp";
    const resendAfterMs = isDatagram ? timeoutMs * DATAGRAM_RESEND_SHARE : queue.resendAfterMs;
    link.send(batch, { timeoutMs, resendAfterMs });
  }

  /** The open link, unless the device has taken it for idle by now, with or without telling. */
  #freshLink(): BusLink | null {
    const link = this.#link;
    if (link === null || !this.#queues.hasWaiting || !this.#isStale(link)) return link;
    this.#link = null;
    link[Symbol.dispose]();
    return null;
  }

  /** It was silent for so long that the device may have closed it. */
  #isStale(link: BusLink): boolean {
    return link.openCount === 0 && this.#idleMs(link) >= IDLE_SHARE * this.#queues.pacing.idleCloseMs;
  }

  #idleMs({ lastTrafficMs }: BusLink): number {
    return this.#world.clock.monotonicMs() - lastTrafficMs;
  }

  #pumpAfter(pauseMs: number): void {
    this.#gapAlarm?.[Symbol.dispose]();
    this.#gapAlarm = this.#world.clock.timer(pauseMs, () => this.#pump());
  }

  #connect(): void {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    void this.#open()
      .then(
        (link) => this.#connected(link),
        (error: unknown) => this.#failed(error),
      )
      .finally(() => {
        this.#isConnecting = false;
        this.#pump();
      });
  }

  async #open(): Promise<BusLink> {
    const isMute = (): boolean => this.#world.clock.monotonicMs() - this.#answeredAtMs >= MUTE_AFTER_MS;
    const opening = { events: this.#events, doubts: this.#doubts, isMute };
    const link = await openLink(this.#world, this.#address, opening, this.#life.signal);
    const { connectDelayMs } = this.#queues.pacing;
    if (connectDelayMs === 0) return link;
    try {
      await this.#world.clock.sleep(connectDelayMs, this.#life.signal);
      return link;
    } catch (error) {
      link[Symbol.dispose]();
      throw error;
    }
  }

  #connected(link: BusLink): void {
    this.#hasAnswered = false;
    if (this.#isClosed) link[Symbol.dispose]();
    else if (link.isClosed) this.#failed(new DeviceError("unreachable", `${this.#name} closed at once`));
    else {
      this.#link = link;
      this.#links += 1;
    }
  }

  /** The address cannot be used: all that waits fails, and it rests. */
  #failed(cause: unknown): unknown {
    if (this.#isClosed) return cause;
    const error = crowdedError(cause, this.#address, this.#queues.pacing.maxClients);
    this.#backoff.failed(this.#world.clock.monotonicMs(), error);
    this.#queues.rejectWaiting(error);
    return error;
  }

  #answered(nowMs: number, latencyMs: number, exception: ModbusException | null): void {
    this.#hasAnswered = true;
    this.#answeredAtMs = nowMs;
    if (this.#backoff.hasFailed) this.#backoff.succeeded();
    const queue = this.#queues.current;
    if (queue === undefined) return;
    if (exception?.isFromGateway === true) {
      this.#rest(queue, nowMs, exception);
      return;
    }
    queue.answered(nowMs, latencyMs);
    if (queue.backoff.hasFailed) queue.backoff.succeeded();
  }

  /** The unit in turn did not answer, or not with what can be read. */
  #stayedSilent(nowMs: number, error: DeviceError): void {
    const queue = this.#queues.current;
    if (queue === undefined) return;
    if (error.kind === "unreachable") {
      this.#queues.wasted(nowMs, queue.timeout.timeoutMs);
      queue.timeout.stayedSilent();
    }
    this.#rest(queue, nowMs, error);
  }

  /** The link is gone. What is open on it is rejected with the error unless it is taken back. */
  #lost(error: DeviceError, isPeer: boolean): void {
    // A connection that ends before it was handed over is found closed by `#connected`.
    const link = this.#link;
    if (link === null) return;
    this.#link = null;
    if (!isPeer) this.#stayedSilent(this.#world.clock.monotonicMs(), error);
    else if (this.#hasAnswered) this.#askAgain(link);
    // A device that takes one client only accepts the second and hangs up; asking again at once would never end.
    else {
      const failure = this.#failed(error);
      for (const exchange of link.takeOpen()) exchange.reject(failure);
    }
    this.#pumpSoon();
  }

  /**
   * A device that ends idle connections did so while a request was on its way: it goes out again, once. A write does not:
   * what ended the connection may have been another device that has the address now.
   */
  #askAgain(link: BusLink): void {
    if (!this.#wasIdle || this.#isClosed) return;
    const [again, callerSignal]: [Exchange[], Exchange[]] = [[], []];
    for (const exchange of link.takeOpen())
      (exchange.isSecondTry || exchange.isWrite ? callerSignal : again).push(exchange);
    for (const exchange of again) exchange.isSecondTry = true;
    this.#queues.current?.giveBack(again);
    const error = new DeviceError("unreachable", `${this.#name} ended the connection`);
    for (const exchange of callerSignal) exchange.reject(error);
  }

  /**
   * Leaves one unit alone for a while, its waiting requests included; each would cost the others a timeout. One that
   * answered just before may only lack the registers that it was asked for: it rests from its second silence on.
   */
  #rest(queue: UnitQueue, nowMs: number, error: DeviceError): void {
    if (!queue.takeJustAnswered()) queue.backoff.failed(nowMs, error);
    queue.rejectWaiting(error);
  }
}
