/** What is wrong with a webhook that a client asks for, beyond its schema. */
import { type Issue, type ProblemError, problem } from "../../domain/problem.ts";
import { isSubscribable, type WebhookUpdate } from "../../domain/webhooks/webhook.ts";
import { isReservedHeader } from "./post.ts";
import { refuseTarget, type TargetRules } from "./target-policy.ts";

const INVALID_TITLE = "Webhook input is not valid.";
export const DUPLICATE_TITLE = "Webhook already exists.";

export interface InputRules extends TargetRules {
  readonly namePrefix: string;
}

/** Throws `bad-request` with an issue for each field that cannot be. */
export function checkInput(input: WebhookUpdate, rules: InputRules): void {
  const issues = [...urlIssues(input, rules), ...eventIssues(input, rules), ...headerIssues(input, rules)];
  if (issues.length > 0) throw invalid(issues);
}

function invalid(issues: readonly Issue[]): ProblemError {
  const [first, second] = issues;
  const detail =
    first === undefined || second !== undefined
      ? "The webhook has several errors; see `issues`."
      : `body.${first.path.join(".")}: ${first.message}`;
  return problem("bad-request", detail, { title: INVALID_TITLE, issues });
}

function urlIssues({ url }: WebhookUpdate, rules: InputRules): readonly Issue[] {
  if (url === undefined) return [];
  if (!URL.canParse(url)) return [issue("invalid_string", ["url"], "Expected a URL")];
  const refusal = refuseTarget(new URL(url), rules);
  return refusal === null ? [] : [issue("custom", ["url"], refusal)];
}

function eventIssues({ events }: WebhookUpdate, { namePrefix }: InputRules): readonly Issue[] {
  return (events ?? []).flatMap((name, at) =>
    isSubscribable(name, namePrefix) ? [] : [issue("invalid_enum", ["events", at], "There is no such event")],
  );
}

function headerIssues({ authentication }: WebhookUpdate, { namePrefix }: InputRules): readonly Issue[] {
  const name = authentication?.headerName;
  if (name === undefined || !isReservedHeader(name, namePrefix)) return [];
  return [issue("custom", ["authentication", "headerName"], "The delivery sets this header itself")];
}

function issue(code: string, path: (string | number)[], message: string): Issue {
  return { code, path, message, in: "body" };
}
