/** Signs in with the identity that is offered at the time, and says how that went. */
import type { Clock } from "../../platform/ports.ts";
import type { CloudIdentityRecord } from "../../store/records/cloud.ts";
import {
  type FrameHint,
  type Uplink,
  type UplinkConnection,
  type UplinkEnd,
  UplinkError,
  type UplinkEvents,
} from "../uplink/uplink.ts";
import type { Identities } from "./identities.ts";

/** What went to a stream last. */
export interface Sent {
  readonly through: number;
  /** Wall-clock ms. */
  readonly atMs: number;
}

export interface IdentityUplinkParts {
  readonly identities: Pick<Identities, "offered" | "worked" | "refused">;
  readonly clock: Pick<Clock, "nowMs">;
  /** The transport for an identity; asked for once for each. */
  open(identity: CloudIdentityRecord): Uplink;
}

export class IdentityUplink implements Uplink {
  readonly #parts: IdentityUplinkParts;
  readonly #sent = new Map<string, Sent>();
  #opened: { readonly fingerprint: string; readonly uplink: Uplink } | null = null;
  #heardAtMs: number | null = null;

  constructor(parts: IdentityUplinkParts) {
    this.#parts = parts;
  }

  /** Wall-clock ms of the last frame of the cloud service; null: none yet. */
  get heardAtMs(): number | null {
    return this.#heardAtMs;
  }

  /** By stream. */
  get sent(): ReadonlyMap<string, Sent> {
    return this.#sent;
  }

  async connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    const { identities } = this.#parts;
    const identity = identities.offered;
    if (identity === null) throw new UplinkError({ kind: "refused", reason: "not enrolled", retryAfterMs: null });
    const { fingerprint } = identity;
    try {
      const connection = await this.#uplinkFor(identity).connect(this.#heard(fingerprint, events), signal);
      // Nothing waits for the disk: frames may come already. What is not noted now is noted at the next connection.
      void identities.worked(fingerprint).catch(() => undefined);
      return this.#noted(connection);
    } catch (error) {
      if (error instanceof UplinkError) await this.#ended(fingerprint, error.end);
      throw error;
    }
  }

  #uplinkFor(identity: CloudIdentityRecord): Uplink {
    const { fingerprint } = identity;
    if (this.#opened?.fingerprint !== fingerprint) {
      this.#opened = { fingerprint, uplink: this.#parts.open(identity) };
    }
    return this.#opened.uplink;
  }

  #heard(fingerprint: string, events: UplinkEvents): UplinkEvents {
    return {
      frame: (frame) => {
        this.#heardAtMs = this.#parts.clock.nowMs();
        events.frame(frame);
      },
      drained: () => events.drained(),
      closed: (end) => {
        void this.#ended(fingerprint, end);
        events.closed(end);
      },
    };
  }

  /** A disk that does not take the note of a refusal changes nothing about it. */
  async #ended(fingerprint: string, { kind, reason }: UplinkEnd): Promise<void> {
    if (kind === "refused") await this.#parts.identities.refused(fingerprint, reason).catch(() => undefined);
  }

  #noted(connection: UplinkConnection): UplinkConnection {
    const note = (hint: FrameHint): void => {
      if (hint.kind !== "batch") return;
      this.#sent.set(hint.stream, { through: hint.through, atMs: this.#parts.clock.nowMs() });
    };
    return {
      get name() {
        return connection.name;
      },
      get credits() {
        return connection.credits;
      },
      get maxFrameBytes() {
        return connection.maxFrameBytes;
      },
      send: (frame, hint) => {
        note(hint);
        connection.send(frame, hint);
      },
      [Symbol.dispose]: () => connection[Symbol.dispose](),
    };
  }
}
