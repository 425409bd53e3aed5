import type { CloudLinkView } from "../domain/cloud/cloud-link-view.ts";

/** What the service set of the configuration, and what became of its last word; null: it never did. */
export function configurationText(view: CloudLinkView["configuration"], isRunning: boolean): string | null {
  const { revision, sections, trialRevision, trialSince, last } = view;
  const inUse = revision === null ? "the house's file alone" : `revision ${revision}`;
  const of = sections.length === 0 ? "" : ` of ${sections.join(", ")}`;
  const how = isRunning ? `on trial since ${trialSince}` : "cut short in its trial, and taken back at the next start";
  const trial = trialRevision === null ? [] : [`revision ${trialRevision}${of} ${how}`];
  const ends = last === null ? [] : [`last: ${last.at} revision ${last.revision} ${last.outcome}${whyText(last)}`];
  const parts = [trialRevision === null ? `${inUse}${of}` : inUse, ...trial, ...ends];
  return parts.length === 1 ? null : parts.join("; ");
}

function whyText({ reason, errors }: NonNullable<CloudLinkView["configuration"]["last"]>): string {
  const [first] = errors;
  const why = [reason, first === undefined ? null : `${first.path}: ${first.problem}`].filter((part) => part !== null);
  return why.length === 0 ? "" : ` (${why.join("; ")})`;
}
