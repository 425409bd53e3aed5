/** Keeps the cloud service told: connects, meets, talks, and comes back after a pause that chance spreads. */

import type { CloudCounts, CloudProgress } from "../../engine/contracts/cloud-link.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { newest, type OutboxMeta } from "../../store/outbox/outbox-ledger.ts";
import { STREAMS } from "../../store/outbox/outbox-row.ts";
import type { NewJournalEntry, OpenedStore } from "../../store/store.ts";
import type { Command, Configuration } from "../protocol/downlink.ts";
import type { Zstd } from "../protocol/frame.ts";
import type { Hello, Welcome } from "../protocol/meeting.ts";
import { type Uplink, type UplinkEnd, UplinkError } from "../uplink/uplink.ts";
import { Conversation } from "./conversation.ts";
import { ConversationEnd } from "./conversation-end.ts";
import { helloOf } from "./hello.ts";
import { Pauses } from "./pauses.ts";
import { logBehind, progressOf, remainingMs } from "./progress.ts";
import { renew } from "./renewal.ts";
import { outboxSource, type SyncSource } from "./source.ts";
import { Tally } from "./tally.ts";
import { agreesEarlier, agreesFurther, judge } from "./verdict.ts";

/** A connection that went well for so long makes the pauses short again. */
const HEALTHY_MS = 60_000;
/** How long a gateway waits for the time before it connects with a clock that is not set. */
const CLOCK_WAIT_MS = 10 * 60_000;
const CLOCK_CHECK_MS = 5_000;
const DEFAULT_BACKLOG_PERCENT = 70;

/** The event that says that too many events wait. */
const FULL_EVENT = "system:cloud:events-full";
/** The event that says that another box speaks in this gateway's name. */
const CLONE_EVENT = "system:cloud:cloned";

export interface SessionParts {
  readonly store: Pick<OpenedStore, "outbox" | "watchJournal" | "commit">;
  readonly clock: Clock;
  readonly random: Pick<Random, "next">;
  readonly log: Log;
  readonly uplink: Uplink;
  readonly zstd: Zstd;
  readonly gateway: string;
  /** Such as `hemgate/0.1.0`. */
  readonly software: string;
  /** Bytes of events that may wait before the cloud service's commands are refused. */
  readonly maxEventBytes: number;
  /** How everything is now, as entries of the journal. */
  snapshot(): readonly NewJournalEntry[];
  command(command: Command): void;
  configure(configuration: Configuration): void;
  /** Told each time that the two sides agree where they stand. */
  met?(): void;
  /** The configuration that is in use. */
  standing?(): NonNullable<Hello["configuration"]>;
  /** Null: the gateway's own choice. */
  readonly backlogPercent?: () => number | null;
  /** Further streams, ranked after the outbox's own. */
  readonly sources?: readonly SyncSource[];
}

export class CloudSession implements AsyncDisposable {
  readonly #parts: SessionParts;
  readonly #sources: readonly SyncSource[];
  readonly #pauses: Pauses;
  readonly #tally: Tally;
  readonly #stop = new AbortController();
  #conversation: Conversation | null = null;
  #uplink: string | null = null;
  #isMet = false;
  #wasWelcomed = false;
  #isCloned = false;
  #isFullTold = false;
  #reason: string | null = "not connected yet";
  #isRefused = false;
  #replays = 0;
  #meetings = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#sources = [
      ...STREAMS.map((stream) => outboxSource(parts.store.outbox, stream, () => parts.snapshot())),
      ...(parts.sources ?? []),
    ];
    this.#pauses = new Pauses(parts.random);
    this.#tally = new Tally(parts.clock);
  }

  start(): void {
    this.#running = this.#run(this.#stop.signal);
  }

  /** True after both sides agreed where they stand. */
  get isConnected(): boolean {
    return this.#isMet;
  }

  /** Whether so many events wait that the cloud service's commands are refused. */
  get isFull(): boolean {
    return (this.#parts.store.outbox.meta?.streams.event.bytes ?? 0) >= this.#parts.maxEventBytes;
  }

  /** See `CloudCounts`. */
  get counts(): CloudCounts {
    return { ...this.#tally.counts, replays: this.#replays + (this.#conversation?.replays ?? 0) };
  }

  /** How far the cloud service has been told. */
  async progress(): Promise<CloudProgress> {
    const told = this.#sources.map((each) => progressOf(each, this.#acked(each), this.#tally.rateOf(each.stream)));
    const streams = (await Promise.all(told)).filter((each) => each !== null);
    const waiting = streams.reduce((sum, stream) => sum + stream.waiting, 0);
    const oldest = streams.flatMap(({ oldestAtMs }) => oldestAtMs ?? []);
    const { ratePerS } = this.#tally;
    return {
      isConnected: this.#isMet,
      uplink: this.#uplink,
      reason: this.#reason,
      isRefused: this.#isRefused,
      isCloned: this.#isCloned,
      isFull: this.isFull,
      streams,
      oldestAtMs: oldest.length === 0 ? null : Math.min(...oldest),
      ratePerS,
      remainingMs: remainingMs(waiting, ratePerS),
      replays: this.counts.replays,
      refusal: this.#tally.refusal,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the cloud session is closed"));
    await this.#running;
  }

  /** What is acknowledged, on disk or only noted. */
  #acked(source: SyncSource): number {
    return Math.max(source.position()?.acked ?? 0, this.#conversation?.acked(source) ?? 0);
  }

  async #run(signal: AbortSignal): Promise<void> {
    using _watch = this.#parts.store.watchJournal(() => this.#grew());
    try {
      await this.#awaitTime(signal);
      while (!signal.aborted) {
        const pauseMs = await this.#connectOnce(signal);
        await this.#parts.clock.sleep(pauseMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #grew(): void {
    this.#conversation?.wake();
    if (this.isFull === this.#isFullTold) return;
    this.#isFullTold = this.isFull;
    if (!this.isFull) return;
    this.#parts.log.error({}, "too many events wait for the cloud service; its commands are refused");
    this.#tell(FULL_EVENT, { bytes: this.#parts.maxEventBytes });
  }

  /** Rows of a clock that is not set are dated once it is; a while is worth waiting for that. */
  async #awaitTime(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const untilMs = clock.monotonicMs() + CLOCK_WAIT_MS;
    while (clock.quality() === "unset" && clock.monotonicMs() < untilMs) await clock.sleep(CLOCK_CHECK_MS, signal);
  }

  /** Resolves when the connection is over, or did not come about, with the pause before the next one, ms. */
  async #connectOnce(signal: AbortSignal): Promise<number> {
    const end = await this.#talk(signal);
    signal.throwIfAborted();
    if (end.reason !== this.#reason) this.#parts.log.warn({ reason: end.reason }, "cloud service not connected");
    this.#reason = end.reason;
    this.#isRefused = end.kind === "refused";
    const isUnwanted = this.#isCloned || end.kind === "refused" || end.kind === "quota";
    const pauseMs = isUnwanted ? this.#pauses.longestMs() : this.#pauses.nextMs();
    return Math.max(pauseMs, end.retryAfterMs ?? 0);
  }

  async #talk(signal: AbortSignal): Promise<UplinkEnd> {
    const { uplink } = this.#parts;
    let conversation: Conversation | null = null;
    let early: UplinkEnd | null = null;
    for (const source of this.#sources) await source.begin?.();
    try {
      using connection = await uplink.connect(
        {
          frame: (frame) => conversation?.take(frame),
          drained: () => conversation?.wake(),
          closed: (end) => {
            early = end;
            conversation?.end(new ConversationEnd(end));
          },
        },
        signal,
      );
      conversation = this.#conversationOver(connection);
      this.#conversation = conversation;
      this.#uplink = connection.name;
      if (early !== null) return early;
      return await conversation.run(signal);
    } catch (error) {
      if (error instanceof ConversationEnd || error instanceof UplinkError) return error.end;
      return { kind: "lost", reason: errorText(error), retryAfterMs: null };
    } finally {
      if (conversation !== null && conversation.healthyMs >= HEALTHY_MS) this.#pauses.reset();
      this.#replays += conversation?.replays ?? 0;
      this.#conversation = null;
      this.#uplink = null;
      this.#isMet = false;
    }
  }

  #conversationOver(connection: ConstructorParameters<typeof Conversation>[1]): Conversation {
    const { store, clock, log, zstd, backlogPercent } = this.#parts;
    return new Conversation(
      {
        outbox: store.outbox,
        sources: this.#sources,
        clock,
        log,
        zstd,
        hello: () => this.#hello(),
        meet: (welcome) => this.#meet(welcome),
        command: (command) => this.#parts.command(command),
        configure: (configuration) => this.#parts.configure(configuration),
        isFull: () => this.isFull,
        tally: this.#tally,
        behind: () => void this.progress().then((progress) => logBehind(log, progress)),
        backlogPercent: backlogPercent?.() ?? DEFAULT_BACKLOG_PERCENT,
      },
      connection,
    );
  }

  async #hello(): Promise<Hello | null> {
    const { outbox } = this.#parts.store;
    await outbox.forgetAlong();
    const { meta } = outbox;
    if (meta === null) return null;
    this.#meetings += 1;
    const hello = helloOf(this.#parts, meta, this.#sources, this.#meetings);
    const configuration = this.#parts.standing?.();
    return configuration === undefined ? hello : { ...hello, configuration };
  }

  async #meet(welcome: Welcome): Promise<boolean> {
    const { outbox } = this.#parts.store;
    const { meta } = outbox;
    if (meta === null) return false;
    if (meta.isIncomplete === true) {
      await this.#renew(meta, null, "database-lost");
      return false;
    }
    const verdict = await judge(outbox, meta, welcome, this.#wasWelcomed);
    if (verdict === "cloned" && !this.#isCloned) this.#warnOfClone();
    if (verdict !== "agreed") {
      await this.#renew(meta, welcome, verdict);
      return false;
    }
    if (!(await agreesFurther(this.#parts.sources ?? [], welcome))) return false;
    if (!(await agreesEarlier(this.#sources, welcome))) return false;
    await this.#agreed(meta);
    return true;
  }

  async #agreed(meta: OutboxMeta): Promise<void> {
    const { number } = newest(meta.boots);
    // On disk before anything is sent: a row of a later start is then known not to have been sent.
    if (meta.boots[0].number !== number) await this.#parts.store.outbox.welcomed(number);
    this.#wasWelcomed = true;
    this.#isMet = true;
    if (this.#reason !== null) this.#parts.log.info({ uplink: this.#uplink }, "cloud service connected");
    this.#reason = null;
    this.#isRefused = false;
    this.#parts.met?.();
  }

  async #renew(
    meta: OutboxMeta,
    welcome: Welcome | null,
    reason: Parameters<typeof renew>[2]["reason"],
  ): Promise<void> {
    this.#parts.log.warn({ reason }, "what the cloud service knows is not what was told from here; numbers begin anew");
    await renew(this.#parts.store.outbox, meta, { reason, welcome, snapshot: () => this.#parts.snapshot() });
    for (const source of this.#parts.sources ?? []) await source.renew?.();
  }

  #warnOfClone(): void {
    this.#isCloned = true;
    this.#parts.log.error({}, "another box speaks to the cloud service in this gateway's name; is this card a copy?");
    this.#tell(CLONE_EVENT, { gateway: this.#parts.gateway });
  }

  #tell(event: string, payload: object): void {
    this.#parts.store.commit([], [{ event, payload }]).catch((err: unknown) => {
      this.#parts.log.warn({ err, event }, "event not kept");
    });
  }
}
