/** Signs in with the current accounts, and reports which were accepted and refused. */
import type { Clock } from "../../platform/ports/ports.ts";
import type { PreferredUplink, UplinkStatus } from "../uplink/preferred-uplink.ts";
import {
  type FrameHint,
  type Uplink,
  type UplinkConnection,
  UplinkError,
  type UplinkEvents,
} from "../uplink/uplink.ts";
import type { CloudAccount, CloudAccounts } from "./account.ts";

/** The last record that was sent of a stream. */
export interface Sent {
  readonly through: number;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** The transports of an account, and their state. */
export type Transports = Pick<PreferredUplink, "connect" | "status" | "current">;

export interface IdentityUplinkParts {
  readonly accounts: CloudAccounts;
  readonly clock: Pick<Clock, "nowMs">;
  /** Opens the transports of an account; called once per account. `before`: the transports that were used last. */
  open(account: CloudAccount, before: Transports | null): Transports;
}

interface Opened {
  readonly account: CloudAccount;
  readonly transports: Transports;
}

interface Failed {
  readonly account: CloudAccount;
  readonly error: UplinkError;
}

/** An uplink that signs in with the accounts in their order. */
export class IdentityUplink implements Uplink {
  readonly #parts: IdentityUplinkParts;
  readonly #sent = new Map<string, Sent>();
  #opened: readonly Opened[] = [];
  #latest: Opened | null = null;
  #lastContactMs: number | null = null;

  constructor(parts: IdentityUplinkParts) {
    this.#parts = parts;
  }

  /** Wall-clock ms of the last received frame; `null` if there was none. */
  get lastContactMs(): number | null {
    return this.#lastContactMs;
  }

  /** What was sent last, by stream. */
  get sent(): ReadonlyMap<string, Sent> {
    return this.#sent;
  }

  /** The state of each transport, in the order of preference; empty before the first connection. */
  get transports(): readonly (UplinkStatus & { readonly urls: readonly string[] })[] {
    const { account, transports } = this.#latest ?? {};
    return (transports?.status ?? []).map((status, at) => ({ ...status, urls: account?.uplinks[at]?.urls ?? [] }));
  }

  /**
   * Tries the accounts in their order. A refusal of one is reported only after the next one was accepted: before that,
   * either the key or the server may be the cause.
   */
  async connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    const accounts = await this.#parts.accounts.offered();
    if (accounts.length === 0) throw new UplinkError({ kind: "refused", reason: "not enrolled", retryAfterMs: null });
    this.#open(accounts);
    const failed: Failed[] = [];
    for (const opened of this.#opened) {
      const { account, transports } = opened;
      this.#latest = opened;
      try {
        const connection = await transports.connect(this.#withContact(account, events), signal);
        // The connection does not wait for the disk, because frames may arrive already. What cannot be stored now is
        // stored at the next connection.
        void this.#accepted(account, failed);
        return this.#withSent(connection);
      } catch (error) {
        if (!(error instanceof UplinkError)) throw error;
        failed.push({ account, error });
        if (!transports.status.some(({ failure }) => failure?.kind === "refused")) throw error;
      }
    }
    return await this.#notAccepted(failed);
  }

  /** Keeps open transports of unchanged accounts; a renewed key starts with the transport that was used last. */
  #open(accounts: readonly CloudAccount[]): void {
    this.#opened = accounts.map((account) => {
      const open = this.#opened.find((each) => isSame(each.account, account));
      return open ?? { account, transports: this.#parts.open(account, this.#latest?.transports ?? null) };
    });
  }

  async #accepted(account: CloudAccount, failed: readonly Failed[]): Promise<void> {
    for (const { account: refused, error } of failed) await this.#refused(refused, error.end.reason);
    await this.#parts.accounts.accepted(account).catch(() => undefined);
  }

  async #notAccepted(failed: readonly Failed[]): Promise<never> {
    const last = failed.at(-1);
    if (last === undefined) throw new Error("no account was tried");
    if (last.error.end.kind === "refused") await this.#refused(last.account, last.error.end.reason);
    throw last.error;
  }

  /** A refusal that cannot be stored is ignored; it is noted again at the next one. */
  async #refused(account: CloudAccount, reason: string): Promise<void> {
    await this.#parts.accounts.refused(account, reason).catch(() => undefined);
  }

  #withContact(account: CloudAccount, events: UplinkEvents): UplinkEvents {
    return {
      frame: (frame) => {
        this.#lastContactMs = this.#parts.clock.nowMs();
        events.frame(frame);
      },
      drained: () => events.drained(),
      closed: (end) => {
        if (end.kind === "refused") void this.#refused(account, end.reason);
        events.closed(end);
      },
    };
  }

  #withSent(connection: UplinkConnection): UplinkConnection {
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

function isSame(one: CloudAccount, other: CloudAccount): boolean {
  const facts = ({ uplinks, signIn }: CloudAccount): string => JSON.stringify([uplinks, signIn]);
  return facts(one) === facts(other);
}
