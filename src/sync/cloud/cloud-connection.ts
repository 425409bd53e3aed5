/**
 * Speaks the protocol over one connection: first the handshake, then records up, acknowledgements and commands down.
 */

import { BusyError, KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { Outbox } from "../../store/outbox/outbox.ts";
import { newest, type OutboxMeta } from "../../store/outbox/outbox-ledger.ts";
import type { Batch } from "../protocol/batch.ts";
import type { Command, Configuration } from "../protocol/downlink.ts";
import { fromFrame, hintOf, toFrame, type Zstd } from "../protocol/frame.ts";
import type { Ack, GapRequest, Hello, Refusal, Refused, Welcome } from "../protocol/handshake.ts";
import { MAX_WINDOW } from "../protocol/limits.ts";
import { ProtocolError, parseToGateway, type ToGateway } from "../protocol/messages.ts";
import type { UplinkConnection } from "../uplink/uplink.ts";
import { connectionLost, endOfGoodbye } from "./connection-end.ts";
import type { SyncSource } from "./source.ts";
import { BacklogShare, nextSender, type Sendable, StreamSender, sendable } from "./stream-sender.ts";
import type { SyncCounters } from "./sync-counters.ts";

/** The cloud service has this long to answer a hello, ms. */
const WELCOME_MS = 30_000;
/**
 * A batch without an acknowledgement is sent again after this time. If the second try has none either, the connection
 * is given up.
 */
const ACK_MS = 60_000;
/** How often acknowledged records are marked for deletion; they are deleted together with the next write. */
const NOTE_MS = 60_000;
/** Hellos on one connection before it is given up. A hello that starts a new epoch needs another hello. */
const MAX_HELLOS = 4;
/** Received frames that are not processed yet; further frames are dropped. */
const MAX_UNREAD_FRAMES = 64;

export interface CloudConnectionParts {
  readonly outbox: Outbox;
  readonly sources: readonly SyncSource[];
  readonly clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly log: Log;
  readonly zstd: Zstd;
  hello(): Promise<Hello | null>;
  /**
   * Compares the positions of both sides. True if they agree; the start of the gateway is then stored as welcomed.
   * False if another hello is needed.
   */
  agree(welcome: Welcome): Promise<boolean>;
  /** True if the outbox is full, so that acknowledged records are deleted at once. */
  isFull(): boolean;
  command(command: Command): void;
  configure(configuration: Configuration): void;
  readonly counters: Pick<SyncCounters, "sent" | "acked" | "refused">;
  /** Called once a minute while records from before the connection are still to be sent. */
  behind(): void;
  /** Share of the sent bytes that is for records from before the connection, percent. */
  readonly backlogPercent: number;
}

/** One connection to the cloud service. The caller calls `run` and waits until it rejects. */
export class CloudConnection {
  readonly #parts: CloudConnectionParts;
  readonly #connection: UplinkConnection;
  readonly #wake: WakeSignal;
  readonly #over = new AbortController();
  readonly #mutex = new KeyedMutex({ maxWaiting: MAX_UNREAD_FRAMES });
  /** The hello that has no answer yet. */
  #pendingHello: { readonly id: string; readonly welcomed: PromiseWithResolvers<Welcome> } | null = null;
  #senders: readonly StreamSender[] = [];
  /** The streams in the last hello. */
  #offeredStreams: ReadonlySet<string> = new Set();
  #gapRequests: GapRequest[] = [];
  #healthyMs = 0;
  #replays = 0;
  #isSecondTry = false;
  #share = new BacklogShare(0);
  #window = 1;
  #maxBatchBytes = 0;
  #agreedAtMs = 0;

  constructor(parts: CloudConnectionParts, connection: UplinkConnection) {
    this.#parts = parts;
    this.#connection = connection;
    this.#wake = new WakeSignal(parts.clock);
  }

  /** How long the connection worked, ms: from the welcome to the last moment at which nothing was overdue. */
  get healthyMs(): number {
    return this.#healthyMs;
  }

  /** How many times a stream was sent again, because it was not acknowledged. */
  get replays(): number {
    return this.#replays + this.#senders.reduce((sum, sender) => sum + sender.replays, 0);
  }

  /** Returns the last number of a stream that was acknowledged on this connection; 0 if none was. */
  acked(source: SyncSource): number {
    const sender = this.#senders.find((each) => each.source === source);
    return sender?.epoch === source.position()?.epoch ? (sender?.acked ?? 0) : 0;
  }

  /** Takes a received frame; malformed messages are logged and ignored. */
  receive(frame: Uint8Array): void {
    const read = this.#mutex.run("frames", async () => {
      const message = parseToGateway(await fromFrame(frame, this.#parts.zstd));
      if (message !== null && !this.#over.signal.aborted) this.#handle(message);
    });
    read.catch((err: unknown) => {
      if (err instanceof BusyError) return;
      if (!(err instanceof ProtocolError)) throw err;
      this.#parts.log.warn({ err }, "cannot read a message of the cloud service; ignoring it");
    });
  }

  /** Wakes the send loop, because there may be something to send. */
  wake(): void {
    this.#wake.notify();
  }

  /** Ends the connection; `run` rejects with the reason. */
  end(reason: unknown): void {
    this.#over.abort(reason);
    this.#pendingHello?.welcomed.reject(reason);
  }

  /**
   * Sends and receives until the connection ends. Rejects with a `ConnectionEnd`, the signal's reason, or a
   * `StorageError`.
   */
  async run(signal: AbortSignal): Promise<never> {
    const forward = (): void => this.end(signal.reason);
    signal.addEventListener("abort", forward, { once: true });
    if (signal.aborted) forward();
    try {
      for (;;) {
        this.#over.signal.throwIfAborted();
        await this.#handshake();
        await this.#sendUntilOutdated();
        this.#note();
        this.#replays = this.replays;
        this.#senders = [];
      }
    } finally {
      signal.removeEventListener("abort", forward);
      this.#over.abort(new Error("the connection to the cloud service has ended"));
      this.#note();
    }
  }

  async #handshake(): Promise<void> {
    const { clock, sources } = this.#parts;
    for (let hellos = 0; hellos < MAX_HELLOS; hellos += 1) {
      const hello = await this.#parts.hello();
      if (hello === null) throw connectionLost("the gateway collects nothing for a cloud service");
      this.#offeredStreams = new Set(Object.keys(hello.streams));
      const { promise, ...welcomed } = Promise.withResolvers<Welcome>();
      promise.catch(() => undefined);
      this.#pendingHello = { id: hello.meeting, welcomed: { promise, ...welcomed } };
      this.#connection.send(await toFrame(hello, this.#parts.zstd), { kind: "hello" });
      const welcome = await within(clock, WELCOME_MS, this.#over.signal, () => promise).catch((error: unknown) => {
        throw error instanceof TimeoutError
          ? connectionLost("the cloud service did not answer the hello in time")
          : error;
      });
      if (!(await this.#parts.agree(welcome))) continue;
      this.#over.signal.throwIfAborted();
      this.#senders = sources.flatMap((source) => senderOf(source, welcome, this.#parts.outbox.meta));
      this.#window = Math.min(welcome.window, MAX_WINDOW);
      this.#maxBatchBytes = welcome.maxBatchBytes;
      this.#agreedAtMs = clock.monotonicMs();
      return;
    }
    throw connectionLost(`no handshake after ${MAX_HELLOS} hellos`);
  }

  /** Sends records until a stream starts a new epoch; then another hello is needed. */
  async #sendUntilOutdated(): Promise<void> {
    const { clock, backlogPercent } = this.#parts;
    let notedAtMs = clock.monotonicMs();
    this.#share = new BacklogShare(backlogPercent);
    for (;;) {
      this.#over.signal.throwIfAborted();
      if (this.#isOutdated()) return;
      const nowMs = clock.monotonicMs();
      this.#checkProgress(nowMs);
      const isFull = this.#parts.isFull();
      for (const sender of this.#senders) if (isFull || sender.isWorthSaving) await sender.save();
      if (nowMs - notedAtMs >= NOTE_MS) {
        notedAtMs = nowMs;
        this.#note();
      }
      if (await this.#answerGapRequest()) continue;
      if (await this.#sendNext()) continue;
      await this.#wake.wait(Math.max(1, this.#nextCheckMs(nowMs, notedAtMs)), this.#over.signal);
    }
  }

  /** True if a stream started, ended or changed its epoch since the handshake. */
  #isOutdated(): boolean {
    return (
      this.#parts.sources.some((source) => !this.#offeredStreams.has(source.stream) && source.position() !== null) ||
      this.#senders.some(({ source, epoch }) => source.position()?.epoch !== epoch)
    );
  }

  async #sendNext(): Promise<boolean> {
    const inFlight = this.#senders.reduce((sum, sender) => sum + sender.inFlight, 0);
    if (inFlight >= this.#window || this.#connection.credits <= 0) return false;
    const sender = nextSender(this.#senders, this.#share);
    const batch = await sender?.next(this.#maxBatchBytes);
    if (sender === null || batch == null || this.#over.signal.aborted) return false;
    const { sent, frame, withheld } = await this.#sendable(batch);
    // An acknowledgement that arrived meanwhile may have moved the position, or asked for earlier records.
    if (sender.cursor !== sent.from - 1) return true;
    this.#over.signal.throwIfAborted();
    sender.sent(sent, this.#parts.clock.monotonicMs());
    this.#parts.counters.sent(sent);
    this.#refused(sent.stream, withheld, "records break the protocol; sending gaps instead of them");
    this.#share.sent(sent, frame.length);
    this.#connection.send(frame, hintOf(sent));
    return true;
  }

  async #sendable(batch: Batch): Promise<Sendable> {
    return await sendable(batch, this.#parts.zstd, this.#connection.maxFrameBytes);
  }

  /** Answers a gap request: sends the requested records again, and a gap for those that are deleted. */
  async #answerGapRequest(): Promise<boolean> {
    const request = this.#gapRequests.shift();
    if (request === undefined) return false;
    const sender = this.#senders.find(({ stream, epoch }) => stream === request.stream && epoch === request.epoch);
    for (const { from, through } of sender === undefined ? [] : request.ranges) {
      const batch = sender?.gone(from, through) ?? null;
      if (batch !== null) this.#connection.send((await this.#sendable(batch)).frame, hintOf(batch));
      if (sender !== undefined && through > sender.acked) sender.rewind();
    }
    return true;
  }

  /** Sends overdue batches again; gives up the connection if the second try is overdue as well. */
  #checkProgress(nowMs: number): void {
    const sinceMs = this.#senders.flatMap(({ waitingSinceMs }) => waitingSinceMs ?? []);
    const overdue = this.#senders.filter(({ waitingSinceMs }) => nowMs - (waitingSinceMs ?? nowMs) >= ACK_MS);
    if (sinceMs.length === 0) this.#healthyMs = nowMs - this.#agreedAtMs;
    if (overdue.length === 0) return;
    if (this.#isSecondTry) throw connectionLost("the cloud service no longer acknowledges records");
    this.#isSecondTry = true;
    for (const sender of overdue) sender.rewind();
  }

  #nextCheckMs(nowMs: number, notedAtMs: number): number {
    const sinceMs = this.#senders.flatMap(({ waitingSinceMs }) => waitingSinceMs ?? []);
    return Math.min(notedAtMs + NOTE_MS, ...sinceMs.map((each) => each + ACK_MS)) - nowMs;
  }

  #note(): void {
    for (const sender of this.#senders) sender.note();
    if (this.#senders.some(({ isHistorical }) => isHistorical)) this.#parts.behind();
  }

  #handle(message: ToGateway): void {
    if (message.kind === "welcome") {
      if (message.meeting === this.#pendingHello?.id) this.#pendingHello.welcomed.resolve(message);
    } else if (message.kind === "ack") this.#acknowledged(message);
    else if (message.kind === "refusal") this.#unreadable(message);
    else if (message.kind === "gap-request") this.#gapRequests = [...this.#gapRequests, message].slice(-MAX_WINDOW);
    else if (message.kind === "command") this.#parts.command(message);
    else if (message.kind === "configuration") this.#parts.configure(message);
    else this.end(endOfGoodbye(message));
    this.#wake.notify();
  }

  #refused(stream: string, ranges: readonly Refused[], text: string): void {
    for (const { from, through, reason } of ranges) {
      this.#parts.log.error({ stream, from, through, reason }, text);
      this.#parts.counters.refused({ stream, from, through, reason });
    }
  }

  #unreadable({ of, reason }: Refusal): void {
    this.#parts.log.error({ of, reason }, "the cloud service refused a message as unreadable");
    this.#parts.counters.refused({ stream: null, from: 0, through: 0, reason });
    if (of === "hello") this.end(connectionLost(`the cloud service cannot read the hello: ${reason}`));
  }

  #acknowledged(ack: Ack): void {
    const sender = this.#senders.find(({ stream }) => stream === ack.stream);
    const nowMs = this.#parts.clock.monotonicMs();
    const acked = sender?.acknowledged(ack, nowMs);
    if (acked === undefined || acked.count === 0) return;
    this.#refused(ack.stream, ack.refused ?? [], "the cloud service refused records; they are not sent again");
    this.#isSecondTry = false;
    this.#healthyMs = nowMs - this.#agreedAtMs;
    this.#parts.counters.acked(ack.stream, acked);
  }
}

/**
 * Returns a sender that starts where the cloud service says that the stream stands; none for a stream that it does not
 * take.
 */
function senderOf(source: SyncSource, welcome: Welcome, meta: OutboxMeta | null): readonly StreamSender[] {
  const position = source.position();
  const at = welcome.streams[source.stream];
  if (position === null || at === undefined || meta === null) return [];
  const applied = at.epoch === position.epoch ? Math.min(at.applied, position.next - 1) : 0;
  const sender = new StreamSender(source, position, newest(meta.boots).id);
  sender.startAt(applied);
  return [sender];
}
