/**
 * Keeps the gateway connected to the cloud service: connects, does the handshake, sends, and reconnects after a random
 * delay.
 */

import { MINUTE_MS } from "../../domain/duration.ts";
import type { CloudCounts, CloudProgress } from "../../engine/contracts/cloud-link.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { newest, type OutboxMeta } from "../../store/outbox/outbox-ledger.ts";
import { STREAMS } from "../../store/outbox/outbox-row.ts";
import type { NewJournalEntry, OpenedStore } from "../../store/store.ts";
import type { Command, Configuration } from "../protocol/downlink.ts";
import type { Zstd } from "../protocol/frame.ts";
import type { Hello, Welcome } from "../protocol/handshake.ts";
import { PROTOCOL_VERSION } from "../protocol/limits.ts";
import { type Uplink, type UplinkEnd, UplinkError } from "../uplink/uplink.ts";
import { CloudConnection } from "./cloud-connection.ts";
import { ConnectionEnd } from "./connection-end.ts";
import { startNewEpoch } from "./new-epoch.ts";
import { logBehind, progressOf, remainingMs } from "./progress.ts";
import { ReconnectDelays } from "./reconnect-delays.ts";
import { outboxSource, type SyncSource } from "./source.ts";
import { SyncCounters } from "./sync-counters.ts";
import { checkEarlierEpochs, checkOtherStreams, compareHistories } from "./verdict.ts";

/** A connection that worked for so long resets the reconnect delay. */
const HEALTHY_MS = 60_000;
/** How long the gateway waits for its clock to be set before it connects with an unset clock. */
const CLOCK_WAIT_MS = 10 * MINUTE_MS;
const CLOCK_CHECK_MS = 5_000;
const DEFAULT_BACKLOG_PERCENT = 70;

/** The event that reports that too many events wait. */
const FULL_EVENT = "system:cloud:events-full";
/** The event that reports that another gateway uses this gateway's name. */
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
  /** Bytes of events that may wait; with more, commands of the cloud service are refused. */
  readonly maxEventBytes: number;
  /** Returns the current state of everything, as journal entries. */
  snapshot(): readonly NewJournalEntry[];
  /** Receives a command of the cloud service. */
  command(command: Command): void;
  /** Receives a remote configuration of the cloud service. */
  configure(configuration: Configuration): void;
  /** Called after each handshake. */
  agreed?(): void;
  /** Returns the state of the remote configuration for the hello. */
  configurationStatus?(): NonNullable<Hello["configuration"]>;
  /** Returns the share of the bandwidth for historical records, percent; `null` for the default. */
  readonly backlogPercent?: () => number | null;
  /** Further streams, with a lower priority than the outbox's. */
  readonly sources?: readonly SyncSource[];
}

/** Connects to one cloud service again and again until it is disposed. */
export class CloudSession implements AsyncDisposable {
  readonly #parts: SessionParts;
  readonly #sources: readonly SyncSource[];
  readonly #delays: ReconnectDelays;
  readonly #counters: SyncCounters;
  readonly #stop = new AbortController();
  #connection: CloudConnection | null = null;
  #uplink: string | null = null;
  #isAgreed = false;
  #wasWelcomed = false;
  #isCloned = false;
  #isFullRecorded = false;
  #reason: string | null = "not connected yet";
  #isRefused = false;
  #replays = 0;
  #hellos = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#sources = [
      ...STREAMS.map((stream) => outboxSource(parts.store.outbox, stream, () => parts.snapshot())),
      ...(parts.sources ?? []),
    ];
    this.#delays = new ReconnectDelays(parts.random);
    this.#counters = new SyncCounters(parts.clock);
  }

  start(): void {
    this.#running = this.#run(this.#stop.signal);
  }

  /** True after the handshake. */
  get isConnected(): boolean {
    return this.#isAgreed;
  }

  /** True if so many events wait that commands of the cloud service are refused. */
  get isFull(): boolean {
    return (this.#parts.store.outbox.meta?.streams.event.bytes ?? 0) >= this.#parts.maxEventBytes;
  }

  /** The counters since the start of the session. */
  get counts(): CloudCounts {
    return { ...this.#counters.counts, replays: this.#replays + (this.#connection?.replays ?? 0) };
  }

  /** Returns how much of each stream is sent and acknowledged. */
  async progress(): Promise<CloudProgress> {
    const all = this.#sources.map((each) => progressOf(each, this.#acked(each), this.#counters.rateOf(each.stream)));
    const streams = (await Promise.all(all)).filter((each) => each !== null);
    const waiting = streams.reduce((sum, stream) => sum + stream.waiting, 0);
    const oldest = streams.flatMap(({ oldestAtMs }) => oldestAtMs ?? []);
    const { ratePerS } = this.#counters;
    return {
      isConnected: this.#isAgreed,
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
      refusal: this.#counters.refusal,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the cloud session is closed"));
    await this.#running;
  }

  /** Returns the last acknowledged number, even if it is not on disk yet. */
  #acked(source: SyncSource): number {
    return Math.max(source.position()?.acked ?? 0, this.#connection?.acked(source) ?? 0);
  }

  async #run(signal: AbortSignal): Promise<void> {
    using _watch = this.#parts.store.watchJournal(() => this.#journalGrew());
    try {
      await this.#awaitTime(signal);
      while (!signal.aborted) {
        const delayMs = await this.#connectOnce(signal);
        await this.#parts.clock.sleep(delayMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #journalGrew(): void {
    this.#connection?.wake();
    if (this.isFull === this.#isFullRecorded) return;
    this.#isFullRecorded = this.isFull;
    if (!this.isFull) return;
    this.#parts.log.error({}, "too many events wait for the cloud service; refusing its commands");
    this.#record(FULL_EVENT, { bytes: this.#parts.maxEventBytes });
  }

  /** Waits a while for the clock to be set, because records from before get their time then. */
  async #awaitTime(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const untilMs = clock.monotonicMs() + CLOCK_WAIT_MS;
    while (clock.quality() === "unset" && clock.monotonicMs() < untilMs) await clock.sleep(CLOCK_CHECK_MS, signal);
  }

  /** Connects once. Resolves when the connection has ended or failed, with the delay before the next one, ms. */
  async #connectOnce(signal: AbortSignal): Promise<number> {
    const end = await this.#runConnection(signal);
    signal.throwIfAborted();
    if (end.reason !== this.#reason)
      this.#parts.log.warn({ reason: end.reason }, "not connected to the cloud service; trying again");
    this.#reason = end.reason;
    this.#isRefused = end.kind === "refused";
    const isUnwanted = this.#isCloned || end.kind === "refused" || end.kind === "quota";
    const delayMs = isUnwanted ? this.#delays.longestMs() : this.#delays.nextMs();
    return Math.max(delayMs, end.retryAfterMs ?? 0);
  }

  async #runConnection(signal: AbortSignal): Promise<UplinkEnd> {
    const { uplink } = this.#parts;
    let current: CloudConnection | null = null;
    let early: UplinkEnd | null = null;
    for (const source of this.#sources) await source.start?.();
    try {
      using connection = await uplink.connect(
        {
          frame: (frame) => current?.receive(frame),
          drained: () => current?.wake(),
          closed: (end) => {
            early = end;
            current?.end(new ConnectionEnd(end));
          },
        },
        signal,
      );
      current = this.#speakOver(connection);
      this.#connection = current;
      this.#uplink = connection.name;
      if (early !== null) return early;
      return await current.run(signal);
    } catch (error) {
      if (error instanceof ConnectionEnd || error instanceof UplinkError) return error.end;
      return { kind: "lost", reason: errorText(error), retryAfterMs: null };
    } finally {
      if (current !== null && current.healthyMs >= HEALTHY_MS) this.#delays.reset();
      this.#replays += current?.replays ?? 0;
      this.#connection = null;
      this.#uplink = null;
      this.#isAgreed = false;
    }
  }

  #speakOver(connection: ConstructorParameters<typeof CloudConnection>[1]): CloudConnection {
    const { store, clock, log, zstd, backlogPercent } = this.#parts;
    return new CloudConnection(
      {
        outbox: store.outbox,
        sources: this.#sources,
        clock,
        log,
        zstd,
        hello: () => this.#hello(),
        agree: (welcome) => this.#agree(welcome),
        command: (command) => this.#parts.command(command),
        configure: (configuration) => this.#parts.configure(configuration),
        isFull: () => this.isFull,
        counters: this.#counters,
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
    this.#hellos += 1;
    const hello = helloOf(this.#parts, meta, this.#sources, this.#hellos);
    const configuration = this.#parts.configurationStatus?.();
    return configuration === undefined ? hello : { ...hello, configuration };
  }

  async #agree(welcome: Welcome): Promise<boolean> {
    const { outbox } = this.#parts.store;
    const { meta } = outbox;
    if (meta === null) return false;
    if (meta.isIncomplete === true) {
      await this.#startNewEpoch(meta, null, "database-lost");
      return false;
    }
    const verdict = await compareHistories(outbox, meta, welcome, this.#wasWelcomed);
    if (verdict === "cloned" && !this.#isCloned) this.#warnOfClone();
    if (verdict !== "agreed") {
      await this.#startNewEpoch(meta, welcome, verdict);
      return false;
    }
    if (!(await checkOtherStreams(this.#parts.sources ?? [], welcome))) return false;
    if (!(await checkEarlierEpochs(this.#sources, welcome))) return false;
    await this.#noteAgreement(meta);
    return true;
  }

  async #noteAgreement(meta: OutboxMeta): Promise<void> {
    const { number } = newest(meta.boots);
    // Stored before anything is sent: a row of a later start is then known to be unsent.
    if (meta.boots[0].number !== number) await this.#parts.store.outbox.welcomed(number);
    this.#wasWelcomed = true;
    this.#isAgreed = true;
    if (this.#reason !== null) this.#parts.log.info({ uplink: this.#uplink }, "connected to the cloud service");
    this.#reason = null;
    this.#isRefused = false;
    this.#parts.agreed?.();
  }

  async #startNewEpoch(
    meta: OutboxMeta,
    welcome: Welcome | null,
    reason: Parameters<typeof startNewEpoch>[2]["reason"],
  ): Promise<void> {
    this.#parts.log.warn({ reason }, "the cloud service has another history than this gateway; starting a new epoch");
    await startNewEpoch(this.#parts.store.outbox, meta, { reason, welcome, snapshot: () => this.#parts.snapshot() });
    for (const source of this.#parts.sources ?? []) await source.startNewEpoch?.();
  }

  #warnOfClone(): void {
    this.#isCloned = true;
    this.#parts.log.error(
      {},
      "another gateway is connected under this gateway's name; check whether this disk is a copy",
    );
    this.#record(CLONE_EVENT, { gateway: this.#parts.gateway });
  }

  #record(event: string, payload: object): void {
    this.#parts.store.commit([], [{ event, payload }]).catch((err: unknown) => {
      this.#parts.log.warn({ err, event }, "cannot store an event; it is lost");
    });
  }
}

/** Returns the hello with the positions of all streams. `count`: number of hellos since the gateway started. */
function helloOf(
  { gateway, software, clock }: Pick<SessionParts, "gateway" | "software" | "clock">,
  meta: OutboxMeta,
  sources: readonly SyncSource[],
  count: number,
): Hello {
  const streams = sources.flatMap((source) => {
    const at = source.position();
    return at === null ? [] : [[source.stream, { epoch: at.epoch, acked: at.acked, next: at.next }] as const];
  });
  const earlier = sources.flatMap((source) => {
    return (source.earlier?.() ?? []).map(({ epoch, acked }) => ({ stream: source.stream, epoch, acked }));
  });
  return {
    v: PROTOCOL_VERSION,
    kind: "hello",
    meeting: `${newest(meta.boots).id}-${count}`,
    versions: [PROTOCOL_VERSION],
    gateway,
    software,
    boots: meta.boots.map(({ number, id }) => ({ number, id })),
    streams: Object.fromEntries(streams),
    earlier,
    clock: { atMs: clock.nowMs(), quality: clock.quality() },
  };
}
