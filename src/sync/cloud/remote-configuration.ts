/**
 * Applies the configuration that a cloud service sets: a document is checked, tried, and then kept or rolled back as a
 * whole.
 */

import { isDeepStrictEqual } from "node:util";
import { errorText } from "../../platform/error-text.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type {
  CloudConfigurationRecord,
  CloudDocumentRecord,
  CloudSettingsRecord,
} from "../../store/records/cloud/cloud-configuration.ts";
import type { Store } from "../../store/store.ts";
import { CONFIGURED_EVENT, type Configuration } from "../protocol/downlink.ts";
import type { Hello } from "../protocol/handshake.ts";
import {
  baseOf,
  type ConfigurationMistake,
  configurationStatus,
  configured,
  documentOf,
  kept,
  ofSender,
  type RollbackReason,
  refused,
  rolledBack,
  type Step,
} from "./configuration-record.ts";

const TABLE = "cloud-configuration";
const KEY = "current";
/** Maximum size of the sections as JSON. */
const MAX_CHARACTERS = 512 * 1024;
/** Delay before a write is tried again after the disk refused it. */
const RETRY_MS = 5_000;
const SALT_BYTES = 32;

/** The gateway's own configuration file, and how remote sections change it. */
export interface ConfigurationLayer<Config extends object> {
  /** The configuration of the file alone. */
  readonly own: Config;
  /** Returns the file's own values of some sections. */
  fileSays(names: readonly string[]): readonly unknown[];
  /** Returns the configuration with sections of the file replaced, or all mistakes in them. */
  with(
    sections: Readonly<Record<string, unknown>>,
  ):
    | { readonly ok: true; readonly config: Config }
    | { readonly ok: false; readonly mistakes: readonly ConfigurationMistake[] };
}

export interface RemoteConfigurationParts<Config extends object> {
  readonly store: Pick<Store, "get" | "commit" | "commitAlong">;
  readonly clock: Clock;
  readonly random: Pick<Random, "secretBytes">;
  readonly log: Pick<Log, "info" | "warn">;
  readonly layer: ConfigurationLayer<Config>;
  /** How long a trial lasts without a handshake before it is rolled back, ms. */
  readonly trialMs: number;
  /** The revision that this start of the gateway tries; `null` if it tries none. */
  readonly begun: number | null;
  /** Restarts the gateway: to try a revision, or (`null`) with the kept configuration. Called once. */
  restart(begun: number | null): void;
}

/** Receives the remote configuration from a session with the cloud service. */
export interface ConfigurationReceiver {
  readonly settings: CloudSettingsRecord;
  readonly status: NonNullable<Hello["configuration"]>;
  receive(message: Configuration): Promise<void>;
  /** Called after the handshake. */
  agreed(): void;
}

/** Returns a layer that accepts no remote sections. */
export function fixedLayer<Config extends object>(own: Config): ConfigurationLayer<Config> {
  return {
    own,
    fileSays: (names) => names.map(() => null),
    with(sections) {
      const mistakes = Object.keys(sections).map((path) => {
        return { path, problem: "this gateway accepts no remote configuration", expected: null };
      });
      return mistakes.length === 0 ? { ok: true, config: own } : { ok: false, mistakes };
    },
  };
}

/** The remote configuration of a running gateway. */
export class RemoteConfiguration<Config extends object> implements ConfigurationReceiver, AsyncDisposable {
  readonly #parts: RemoteConfigurationParts<Config>;
  readonly #fresh: CloudConfigurationRecord;
  readonly #mutex = new KeyedMutex({ maxWaiting: null });
  #config: Config;
  #inUse: CloudDocumentRecord | null = null;
  #isOnTrial = false;
  /** True if the gateway stops or restarts, so that no document is processed any more. */
  #isClosed = false;
  #newest: Configuration | null = null;
  #timer: Disposable | null = null;

  constructor(parts: RemoteConfigurationParts<Config>) {
    this.#parts = parts;
    this.#config = parts.layer.own;
    const salt = Buffer.from(parts.random.secretBytes(SALT_BYTES)).toString("base64");
    this.#fresh = { sender: this.#sender, seen: 0, kept: null, trial: null, last: null, salt };
  }

  /**
   * Decides which configuration this start of the gateway uses. A trial that does not belong to this start was
   * interrupted and is rolled back.
   */
  static async open<Config extends object>(
    parts: RemoteConfigurationParts<Config>,
  ): Promise<RemoteConfiguration<Config>> {
    const opened = new RemoteConfiguration(parts);
    const { trial } = opened.#record;
    opened.#salt();
    if (trial !== null && trial.revision === parts.begun) await opened.#beginTrial(trial);
    else {
      if (trial !== null) await opened.#rollBack("interrupted");
      await opened.#useKept();
    }
    return opened;
  }

  /** The configuration to run with. */
  get config(): Config {
    return this.#config;
  }

  get isOnTrial(): boolean {
    return this.#isOnTrial;
  }

  get settings(): CloudSettingsRecord {
    return this.#inUse?.settings ?? {};
  }

  get status(): NonNullable<Hello["configuration"]> {
    return configurationStatus(this.#record, this.#sender, {
      config: this.#config,
      document: this.#inUse,
      isOnTrial: this.#isOnTrial,
    });
  }

  /**
   * Queues a document; only the newest one is processed. Resolves when it was processed or, during a trial, when the
   * earlier ones were.
   */
  receive(message: Configuration): Promise<void> {
    if (message.revision > (this.#newest?.revision ?? 0)) this.#newest = message;
    return this.#queue(() => this.#processNewest());
  }

  agreed(): void {
    if (this.#isOnTrial) void this.#queue(() => this.#keep());
  }

  /** Rolls back after a failed start of the gateway; the previous configuration is in use again. */
  async failed(error: unknown): Promise<void> {
    const problem = errorText(error);
    await this.#rollBack("broken-start", [{ path: "", problem, expected: null }]);
    await this.#useKept();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    await this.#mutex.settled();
  }

  get #record(): CloudConfigurationRecord {
    return this.#parts.store.get(TABLE, KEY) ?? this.#fresh;
  }

  get #sender(): string {
    const identity = this.#parts.store.get("cloud-identity", KEY);
    return identity === null ? "" : `${identity.service}#${identity.gateway}`;
  }

  /**
   * Stores a record with a salt if there is none: before the first document, or after an older version of the layout.
   */
  #salt(): void {
    if (this.#parts.store.get(TABLE, KEY)?.salt) return;
    this.#parts.store.commitAlong([this.#put({ ...this.#record, salt: this.#fresh.salt })]);
  }

  #queue(work: () => Promise<void>): Promise<void> {
    return this.#mutex.run("changes", async () => {
      try {
        if (!this.#isClosed) await work();
      } catch (err) {
        this.#parts.log.warn({ err }, "cannot store the remote configuration; it has no effect");
      }
    });
  }

  async #processNewest(): Promise<void> {
    const message = this.#newest;
    if (message === null || this.#isOnTrial) return;
    this.#newest = null;
    // An interrupted trial whose rollback the disk refused at the start.
    if (this.#record.trial !== null) await this.#rollBack("interrupted");
    const record = ofSender(this.#record, this.#sender);
    if (message.revision > record.seen) await this.#judge(record, message);
  }

  async #judge(record: CloudConfigurationRecord, message: Configuration): Promise<void> {
    const { layer, clock, restart, log } = this.#parts;
    const { revision, configuration } = message;
    const isLong = JSON.stringify(configuration).length > MAX_CHARACTERS;
    const result = isLong ? TOO_LONG : layer.with(configuration);
    if (!result.ok) {
      const step = refused(record, revision, result.mistakes, clock.nowMs());
      return await this.#commit(step);
    }
    const document = documentOf(message, baseOf(layer.fileSays(Object.keys(configuration))));
    if (isDeepStrictEqual(result.config, this.#config)) {
      await this.#commit(kept(record, document, clock.nowMs()));
      this.#inUse = document;
      return;
    }
    const trial = { ...document, sinceMs: clock.nowMs() };
    await this.#parts.store.commit([this.#put({ ...record, seen: revision, trial })], []);
    log.info({ revision, sections: Object.keys(configuration) }, "restarting to try a remote configuration");
    this.#isClosed = true;
    restart(revision);
  }

  async #beginTrial(trial: CloudDocumentRecord): Promise<void> {
    const { layer, clock, trialMs } = this.#parts;
    const result = layer.with(trial.sections);
    if (!result.ok) {
      await this.#rollBack("invalid", result.mistakes);
      return await this.#useKept();
    }
    this.#config = result.config;
    this.#inUse = trial;
    this.#isOnTrial = true;
    this.#timer = clock.timer(trialMs, () => void this.#queue(() => this.#expire()));
  }

  async #keep(): Promise<void> {
    const record = this.#record;
    // Only a handshake with the sender of the document confirms it.
    if (record.trial === null || !this.#isOnTrial || record.sender !== this.#sender) return;
    const { clock, log } = this.#parts;
    try {
      await this.#commit(kept(record, record.trial, clock.nowMs()));
    } catch (err) {
      // Tried again until the trial ends.
      log.warn({ err }, "cannot store that the remote configuration is confirmed; trying again");
      clock.timer(RETRY_MS, () => this.agreed());
      return;
    }
    this.#isOnTrial = false;
    this.#timer?.[Symbol.dispose]();
    log.info({ revision: record.trial.revision }, "the remote configuration is confirmed and stays in use");
    await this.#processNewest();
  }

  async #expire(): Promise<void> {
    if (!this.#isOnTrial) return;
    await this.#rollBack("not-connected");
    this.#isClosed = true;
    this.#parts.restart(null);
  }

  /** If the disk refuses the write, the next start or the next document rolls back again. */
  async #rollBack(reason: RollbackReason, mistakes: readonly ConfigurationMistake[] = []): Promise<void> {
    const { clock, log } = this.#parts;
    this.#timer?.[Symbol.dispose]();
    this.#isOnTrial = false;
    const step = rolledBack(this.#record, reason, mistakes, clock.nowMs());
    log.warn({ revision: step.outcome.revision, reason }, "rolling back the remote configuration");
    await this.#commit(step).catch((err: unknown) =>
      log.warn({ err }, "cannot store the rollback of the remote configuration; it is repeated at the next start"),
    );
  }

  /** Uses the kept document if it is still valid and nobody has changed the same sections of the gateway's own file. */
  async #useKept(): Promise<void> {
    const { layer } = this.#parts;
    const document = this.#record.kept;
    this.#config = layer.own;
    this.#inUse = null;
    if (document === null) return;
    const isSame = baseOf(layer.fileSays(Object.keys(document.sections))) === document.base;
    const result = layer.with(document.sections);
    if (isSame && result.ok) {
      this.#config = result.config;
      this.#inUse = document;
    } else {
      await this.#rollBack(isSame ? "invalid" : "local-change", result.ok || !isSame ? [] : result.mistakes);
    }
  }

  async #commit(step: Step): Promise<void> {
    const event = { event: CONFIGURED_EVENT, payload: configured(step) };
    await this.#parts.store.commit([this.#put(step.record)], [event]);
  }

  #put(record: CloudConfigurationRecord) {
    return { table: TABLE, key: KEY, put: record } as const;
  }
}

const TOO_LONG = {
  ok: false,
  mistakes: [{ path: "", problem: "the document is too long", expected: `at most ${MAX_CHARACTERS} characters` }],
} as const;
