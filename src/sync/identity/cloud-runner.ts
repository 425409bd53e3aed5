/** Runs a session with the cloud service while the gateway has an account there. */
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Uplink } from "../uplink/uplink.ts";
import type { CloudAccounts } from "./account.ts";
import type { CloudLinkParts, ProgressSource } from "./cloud-link.ts";
import { IdentityUplink, type IdentityUplinkParts } from "./identity-uplink.ts";

/** A session that runs until it is disposed. */
export interface RunningSession extends ProgressSource, AsyncDisposable {}

export interface CloudRunnerParts {
  readonly accounts: CloudAccounts;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
  /** Opens the transports of an account. */
  readonly open: IdentityUplinkParts["open"];
  /** Resolves when the outbox is open or closed as the account requires. */
  whenCollecting(): Promise<void>;
  /** Starts a session under a gateway name. */
  start(gateway: string, uplink: Uplink): RunningSession;
}

interface Running {
  readonly gateway: string;
  readonly service: string | null;
  readonly progress: RunningSession;
  readonly uplink: IdentityUplink;
}

/**
 * Starts and ends sessions with the accounts. A renewed key stays in the same session; another name or another service
 * gets a new one.
 */
export class CloudRunner implements AsyncDisposable {
  readonly #parts: CloudRunnerParts;
  readonly #mutex = new KeyedMutex();
  readonly #watch: Disposable;
  #running: Running | null = null;
  #isOver = false;

  constructor(parts: CloudRunnerParts) {
    this.#parts = parts;
    this.#watch = parts.accounts.observe(() => this.#followLater());
    this.#followLater();
  }

  get session(): ReturnType<CloudLinkParts["session"]> {
    return this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#watch[Symbol.dispose]();
    await this.#mutex.run("session", () => this.#end());
  }

  #followLater(): void {
    this.#mutex
      .run("session", () => this.#follow())
      .catch((err: unknown) =>
        this.#parts.log.error({ err }, "cannot switch the session with the cloud service to the current account"),
      );
  }

  async #follow(): Promise<void> {
    const { accounts, clock, open, start, whenCollecting } = this.#parts;
    await whenCollecting();
    const { registration } = accounts;
    const isSame = registration?.gateway === this.#running?.gateway && registration?.service === this.#running?.service;
    if (isSame || this.#isOver) return;
    await this.#end();
    if (registration === null) return;
    const uplink = new IdentityUplink({ accounts, clock, open });
    const { gateway, service } = registration;
    this.#running = { gateway, service, uplink, progress: start(gateway, uplink) };
  }

  async #end(): Promise<void> {
    const ended = this.#running;
    this.#running = null;
    await ended?.progress[Symbol.asyncDispose]();
  }
}
