/** What is known of configurations from afar, from one step to the next. Pure. */
import { createHash, createHmac } from "node:crypto";
import type { CloudLinkView } from "../../domain/cloud/cloud-link-view.ts";
import { instant } from "../../domain/fields.ts";
import type {
  CloudConfigurationRecord,
  CloudDocumentRecord,
  CloudOutcomeRecord,
} from "../../store/records/cloud/cloud-configuration.ts";
import { type Configuration, type Configured, MAX_CONFIGURATION_ERRORS, RemoteSettings } from "../protocol/downlink.ts";
import type { Hello } from "../protocol/meeting.ts";

const MAX_TEXT = 300;
const MAX_UNKNOWN_KEYS = 100;
const DIGEST_CHARACTERS = 32;

/** Why a document is not in use any more. */
export type RollbackReason = "not-connected" | "interrupted" | "broken-start" | "local-change" | "invalid";

/** Something that is wrong with a document. */
export type ConfigurationMistake = CloudOutcomeRecord["errors"][number];

/** A record, and what became of the document that it is about. */
export interface Step {
  readonly record: CloudConfigurationRecord;
  readonly outcome: CloudOutcomeRecord;
}

/** Nothing is known of another sender's revisions; what it set stays until this one sets something else. */
export function ofSender(record: CloudConfigurationRecord, sender: string): CloudConfigurationRecord {
  return record.sender === sender ? record : { ...record, sender, seen: 0 };
}

export function refused(
  record: CloudConfigurationRecord,
  revision: number,
  mistakes: readonly ConfigurationMistake[],
  atMs: number,
): Step {
  const outcome = { revision, outcome: "refused", reason: null, errors: shortened(mistakes), atMs } as const;
  return { outcome, record: { ...record, seen: revision, last: outcome } };
}

/** It is in use, and stays. */
export function kept(record: CloudConfigurationRecord, document: CloudDocumentRecord, atMs: number): Step {
  const { revision, settings, unknownKeys, sections, base } = document;
  const outcome = { revision, outcome: "applied", reason: null, errors: [], atMs } as const;
  const own = { revision, settings, unknownKeys, sections, base };
  return {
    outcome,
    record: { ...record, seen: Math.max(record.seen, revision), kept: own, trial: null, last: outcome },
  };
}

/** Its trial is over; without a trial the kept one is over. */
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

/** What the cloud service is told of it. */
export function configured({ record, outcome }: Step): Configured {
  const { revision, reason, errors } = outcome;
  const inUse = record.kept?.revision ?? null;
  const unknownKeys = outcome.outcome === "applied" ? [...(record.kept?.unknownKeys ?? [])] : [];
  return { revision, outcome: outcome.outcome, reason, errors: [...errors], inUse, unknownKeys };
}

/** How it is kept. `base`: as `baseOf` tells. */
export function documentOf({ revision, settings, configuration }: Configuration, base: string): CloudDocumentRecord {
  const { telemetry, backlogPercent } = settings;
  const unknown = Object.keys(settings).filter((key) => !Object.hasOwn(RemoteSettings.shape, key));
  const unknownKeys = unknown.slice(0, MAX_UNKNOWN_KEYS);
  return { revision, settings: { telemetry, backlogPercent }, unknownKeys, sections: configuration, base };
}

/** Tells whether what the house's file says in some sections is still the same. */
export function baseOf(fileSays: readonly unknown[]): string {
  return createHash("sha256").update(canonical(fileSays)).digest("hex");
}

/** What a gateway is made from, and the document in it, if any. */
export interface InUse {
  readonly config: object;
  readonly document: CloudDocumentRecord | null;
  readonly isOnTrial: boolean;
}

/** As a hello says it. Nobody guesses a password by the digest: the salt never leaves the gateway. */
export function standing(
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

/** As the owner is shown it. */
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

/** JSON in which the order of keys tells nothing. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
