/** Holds every answer that a test gets against the description: no status, problem or body may be other than it lists. */
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import type { Config } from "../../../src/config/config.ts";
import { type Description, faultsOf, operationFor, unlistedProblem } from "./description.ts";

/** What the watch has to know of a request. */
interface Asked {
  readonly method?: string;
  readonly url?: string | object;
}

/** Descriptions of one process, by what they depend on. */
const documents = new Map<string, Description>();

/** Throws when an answer is not as the description of its version says. */
export function watchAnswers(api: FastifyInstance, config: Config) {
  const key = JSON.stringify([config.compat, config.sandbox]);
  const versionHeader = `${config.compat.namePrefix}-version`.toLowerCase();
  return async (request: Asked, answer: LightMyRequestResponse): Promise<void> => {
    const version = answer.headers[versionHeader];
    const { method = "GET", url } = request;
    if (typeof version !== "string" || typeof url !== "string" || method === "HEAD" || method === "OPTIONS") return;
    const document = documents.get(`${key} ${version}`) ?? (await describe(api, version));
    // A gateway that stops tells nobody any more.
    if (document === null) return;
    documents.set(`${key} ${version}`, document);
    const operation = operationFor(document, method, url.split("?", 1)[0] ?? "");
    const type = String(answer.headers["content-type"] ?? "");
    if (operation === null || type.startsWith("text/event-stream")) return;
    const faults = [...faultsOf(document, operation, answer), ...unlistedProblem(operation, answer)];
    if (faults.length === 0) return;
    throw new Error(`${method} ${url} is answered other than described: ${faults.join("; ")}; ${answer.body}`);
  };
}

async function describe(api: FastifyInstance, version: string): Promise<Description | null> {
  const answer = await api.inject({ url: `/openapi.json?version=${version}` });
  return answer.statusCode === 200 ? answer.json<Description>() : null;
}
