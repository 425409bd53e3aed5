/** The link to the cloud service for its owner: who we are there, how it does, and the end of it. */
import type { CloudLinkView } from "../../domain/cloud-link-view.ts";
import { instant, instantOrNull } from "../../domain/fields.ts";
import { problem } from "../../domain/problem.ts";
import type { CloudFigures, CloudLink, CloudProgress } from "../../engine/services/cloud-link.ts";
import type { Clock } from "../../platform/ports.ts";
import type { OpenedStore } from "../../store/store.ts";
import { configurationView } from "../cloud/configuration-record.ts";
import { Answer } from "../protocol/downlink.ts";
import type { ConfiguredAccounts } from "./configured-accounts.ts";
import { EnrolmentError } from "./enrolment-service.ts";
import { type Held, heldBy } from "./held.ts";
import type { Identities } from "./identities.ts";
import type { IdentityUplink } from "./identity-uplink.ts";

const MS_PER_SECOND = 1_000;
const ANSWERED_EVENT = "system:cloud:command-answered";
/** How far back in the journal commands are looked for. */
const MAX_ENTRIES = 1_000;
const MAX_COMMANDS = 20;

/** What a session tells of itself. */
export interface ProgressSource {
  /** True after both sides agreed where they stand. */
  readonly isConnected: boolean;
  /** Rejects with a `StorageError`. */
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
      streams: progress.streams.map(({ stream, waiting }) => {
        const sent = session?.uplink.sent.get(stream);
        return { stream, waiting, sentThrough: sent?.through ?? null, sentAt: instantOrNull(sent?.atMs ?? null) };
      }),
      oldestWaitingAt: instantOrNull(progress.oldestAtMs),
      isFull: progress.isFull,
      recordsPerSecond: progress.ratePerS,
      remainingSeconds: progress.remainingMs === null ? null : Math.ceil(progress.remainingMs / MS_PER_SECOND),
      replays: progress.replays,
      commands: await this.#commands(),
      configuration: configurationView(this.#parts.store.get("cloud-configuration", "current")),
      farewells: identities.farewells.length,
    };
  }

  figures(): CloudFigures {
    const { store } = this.#parts;
    const held = this.#held;
    const streams = Object.entries(store.outbox.meta?.streams ?? {});
    return {
      isEnrolled: held !== null,
      isConnected: this.#parts.session()?.progress.isConnected ?? false,
      isRefused: (held?.refusal ?? null) !== null,
      expiresAtMs: held?.expiresAtMs ?? null,
      heardAtMs: this.#parts.session()?.uplink.heardAtMs ?? null,
      streams: streams.map(([stream, { next, acked, bytes }]) => ({ stream, waiting: next - 1 - acked, bytes })),
    };
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
      streams: this.figures().streams,
      oldestAtMs: null,
      ratePerS: null,
      remainingMs: null,
      replays: 0,
    };
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
