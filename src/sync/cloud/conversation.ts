/** One connection: the two sides meet, then records go up, and acknowledgements and commands come down. */

import type { Clock, Log } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { Outbox } from "../../store/outbox/outbox.ts";
import { newest, type OutboxMeta } from "../../store/outbox/outbox-ledger.ts";
import type { Batch } from "../protocol/batch.ts";
import type { Command, Configuration } from "../protocol/downlink.ts";
import { fromFrame, hintOf, toFrame, type Zstd } from "../protocol/frame.ts";
import { MAX_WINDOW } from "../protocol/limits.ts";
import type { Ack, GapRequest, Hello, Refusal, Refused, Welcome } from "../protocol/meeting.ts";
import { ProtocolError, parseToGateway, type ToGateway } from "../protocol/messages.ts";
import type { UplinkConnection } from "../uplink/uplink.ts";
import { givenUp, toldGoodbye } from "./conversation-end.ts";
import { Lane } from "./lane.ts";
import { type Sendable, sendable } from "./sendable.ts";
import { choose, Share } from "./share.ts";
import type { SyncSource } from "./source.ts";
import type { Tally } from "./tally.ts";

/** How long the cloud service may take to answer a hello. */
const WELCOME_MS = 30_000;
/** After this a batch is sent again; when that is not acknowledged either, the connection is given up. */
const ACK_MS = 60_000;
/** This often what is acknowledged is noted, to be deleted along with what is written next. */
const NOTE_MS = 60_000;
/** Hellos on one connection before it is given up: one that begins another epoch is followed by another. */
const MAX_HELLOS = 4;
/** Frames that came and are not read yet. */
const MAX_UNREAD_FRAMES = 64;

export interface ConversationParts {
  readonly outbox: Outbox;
  readonly sources: readonly SyncSource[];
  readonly clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly log: Log;
  readonly zstd: Zstd;
  hello(): Promise<Hello | null>;
  /** Compares where both stand. True: they agree, and the start is on disk as welcomed; else another hello is due. */
  meet(welcome: Welcome): Promise<boolean>;
  /** Whether room is wanted at once. */
  isFull(): boolean;
  command(command: Command): void;
  configure(configuration: Configuration): void;
  readonly tally: Pick<Tally, "sent" | "acked" | "refused">;
  /** Told once a minute while what waited is not all sent. */
  behind(): void;
  /** Part of what is sent that goes to what waited, per cent. */
  readonly backlogPercent: number;
}

export class Conversation {
  readonly #parts: ConversationParts;
  readonly #connection: UplinkConnection;
  readonly #wake: WakeSignal;
  readonly #over = new AbortController();
  /** The hello that is not answered yet. */
  #greeting: { readonly meeting: string; readonly welcomed: PromiseWithResolvers<Welcome> } | null = null;
  #lanes: readonly Lane[] = [];
  /** The streams that the cloud service was told of. */
  #offered: ReadonlySet<string> = new Set();
  #asked: GapRequest[] = [];
  #reading: Promise<void> = Promise.resolve();
  #unread = 0;
  #healthyMs = 0;
  #replays = 0;
  #isSecondTry = false;
  #share = new Share(0);
  #window = 1;
  #maxBatchBytes = 0;
  #metAtMs = 0;

  constructor(parts: ConversationParts, connection: UplinkConnection) {
    this.#parts = parts;
    this.#connection = connection;
    this.#wake = new WakeSignal(parts.clock);
  }

  /** How long it went well: from the welcome to the last moment at which nothing was overdue, ms. */
  get healthyMs(): number {
    return this.#healthyMs;
  }

  get replays(): number {
    return this.#replays + this.#lanes.reduce((sum, lane) => sum + lane.replays, 0);
  }

  /** The last number of a stream that was acknowledged; 0: none on this connection. */
  acked(source: SyncSource): number {
    const lane = this.#lanes.find((each) => each.source === source);
    return lane?.epoch === source.position()?.epoch ? (lane?.acked ?? 0) : 0;
  }

  /** A frame arrived. */
  take(frame: Uint8Array): void {
    if (this.#unread >= MAX_UNREAD_FRAMES) return;
    this.#unread += 1;
    this.#reading = this.#reading.then(async () => {
      try {
        const message = parseToGateway(await fromFrame(frame, this.#parts.zstd));
        if (message !== null && !this.#over.signal.aborted) this.#hear(message);
      } catch (err) {
        if (!(err instanceof ProtocolError)) throw err;
        this.#parts.log.warn({ err }, "a message of the cloud service is left alone");
      } finally {
        this.#unread -= 1;
      }
    });
  }

  /** There may be something to do. */
  wake(): void {
    this.#wake.notify();
  }

  /** Ends it; `run` rejects with this. */
  end(reason: unknown): void {
    this.#over.abort(reason);
    this.#greeting?.welcomed.reject(reason);
  }

  /** Talks until the end, with whose reason it rejects: a `ConversationEnd`, the signal's, or a `StorageError`. */
  async run(signal: AbortSignal): Promise<never> {
    const forward = (): void => this.end(signal.reason);
    signal.addEventListener("abort", forward, { once: true });
    if (signal.aborted) forward();
    try {
      for (;;) {
        this.#over.signal.throwIfAborted();
        await this.#meet();
        await this.#talk();
        this.#note();
        this.#replays = this.replays;
        this.#lanes = [];
      }
    } finally {
      signal.removeEventListener("abort", forward);
      this.#over.abort(new Error("the conversation is over"));
      this.#note();
    }
  }

  async #meet(): Promise<void> {
    const { clock, sources } = this.#parts;
    for (let hellos = 0; hellos < MAX_HELLOS; hellos += 1) {
      const hello = await this.#parts.hello();
      if (hello === null) throw givenUp("nothing is gathered");
      this.#offered = new Set(Object.keys(hello.streams));
      const { promise, ...welcomed } = Promise.withResolvers<Welcome>();
      promise.catch(() => undefined);
      this.#greeting = { meeting: hello.meeting, welcomed: { promise, ...welcomed } };
      this.#connection.send(await toFrame(hello, this.#parts.zstd), { kind: "hello" });
      const welcome = await within(clock, WELCOME_MS, this.#over.signal, () => promise).catch((error: unknown) => {
        throw error instanceof TimeoutError ? givenUp("no answer to a hello") : error;
      });
      if (!(await this.#parts.meet(welcome))) continue;
      this.#over.signal.throwIfAborted();
      this.#lanes = sources.flatMap((source) => laneOf(source, welcome, this.#parts.outbox.meta));
      this.#window = Math.min(welcome.window, MAX_WINDOW);
      this.#maxBatchBytes = welcome.maxBatchBytes;
      this.#metAtMs = clock.monotonicMs();
      return;
    }
    throw givenUp("the cloud service agrees to nothing");
  }

  /** Resolves when numbers began anew, and another hello is due. */
  async #talk(): Promise<void> {
    const { clock, backlogPercent } = this.#parts;
    let notedAtMs = clock.monotonicMs();
    this.#share = new Share(backlogPercent);
    for (;;) {
      this.#over.signal.throwIfAborted();
      if (this.#isOutdated()) return;
      const nowMs = clock.monotonicMs();
      this.#watch(nowMs);
      const isFull = this.#parts.isFull();
      for (const lane of this.#lanes) if (isFull || lane.isWorthSaving) await lane.save();
      if (nowMs - notedAtMs >= NOTE_MS) {
        notedAtMs = nowMs;
        this.#note();
      }
      if (await this.#answerAsked()) continue;
      if (await this.#sendNext()) continue;
      await this.#wake.wait(Math.max(1, this.#nextCheckMs(nowMs, notedAtMs)), this.#over.signal);
    }
  }

  /** Whether a stream began, ended, or began anew since the two sides met. */
  #isOutdated(): boolean {
    return (
      this.#parts.sources.some((source) => !this.#offered.has(source.stream) && source.position() !== null) ||
      this.#lanes.some(({ source, epoch }) => source.position()?.epoch !== epoch)
    );
  }

  async #sendNext(): Promise<boolean> {
    const inFlight = this.#lanes.reduce((sum, lane) => sum + lane.inFlight, 0);
    if (inFlight >= this.#window || this.#connection.credits <= 0) return false;
    const lane = choose(this.#lanes, this.#share);
    const batch = await lane?.next(this.#maxBatchBytes);
    if (lane === null || batch == null || this.#over.signal.aborted) return false;
    const { sent, frame, withheld } = await this.#sendable(batch);
    // Meanwhile an acknowledgement may have moved the lane, or asked for what was before.
    if (lane.cursor !== sent.from - 1) return true;
    this.#over.signal.throwIfAborted();
    lane.sent(sent, this.#parts.clock.monotonicMs());
    this.#parts.tally.sent(sent);
    this.#refused(sent.stream, withheld, "records that break the contract are not sent to the cloud service");
    this.#share.sent(sent, frame.length);
    this.#connection.send(frame, hintOf(sent));
    return true;
  }

  async #sendable(batch: Batch): Promise<Sendable> {
    return await sendable(batch, this.#parts.zstd, this.#connection.maxFrameBytes);
  }

  /** Sends once more what an audit missed; what is gone comes as a gap. */
  async #answerAsked(): Promise<boolean> {
    const request = this.#asked.shift();
    if (request === undefined) return false;
    const lane = this.#lanes.find(({ stream, epoch }) => stream === request.stream && epoch === request.epoch);
    for (const { from, through } of lane === undefined ? [] : request.ranges) {
      const batch = lane?.gone(from, through) ?? null;
      if (batch !== null) this.#connection.send((await this.#sendable(batch)).frame, hintOf(batch));
      if (lane !== undefined && through > lane.acked) lane.rewind();
    }
    return true;
  }

  /** Gives up a connection on which nothing is acknowledged any more. */
  #watch(nowMs: number): void {
    const sinceMs = this.#lanes.flatMap(({ waitingSinceMs }) => waitingSinceMs ?? []);
    const overdue = this.#lanes.filter(({ waitingSinceMs }) => nowMs - (waitingSinceMs ?? nowMs) >= ACK_MS);
    if (sinceMs.length === 0) this.#healthyMs = nowMs - this.#metAtMs;
    if (overdue.length === 0) return;
    if (this.#isSecondTry) throw givenUp("nothing is acknowledged any more");
    this.#isSecondTry = true;
    for (const lane of overdue) lane.rewind();
  }

  #nextCheckMs(nowMs: number, notedAtMs: number): number {
    const sinceMs = this.#lanes.flatMap(({ waitingSinceMs }) => waitingSinceMs ?? []);
    return Math.min(notedAtMs + NOTE_MS, ...sinceMs.map((each) => each + ACK_MS)) - nowMs;
  }

  #note(): void {
    for (const lane of this.#lanes) lane.note();
    if (this.#lanes.some(({ isHistorical }) => isHistorical)) this.#parts.behind();
  }

  #hear(message: ToGateway): void {
    if (message.kind === "welcome") {
      if (message.meeting === this.#greeting?.meeting) this.#greeting.welcomed.resolve(message);
    } else if (message.kind === "ack") this.#acknowledged(message);
    else if (message.kind === "refusal") this.#unreadable(message);
    else if (message.kind === "gap-request") this.#asked = [...this.#asked, message].slice(-MAX_WINDOW);
    else if (message.kind === "command") this.#parts.command(message);
    else if (message.kind === "configuration") this.#parts.configure(message);
    else this.end(toldGoodbye(message));
    this.#wake.notify();
  }

  #refused(stream: string, ranges: readonly Refused[], text: string): void {
    for (const { from, through, reason } of ranges) {
      this.#parts.log.error({ stream, from, through, reason }, text);
      this.#parts.tally.refused({ stream, from, through, reason });
    }
  }

  #unreadable({ of, reason }: Refusal): void {
    this.#parts.log.error({ of, reason }, "the cloud service cannot read a message");
    this.#parts.tally.refused({ stream: null, from: 0, through: 0, reason });
    if (of === "hello") this.end(givenUp(`the cloud service cannot read the hello: ${reason}`));
  }

  #acknowledged(ack: Ack): void {
    const lane = this.#lanes.find(({ stream }) => stream === ack.stream);
    const nowMs = this.#parts.clock.monotonicMs();
    const acked = lane?.acknowledged(ack, nowMs);
    if (acked === undefined || acked.count === 0) return;
    this.#refused(ack.stream, ack.refused ?? [], "the cloud service does not take records");
    this.#isSecondTry = false;
    this.#healthyMs = nowMs - this.#metAtMs;
    this.#parts.tally.acked(ack.stream, acked);
  }
}

/** A stream where the cloud service says that it stands; one that it does not speak of it does not take. */
function laneOf(source: SyncSource, welcome: Welcome, meta: OutboxMeta | null): readonly Lane[] {
  const position = source.position();
  const at = welcome.streams[source.stream];
  if (position === null || at === undefined || meta === null) return [];
  const applied = at.epoch === position.epoch ? Math.min(at.applied, position.next - 1) : 0;
  const lane = new Lane(source, position, newest(meta.boots).id);
  lane.startAt(applied);
  return [lane];
}
