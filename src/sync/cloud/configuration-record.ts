/** Builds the stored record of remote configuration, and what the gateway reports of it. Pure functions. */
import { createHash, createHmac } from "node:crypto";
import type { CloudLinkView } from "../../domain/cloud/cloud-link-view.ts";
import { instant } from "../../domain/fields.ts";
import type {
  CloudConfigurationRecord,
  CloudDocumentRecord,
  CloudOutcomeRecord,
} from "../../store/records/cloud/cloud-configuration.ts";
import { type Configuration, type Configured, MAX_CONFIGURATION_ERRORS, RemoteSettings } from "../protocol/downlink.ts";
import type { Hello } from "../protocol/handshake.ts";

const MAX_TEXT = 300;
const MAX_UNKNOWN_KEYS = 100;
const DIGEST_CHARACTERS = 32;

/** The reason why a document is no longer in use. */
export type RollbackReason = "not-connected" | "interrupted" | "broken-start" | "local-change" | "invalid";

/** One mistake in a document: where, what, and what was expected. */
export type ConfigurationMistake = CloudOutcomeRecord["errors"][number];

/** The record to store after a change, and the outcome for the document that caused it. */
export interface Step {
  readonly record: CloudConfigurationRecord;
  readonly outcome: CloudOutcomeRecord;
}

/**
 * Returns the record as the given sender sees it. Each sender has its own revision numbers, so another sender starts at
 * 0; the settings of the previous sender stay in use until this one replaces them.
 */
export function ofSender(record: CloudConfigurationRecord, sender: string): CloudConfigurationRecord {
  return record.sender === sender ? record : { ...record, sender, seen: 0 };
}

/** Returns the step for a document that was refused; it changed nothing. */
export function refused(
  record: CloudConfigurationRecord,
  revision: number,
  mistakes: readonly ConfigurationMistake[],
  atMs: number,
): Step {
  const outcome = { revision, outcome: "refused", reason: null, errors: shortened(mistakes), atMs } as const;
  return { outcome, record: { ...record, seen: revision, last: outcome } };
}

/** Returns the step for a document that is applied and stays in use. */
export function kept(record: CloudConfigurationRecord, document: CloudDocumentRecord, atMs: number): Step {
  const { revision, settings, unknownKeys, sections, base } = document;
  const outcome = { revision, outcome: "applied", reason: null, errors: [], atMs } as const;
  const own = { revision, settings, unknownKeys, sections, base };
  return {
    outcome,
    record: { ...record, seen: Math.max(record.seen, revision), kept: own, trial: null, last: outcome },
  };
}

/** Returns the step that ends the trial of a document or, without a trial, the use of the kept document. */
export function rolledBack(
  record: CloudConfigurationRecord,
  reason: RollbackReason,
  mistakes: readonly ConfigurationMistake[],
  atMs: number,
): Step {
  const revision = (record.trial ?? record.kept)?.revision ?? record.seen;
  const outcome = { revision, outcome: "rolled-back", reason, errors: shortened(mistakes), atMs } as const;
  const left = record.trial === null ? { kept: null } : { trial: null };
  return { outcome, record: { ...record, ...left, last: outcome } };
}

/** Returns the payload of the event that reports the outcome to the cloud service. */
export function configured({ record, outcome }: Step): Configured {
  const { revision, reason, errors } = outcome;
  const inUse = record.kept?.revision ?? null;
  const unknownKeys = outcome.outcome === "applied" ? [...(record.kept?.unknownKeys ?? [])] : [];
  return { revision, outcome: outcome.outcome, reason, errors: [...errors], inUse, unknownKeys };
}

/** Returns the document as it is stored. `base` is the result of `baseOf`. */
export function documentOf({ revision, settings, configuration }: Configuration, base: string): CloudDocumentRecord {
  const { telemetry, backlogPercent } = settings;
  const unknown = Object.keys(settings).filter((key) => !Object.hasOwn(RemoteSettings.shape, key));
  const unknownKeys = unknown.slice(0, MAX_UNKNOWN_KEYS);
  return { revision, settings: { telemetry, backlogPercent }, unknownKeys, sections: configuration, base };
}

/** Returns a SHA-256, hex, of some sections of the gateway's own file, to detect a change of them. */
export function baseOf(fileSays: readonly unknown[]): string {
  return createHash("sha256").update(canonical(fileSays)).digest("hex");
}

/** The configuration that runs now, and the remote document in it, if any. */
export interface InUse {
  readonly config: object;
  readonly document: CloudDocumentRecord | null;
  readonly isOnTrial: boolean;
}

/**
 * Returns the state of the remote configuration for a hello. The digest is salted, and the salt never leaves the
 * gateway, so nobody can guess a password from the digest.
 */
export function configurationStatus(
  record: CloudConfigurationRecord,
  sender: string,
  { config, document, isOnTrial }: InUse,
): NonNullable<Hello["configuration"]> {
  const isOurs = record.sender === sender;
  const digest = createHmac("sha256", record.salt).update(canonical(config)).digest("hex");
  return {
    revision: isOurs ? (document?.revision ?? null) : null,
    seen: isOurs ? record.seen : 0,
    isOnTrial,
    digest: digest.slice(0, DIGEST_CHARACTERS),
  };
}

/** Returns the state of the remote configuration as the API shows it. */
export function configurationView(record: CloudConfigurationRecord | null): CloudLinkView["configuration"] {
  const { trial = null, last = null } = record ?? {};
  return {
    revision: record?.kept?.revision ?? null,
    sections: Object.keys((trial ?? record?.kept)?.sections ?? {}),
    trialRevision: trial?.revision ?? null,
    trialSince: trial === null ? null : instant(trial.sinceMs),
    last:
      last === null
        ? null
        : {
            revision: last.revision,
            outcome: last.outcome,
            reason: last.reason,
            errors: [...last.errors],
            at: instant(last.atMs),
          },
  };
}

function shortened(mistakes: readonly ConfigurationMistake[]): readonly ConfigurationMistake[] {
  return mistakes.slice(0, MAX_CONFIGURATION_ERRORS).map(({ path, problem, expected }) => ({
    path: path.slice(0, MAX_TEXT),
    problem: problem.slice(0, MAX_TEXT),
    expected: expected?.slice(0, MAX_TEXT) ?? null,
  }));
}

/** Returns JSON with sorted keys, so that equal values give equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
