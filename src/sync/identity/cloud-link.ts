/** The link to the cloud service for its owner: who we are there, how it does, and the end of it. */
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
import { type Held, heldBy } from "./held.ts";
import type { Identities } from "./identities.ts";
import type { IdentityUplink } from "./identity-uplink.ts";

const ANSWERED_EVENT = "system:cloud:command-answered";
/** How far back in the journal commands are looked for. */
const MAX_ENTRIES = 1_000;
const MAX_COMMANDS = 20;

/** What a session tells of itself. */
export interface ProgressSource {
  /** True after both sides agreed where they stand. */
  readonly isConnected: boolean;
  readonly counts: CloudCounts;
  progress(): Promise<CloudProgress>;
}

export interface CloudLinkParts {
  readonly store: Pick<OpenedStore, "outbox" | "journalAfter" | "journalEnd" | "get">;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly identities: Identities;
  /** What the configuration says instead of an enrolment; null: it says nothing. */
  readonly configured: ConfiguredAccounts | null;
  /** Null while there is no session. */
  session(): {
    readonly progress: ProgressSource;
    readonly uplink: Pick<IdentityUplink, "heardAtMs" | "sent" | "ways">;
  } | null;
}

type Standing = Pick<CloudLinkView, "state" | "remedy"> & { readonly why: string | null };

const CONFIGURED =
  "The configuration says which cloud service this gateway has (cloud.gateway). Take that out, and start the gateway again";

/** Those of a session once it tried one; before that, those that there are. */
function waysView(
  ways: IdentityUplink["ways"],
  uplinks: readonly { readonly kind: string; readonly urls: readonly string[] }[],
): CloudLinkView["ways"] {
  const known = uplinks.map(({ kind, urls }) => ({ name: kind, urls, isInUse: false, failure: null }));
  return (ways.length > 0 ? ways : known).map(({ name, urls, isInUse, failure }) => ({
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

export class OwnersCloudLink implements CloudLink {
  readonly #parts: CloudLinkParts;

  constructor(parts: CloudLinkParts) {
    this.#parts = parts;
  }

  async view(): Promise<CloudLinkView> {
    const { identities } = this.#parts;
    const session = this.#parts.session();
    const progress = (await session?.progress.progress()) ?? this.#idle();
    const { state, remedy, why } = this.#standing(progress);
    const held = this.#held;
    return {
      state,
      reason: why ?? progress.reason,
      remedy,
      identity: held?.identity ?? null,
      uplink: progress.uplink,
      ways: waysView(session?.uplink.ways ?? [], held?.uplinks ?? []),
      lastContactAt: instantOrNull(session?.uplink.heardAtMs ?? null),
      streams: progress.streams.map((each) => streamView(each, session?.uplink.sent.get(each.stream))),
      oldestWaitingAt: instantOrNull(progress.oldestAtMs),
      isFull: progress.isFull,
      recordsPerSecond: progress.ratePerS,
      remainingSeconds: secondsOrNull(progress.remainingMs),
      replays: progress.replays,
      refused: refusedView(progress.refusal),
      commands: await this.#commands(),
      configuration: configurationView(this.#parts.store.get("cloud-configuration", "current")),
      farewells: identities.farewells.length,
    };
  }

  figures(): CloudFigures {
    const held = this.#held;
    return {
      isEnrolled: held !== null,
      isConnected: this.#parts.session()?.progress.isConnected ?? false,
      isRefused: (held?.refusal ?? null) !== null,
      expiresAtMs: held?.expiresAtMs ?? null,
      heardAtMs: this.#parts.session()?.uplink.heardAtMs ?? null,
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
      throw problem("service-unavailable", `${error.message}. The token may still be good: try again with it.`);
    }
  }

  async cut(): Promise<void> {
    if (this.#parts.configured !== null) throw problem("conflict", `${CONFIGURED}: that ends the link.`);
    if (!(await this.#parts.identities.cut())) throw problem("not-found", "The gateway is not enrolled.");
  }

  get #held(): Held | null {
    return heldBy(this.#parts.configured, this.#parts.identities);
  }

  #standing({ isConnected, isCloned, isRefused }: CloudProgress): Standing {
    const { clock } = this.#parts;
    const held = this.#held;
    if (held === null) return { state: "NOT_ENROLLED", remedy: null, why: "not enrolled" };
    const { remedies, refusal, mistake, expiresAtMs } = held;
    if (isCloned) return { state: "CLONED", remedy: remedies.cloned, why: null };
    if (isConnected) return { state: "CONNECTED", remedy: null, why: null };
    if (mistake !== null) return { state: "ENROLLED", remedy: remedies.mistake, why: mistake };
    if (isRefused || refusal !== null) return { state: "REFUSED", remedy: remedies.refused, why: refusal };
    const isExpired = expiresAtMs !== null && clock.quality() !== "unset" && expiresAtMs <= clock.nowMs();
    if (isExpired) return { state: "EXPIRED", remedy: remedies.expired, why: "its credentials have expired" };
    return { state: "ENROLLED", remedy: null, why: null };
  }

  /** What there is to tell without a session. */
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

  /** What the disk alone says of the streams. */
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
