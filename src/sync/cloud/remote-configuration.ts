/** The configuration that a cloud service sets: one document, checked, tried, and kept or taken back as a whole. */

import { isDeepStrictEqual } from "node:util";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type {
  CloudConfigurationRecord,
  CloudDocumentRecord,
  CloudSettingsRecord,
} from "../../store/records/cloud/cloud-configuration.ts";
import type { Store } from "../../store/store.ts";
import { CONFIGURED_EVENT, type Configuration } from "../protocol/downlink.ts";
import type { Hello } from "../protocol/meeting.ts";
import {
  baseOf,
  type ConfigurationMistake,
  configured,
  documentOf,
  kept,
  ofSender,
  type RollbackReason,
  refused,
  rolledBack,
  type Step,
  standing,
} from "./configuration-record.ts";

const TABLE = "cloud-configuration";
const KEY = "current";
/** Of the sections as JSON. */
const MAX_CHARACTERS = 512 * 1024;
/** A disk that refused is tried again. */
const RETRY_MS = 5_000;
const SALT_BYTES = 32;

/** The house's own configuration, and what sections of somebody else make of it. */
export interface ConfigurationLayer<Config extends object> {
  /** What the house's file makes alone. */
  readonly own: Config;
  /** What the file itself says in some sections. */
  fileSays(names: readonly string[]): readonly unknown[];
  /** The file with sections in place of its own, or everything that is wrong with that. */
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
  /** How long a document may take to be met by a welcome, ms. */
  readonly trialMs: number;
  /** The revision whose trial this start of the gateway is; null: this start is none. */
  readonly begun: number | null;
  /** Starts the gateway's parts anew: to try a revision, or (null) with what is kept. Called once. */
  restart(begun: number | null): void;
}

/** What a session with the cloud service tells it and asks it. */
export interface ConfigurationTaker {
  readonly settings: CloudSettingsRecord;
  readonly standing: NonNullable<Hello["configuration"]>;
  take(message: Configuration): Promise<void>;
  /** The two sides agree where they stand. */
  met(): void;
}

/** A configuration that nobody changes from afar. */
export function fixedLayer<Config extends object>(own: Config): ConfigurationLayer<Config> {
  return {
    own,
    fileSays: (names) => names.map(() => null),
    with(sections) {
      const mistakes = Object.keys(sections).map((path) => {
        return { path, problem: "this gateway takes no configuration from afar", expected: null };
      });
      return mistakes.length === 0 ? { ok: true, config: own } : { ok: false, mistakes };
    },
  };
}

export class RemoteConfiguration<Config extends object> implements ConfigurationTaker, AsyncDisposable {
  readonly #parts: RemoteConfigurationParts<Config>;
  readonly #fresh: CloudConfigurationRecord;
  #config: Config;
  #inUse: CloudDocumentRecord | null = null;
  #isOnTrial = false;
  /** Nothing more is taken: it is over, or about to be. */
  #isLeaving = false;
  #newest: Configuration | null = null;
  #turn: Promise<void> = Promise.resolve();
  #timer: Disposable | null = null;

  constructor(parts: RemoteConfigurationParts<Config>) {
    this.#parts = parts;
    this.#config = parts.layer.own;
    const salt = Buffer.from(parts.random.secretBytes(SALT_BYTES)).toString("base64");
    this.#fresh = { sender: this.#sender, seen: 0, kept: null, trial: null, last: null, salt };
  }

  /** Finds out what to start with. A trial that this start is not told of was cut short, and is over. */
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

  /** What the gateway's parts are made from. */
  get config(): Config {
    return this.#config;
  }

  get isOnTrial(): boolean {
    return this.#isOnTrial;
  }

  get settings(): CloudSettingsRecord {
    return this.#inUse?.settings ?? {};
  }

  get standing(): NonNullable<Hello["configuration"]> {
    return standing(this.#record, this.#sender, {
      config: this.#config,
      document: this.#inUse,
      isOnTrial: this.#isOnTrial,
    });
  }

  /** Of several only the newest counts. Resolves when something came of it; while a trial runs, of what came before. */
  take(message: Configuration): Promise<void> {
    if (message.revision > (this.#newest?.revision ?? 0)) this.#newest = message;
    return this.#queue(() => this.#takeNewest());
  }

  met(): void {
    if (this.#isOnTrial) void this.#queue(() => this.#keep());
  }

  /** The gateway's parts could not be made: what was before is in use again. */
  async failed(error: unknown): Promise<void> {
    const problem = errorText(error);
    await this.#rollBack("broken-start", [{ path: "", problem, expected: null }]);
    await this.#useKept();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isLeaving = true;
    this.#timer?.[Symbol.dispose]();
    await this.#turn;
  }

  get #record(): CloudConfigurationRecord {
    return this.#parts.store.get(TABLE, KEY) ?? this.#fresh;
  }

  get #sender(): string {
    const identity = this.#parts.store.get("cloud-identity", KEY);
    return identity === null ? "" : `${identity.service}#${identity.gateway}`;
  }

  /** Puts a record there with a salt of its own: before the first document there is none, and an old layout had none. */
  #salt(): void {
    if (this.#parts.store.get(TABLE, KEY)?.salt) return;
    this.#parts.store.commitAlong([this.#put({ ...this.#record, salt: this.#fresh.salt })]);
  }

  #queue(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      try {
        if (!this.#isLeaving) await work();
      } catch (err) {
        this.#parts.log.warn({ err }, "configuration of the cloud service not kept");
      }
    });
    return this.#turn;
  }

  async #takeNewest(): Promise<void> {
    const message = this.#newest;
    if (message === null || this.#isOnTrial) return;
    this.#newest = null;
    // One whose end the disk refused at the start.
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
    log.info({ revision, sections: Object.keys(configuration) }, "a configuration of the cloud service is tried");
    this.#isLeaving = true;
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
    // Nobody else than who sent it is to be reached with it.
    if (record.trial === null || !this.#isOnTrial || record.sender !== this.#sender) return;
    const { clock, log } = this.#parts;
    try {
      await this.#commit(kept(record, record.trial, clock.nowMs()));
    } catch (err) {
      // Until its time is up.
      log.warn({ err }, "configuration of the cloud service not kept yet");
      clock.timer(RETRY_MS, () => this.met());
      return;
    }
    this.#isOnTrial = false;
    this.#timer?.[Symbol.dispose]();
    log.info({ revision: record.trial.revision }, "a configuration of the cloud service is kept");
    await this.#takeNewest();
  }

  async #expire(): Promise<void> {
    if (!this.#isOnTrial) return;
    await this.#rollBack("not-connected");
    this.#isLeaving = true;
    this.#parts.restart(null);
  }

  /** When the disk refuses, the next start finds the same, and so does the next document. */
  async #rollBack(reason: RollbackReason, mistakes: readonly ConfigurationMistake[] = []): Promise<void> {
    const { clock, log } = this.#parts;
    this.#timer?.[Symbol.dispose]();
    this.#isOnTrial = false;
    const step = rolledBack(this.#record, reason, mistakes, clock.nowMs());
    log.warn({ revision: step.outcome.revision, reason }, "a configuration of the cloud service is taken back");
    await this.#commit(step).catch((err: unknown) => log.warn({ err }, "that it was taken back is not kept"));
  }

  /** The kept one, as long as nobody changed the same sections in the house since, and it still holds. */
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
