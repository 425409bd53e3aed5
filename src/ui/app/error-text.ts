/** What is said of a request that failed, in the language of the page. */
import { ApiError, PageError } from "./api.ts";
import type { Texts } from "./texts.ts";

/** Sentences by the status of the answer, in place of the usual one. */
export type Sentences = Readonly<Record<number, string>>;

/**
 * Returns a sentence in the language of the page. Where it is the usual one of a status, the gateway's own words follow:
 * they name the cause, in English.
 */
export function errorText(error: unknown, texts: Texts, sentences: Sentences = {}): string {
  if (error instanceof PageError) return error.message;
  if (!(error instanceof ApiError)) return String(error);
  const { errors } = texts;
  const known: Sentences = {
    0: texts.away,
    403: texts.notAllowed,
    429: errors.tooMany,
    503: errors.stopping,
    ...sentences,
  };
  const said = known[error.status];
  if (said !== undefined) return said;
  const faults = error.issues.map(({ path, code, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${issueWord(code, errors)} (${message}).`,
  );
  return [usualOf(error.status, errors), error.message, ...faults].join(" ");
}

/** Returns what is shown while an answer is waited for: the error of the last try, or that it takes a moment. */
export function waitText(error: unknown, texts: Texts): string {
  return error === null ? texts.loading : errorText(error, texts);
}

/** Returns what is wrong with a field, by the code of its issue. */
export function issueWord(code: string, { issues }: Texts["errors"]): string {
  return Object.hasOwn(issues, code) ? issues[code as keyof typeof issues] : issues.other;
}

function usualOf(status: number, errors: Texts["errors"]): string {
  switch (status) {
    case 404:
      return errors.gone;
    case 405:
    case 408:
      return errors.noAnswer;
    case 409:
      return errors.conflict;
    case 422:
      return errors.others;
    default:
      return status < 500 ? errors.invalid : errors.broken;
  }
}
