/** The link to the cloud service as its owner sees it: the account, its state, and how to end it. */
import type { CloudLinkView } from "../../domain/cloud/cloud-link-view.ts";
import { SECOND_MS } from "../../domain/duration.ts";
import { instant, instantOrNull } from "../../domain/fields.ts";
import { problem } from "../../domain/problem.ts";
import type {
  CloudCounts,
  CloudFigures,
  CloudLink,
  CloudProgress,
  CloudStreamFigures,
  CloudStreamProgress,
} from "../../engine/contracts/cloud-link.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { StreamMeta } from "../../store/outbox/outbox-ledger.ts";
import type { OpenedStore } from "../../store/store.ts";
import { configurationView } from "../cloud/configuration-record.ts";
import { Answer } from "../protocol/downlink.ts";
import type { ConfiguredAccounts } from "./configured-accounts.ts";
import { EnrolmentError } from "./enrolment-service.ts";
import type { Identities } from "./identities.ts";
import { type IdentityStatus, identityStatus } from "./identity-status.ts";
import type { IdentityUplink } from "./identity-uplink.ts";

const ANSWERED_EVENT = "system:cloud:command-answered";
/** Journal entries that are searched for answered commands. */
const MAX_ENTRIES = 1_000;
const MAX_COMMANDS = 20;

/** The progress of a session. */
export interface ProgressSource {
  /** True after the handshake. */
  readonly isConnected: boolean;
  readonly counts: CloudCounts;
  progress(): Promise<CloudProgress>;
}

export interface CloudLinkParts {
  readonly store: Pick<OpenedStore, "outbox" | "journalAfter" | "journalEnd" | "get">;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly identities: Identities;
  /** The account of the configuration; `null` if the configuration has none. */
  readonly configured: ConfiguredAccounts | null;
  /** Returns the running session; `null` if there is none. */
  session(): {
    readonly progress: ProgressSource;
    readonly uplink: Pick<IdentityUplink, "lastContactMs" | "sent" | "transports">;
  } | null;
}

type LinkState = Pick<CloudLinkView, "state" | "remedy"> & { readonly why: string | null };

const CONFIGURED = "The configuration sets the cloud service (cloud.gateway). Remove that and restart the gateway";

/**
 * Returns the transports with their state: those of the session or, before its first connection, those of the account.
 */
function transportsView(
  transports: IdentityUplink["transports"],
  uplinks: readonly { readonly kind: string; readonly urls: readonly string[] }[],
): CloudLinkView["ways"] {
  const known = uplinks.map(({ kind, urls }) => ({ name: kind, urls, isInUse: false, failure: null }));
  return (transports.length > 0 ? transports : known).map(({ name, urls, isInUse, failure }) => ({
    uplink: name,
    servers: [...urls],
    isInUse,
    failedAt: instantOrNull(failure?.atMs ?? null),
    failure: failure?.reason ?? null,
  }));
}

function streamView(
  { stream, waiting, oldestAtMs, ratePerS, remainingMs }: CloudStreamProgress,
  sent: { readonly through: number; readonly atMs: number } | undefined,
): CloudLinkView["streams"][number] {
  return {
    stream,
    waiting,
    oldestWaitingAt: instantOrNull(oldestAtMs),
    recordsPerSecond: ratePerS,
    remainingSeconds: secondsOrNull(remainingMs),
    sentThrough: sent?.through ?? null,
    sentAt: instantOrNull(sent?.atMs ?? null),
  };
}

function refusedView(refusal: CloudProgress["refusal"]): CloudLinkView["refused"] {
  if (refusal === null) return null;
  const { count, stream, from, through, reason, atMs } = refusal;
  const numbers = stream === null ? null : { stream, from, through };
  return { count, at: instant(atMs), numbers, reason };
}

function secondsOrNull(ms: number | null): number | null {
  return ms === null ? null : Math.ceil(ms / SECOND_MS);
}

/** Shows, enrols and ends the link to the cloud service. */
export class OwnersCloudLink implements CloudLink {
  readonly #parts: CloudLinkParts;

  constructor(parts: CloudLinkParts) {
    this.#parts = parts;
  }

  async view(): Promise<CloudLinkView> {
    const { identities } = this.#parts;
    const session = this.#parts.session();
    const progress = (await session?.progress.progress()) ?? this.#idle();
    const { state, remedy, why } = this.#linkState(progress);
    const current = this.#identity;
    return {
      state,
      reason: why ?? progress.reason,
      remedy,
      identity: current?.identity ?? null,
      uplink: progress.uplink,
      ways: transportsView(session?.uplink.transports ?? [], current?.uplinks ?? []),
      lastContactAt: instantOrNull(session?.uplink.lastContactMs ?? null),
      streams: progress.streams.map((each) => streamView(each, session?.uplink.sent.get(each.stream))),
      oldestWaitingAt: instantOrNull(progress.oldestAtMs),
      isFull: progress.isFull,
      recordsPerSecond: progress.ratePerS,
      remainingSeconds: secondsOrNull(progress.remainingMs),
      replays: progress.replays,
      refused: refusedView(progress.refusal),
      commands: await this.#commands(),
      configuration: configurationView(this.#parts.store.get("cloud-configuration", "current")),
      farewells: identities.deregistrations.length,
    };
  }

  figures(): CloudFigures {
    const current = this.#identity;
    return {
      isEnrolled: current !== null,
      isConnected: this.#parts.session()?.progress.isConnected ?? false,
      isRefused: (current?.refusal ?? null) !== null,
      expiresAtMs: current?.expiresAtMs ?? null,
      lastContactMs: this.#parts.session()?.uplink.lastContactMs ?? null,
      counts: this.#parts.session()?.progress.counts ?? null,
    };
  }

  async streams(): Promise<readonly CloudStreamFigures[]> {
    const progress = await this.#parts.session()?.progress.progress();
    const kept = new Map<string, StreamMeta>(Object.entries(this.#parts.store.outbox.meta?.streams ?? {}));
    return (progress?.streams ?? this.#gathered()).map(({ stream, epoch, waiting, oldestAtMs }) => {
      return { stream, epoch, waiting, oldestAtMs, bytes: kept.get(stream)?.bytes ?? null };
    });
  }

  async enroll(token: string, signal: AbortSignal): Promise<void> {
    if (this.#parts.configured !== null) throw problem("conflict", `${CONFIGURED} to enrol it.`);
    try {
      await this.#parts.identities.enroll(token, signal);
    } catch (error) {
      if (error instanceof RangeError) throw problem("bad-request", `${error.message}.`);
      if (!(error instanceof EnrolmentError)) throw error;
      if (error.kind === "refused") throw problem("conflict", `${error.message} Ask for a new token.`);
      throw problem("service-unavailable", `${error.message}. The token may still be valid: try again with it.`);
    }
  }

  async cut(): Promise<void> {
    if (this.#parts.configured !== null) throw problem("conflict", `${CONFIGURED} to end the link.`);
    if (!(await this.#parts.identities.cut())) throw problem("not-found", "The gateway is not enrolled.");
  }

  get #identity(): IdentityStatus | null {
    return identityStatus(this.#parts.configured, this.#parts.identities);
  }

  #linkState({ isConnected, isCloned, isRefused }: CloudProgress): LinkState {
    const { clock } = this.#parts;
    const current = this.#identity;
    if (current === null) return { state: "NOT_ENROLLED", remedy: null, why: "not enrolled" };
    const { remedies, refusal, mistake, expiresAtMs } = current;
    if (isCloned) return { state: "CLONED", remedy: remedies.cloned, why: null };
    if (isConnected) return { state: "CONNECTED", remedy: null, why: null };
    if (mistake !== null) return { state: "ENROLLED", remedy: remedies.mistake, why: mistake };
    if (isRefused || refusal !== null) return { state: "REFUSED", remedy: remedies.refused, why: refusal };
    const isExpired = expiresAtMs !== null && clock.quality() !== "unset" && expiresAtMs <= clock.nowMs();
    if (isExpired) return { state: "EXPIRED", remedy: remedies.expired, why: "its credentials have expired" };
    return { state: "ENROLLED", remedy: null, why: null };
  }

  /** Returns the progress while no session runs. */
  #idle(): CloudProgress {
    return {
      isConnected: false,
      uplink: null,
      reason: "no session runs",
      isRefused: false,
      isCloned: false,
      isFull: false,
      streams: this.#gathered(),
      oldestAtMs: null,
      ratePerS: null,
      remainingMs: null,
      replays: 0,
      refusal: null,
    };
  }

  /** Returns the progress of the streams from the stored positions alone. */
  #gathered(): readonly CloudStreamProgress[] {
    const { meta } = this.#parts.store.outbox;
    if (meta === null) return [];
    const unknown = { oldestAtMs: null, ratePerS: null, remainingMs: null };
    return Object.entries(meta.streams).map(([stream, { next, acked }]) => {
      return { stream, epoch: meta.epoch, waiting: next - 1 - acked, ...unknown };
    });
  }

  async #commands(): Promise<CloudLinkView["commands"]> {
    const { store } = this.#parts;
    const { epoch, seq } = store.journalEnd;
    const entries = await store.journalAfter({ epoch, seq: Math.max(0, seq - MAX_ENTRIES) }, MAX_ENTRIES);
    const answered = entries.filter(({ event }) => event === ANSWERED_EVENT).toReversed();
    return answered.slice(0, MAX_COMMANDS).flatMap(({ atMs, payload }) => {
      const answer = Answer.safeParse(payload);
      if (!answer.success) return [];
      const { commandId, outcome, status, detail } = answer.data;
      return [{ at: instant(atMs), id: commandId, outcome, status, detail }];
    });
  }
}
