import { type ProblemError, problem } from "../../domain/problem.ts";

/** What is wrong with a question that its schema could not see, at the parameter's place. */
export function wrongQuery(parameter: string, detail: string): ProblemError {
  return problem("bad-request", detail, {
    issues: [{ code: "custom", path: [parameter], message: detail, in: "query" }],
  });
}
