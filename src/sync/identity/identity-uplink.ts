/** Signs in with the account that is offered at the time, and says how that went. */
import type { Clock } from "../../platform/ports/ports.ts";
import type { PreferredUplink, WayStanding } from "../uplink/preferred-uplink.ts";
import {
  type FrameHint,
  type Uplink,
  type UplinkConnection,
  UplinkError,
  type UplinkEvents,
} from "../uplink/uplink.ts";
import type { CloudAccount, CloudAccounts } from "./account.ts";

/** What went to a stream last. */
export interface Sent {
  readonly through: number;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** Ways to a cloud service, and what is known of each. */
export type Ways = Pick<PreferredUplink, "connect" | "standing" | "way">;

export interface IdentityUplinkParts {
  readonly accounts: CloudAccounts;
  readonly clock: Pick<Clock, "nowMs">;
  /** The transports for an account, asked for once for each; `before` are those that were used last. */
  open(account: CloudAccount, before: Ways | null): Ways;
}

interface Opened {
  readonly account: CloudAccount;
  readonly ways: Ways;
}

interface Failed {
  readonly account: CloudAccount;
  readonly error: UplinkError;
}

export class IdentityUplink implements Uplink {
  readonly #parts: IdentityUplinkParts;
  readonly #sent = new Map<string, Sent>();
  #opened: readonly Opened[] = [];
  #latest: Opened | null = null;
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

  /** How each way does, in the order of preference; empty before the first connection. */
  get ways(): readonly (WayStanding & { readonly urls: readonly string[] })[] {
    const { account, ways } = this.#latest ?? {};
    return (ways?.standing ?? []).map((way, at) => ({ ...way, urls: account?.uplinks[at]?.urls ?? [] }));
  }

  /**
   * Tries what is offered in turn. Whether a key that is refused is at fault, or who refuses it, shows by the next one:
   * only when that one is let in is the refusal told.
   */
  async connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    const accounts = await this.#parts.accounts.offered();
    if (accounts.length === 0) throw new UplinkError({ kind: "refused", reason: "not enrolled", retryAfterMs: null });
    this.#open(accounts);
    const failed: Failed[] = [];
    for (const opened of this.#opened) {
      const { account, ways } = opened;
      this.#latest = opened;
      try {
        const connection = await ways.connect(this.#heard(account, events), signal);
        // Nothing waits for the disk: frames may come already. What is not noted now is noted at the next connection.
        void this.#letIn(account, failed);
        return this.#noted(connection);
      } catch (error) {
        if (!(error instanceof UplinkError)) throw error;
        failed.push({ account, error });
        if (!ways.standing.some(({ failure }) => failure?.kind === "refused")) throw error;
      }
    }
    return await this.#keptOut(failed);
  }

  /** Those that are open go on; a renewed key goes on by the way that was used. */
  #open(accounts: readonly CloudAccount[]): void {
    this.#opened = accounts.map((account) => {
      const open = this.#opened.find((each) => isSame(each.account, account));
      return open ?? { account, ways: this.#parts.open(account, this.#latest?.ways ?? null) };
    });
  }

  async #letIn(account: CloudAccount, failed: readonly Failed[]): Promise<void> {
    for (const { account: refused, error } of failed) await this.#refused(refused, error.end.reason);
    await this.#parts.accounts.worked(account).catch(() => undefined);
  }

  async #keptOut(failed: readonly Failed[]): Promise<never> {
    const last = failed.at(-1);
    if (last === undefined) throw new Error("no account was tried");
    if (last.error.end.kind === "refused") await this.#refused(last.account, last.error.end.reason);
    throw last.error;
  }

  /** A disk that does not take the note of a refusal changes nothing about it. */
  async #refused(account: CloudAccount, reason: string): Promise<void> {
    await this.#parts.accounts.refused(account, reason).catch(() => undefined);
  }

  #heard(account: CloudAccount, events: UplinkEvents): UplinkEvents {
    return {
      frame: (frame) => {
        this.#heardAtMs = this.#parts.clock.nowMs();
        events.frame(frame);
      },
      drained: () => events.drained(),
      closed: (end) => {
        if (end.kind === "refused") void this.#refused(account, end.reason);
        events.closed(end);
      },
    };
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

function isSame(one: CloudAccount, other: CloudAccount): boolean {
  const facts = ({ uplinks, signIn }: CloudAccount): string => JSON.stringify([uplinks, signIn]);
  return facts(one) === facts(other);
}
