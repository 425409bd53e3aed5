/** Sends planned requests one after the other, and tells what is wrong with their answers. */
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { PROBLEMS } from "../../src/domain/problem.ts";
import { type Description, faultsOf, operationFor, unlistedProblem } from "../api/support/description.ts";
import type { RealHouse } from "../api/support/real-house.ts";
import { OWNER } from "../conformance/house.ts";
import type { Plan } from "./plans.ts";
import { isPick } from "./values.ts";

const USERS_IN_PATHS = "2023-08-01";
const UNKNOWN = "99999999-9999-4999-8999-999999999999";
/** Characters of an answer that a fault shows. */
const MAX_SHOWN = 600;
/** Ids kept of a kind; the oldest go first, which leaves some that are gone meanwhile. */
const MAX_IDS = 20;

export interface Chain {
  readonly house: RealHouse;
  readonly documents: ReadonlyMap<string, Description>;
  readonly ids: Map<string, string[]>;
}

export interface Outcome {
  readonly status: number;
  /** What is wrong with the answer; empty when nothing is. */
  readonly faults: readonly string[];
}

export async function step(chain: Chain, plan: Plan): Promise<Outcome> {
  if (plan.waitMs > 0) await chain.house.pass(plan.waitMs);
  const request = requestOf(plan, chain.ids);
  const answer = await chain.house.ask(request);
  if (plan.spoiling === null && answer.statusCode < 300) harvest(chain.ids, plan.path, answer);
  const sent = `${request.method} ${String(request.url)} (${plan.date}) ${JSON.stringify(request.payload)}`;
  const got = `${answer.statusCode} ${answer.body.slice(0, MAX_SHOWN)}`;
  const faults = faultsIn(chain, plan, request, answer).map((fault) => `${fault}: sent ${sent}; got ${got}`);
  return { status: answer.statusCode, faults };
}

function requestOf(plan: Plan, ids: ReadonlyMap<string, readonly string[]>): InjectOptions {
  const { spoiling } = plan;
  const parameters = resolved(plan.parameters, ids) as Record<string, unknown>;
  const segments = plan.path.split("/").map((part) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? part : encodeURIComponent(String(parameters[name]));
  });
  if (spoiling?.kind === "path") segments[1 + (spoiling.at % (segments.length - 1))] = pathText(spoiling.text);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(resolved(plan.query, ids) as object)) {
    for (const one of [value].flat()) search.append(name, String(one));
  }
  if (spoiling?.kind === "query") search.append(spoiling.name, spoiling.value);
  const url = segments.join("/") + (search.size === 0 ? "" : `?${search}`);
  const version = spoiling?.kind === "version" ? spoiling.date : plan.date;
  const payload = payloadOf(plan, ids);
  const headers: Record<string, string> = {
    "service-version": version,
    ...(plan.date < USERS_IN_PATHS && { "service-user-id": OWNER }),
    ...(payload !== undefined && {
      "content-type": plan.isForm ? "application/x-www-form-urlencoded" : "application/json",
    }),
    ...(spoiling?.kind === "type" && { "content-type": spoiling.type }),
    ...(spoiling?.kind === "token" && { authorization: spoiling.token }),
  };
  const method = spoiling?.kind === "method" ? spoiling.method : plan.method;
  return { method: method as "GET", url, headers, ...(payload !== undefined && { payload }) };
}

/** Raw where a URL may hold it, so that broken escapes get through too. */
function pathText(text: string): string {
  return /^[!-~]*$/.test(text) && !/[?#\s]/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

function payloadOf({ body, isForm, spoiling }: Plan, ids: ReadonlyMap<string, readonly string[]>): string | undefined {
  if (spoiling?.kind === "body-text") return spoiling.text;
  if (spoiling?.kind === "body-whole") return JSON.stringify(spoiling.value);
  if (body === undefined) return undefined;
  const plain = resolved(body, ids);
  if (isForm)
    return String(new URLSearchParams(Object.entries(plain as object).map(([key, value]) => [key, String(value)])));
  return JSON.stringify(spoiled(plain, { spoiling }));
}

function spoiled(body: unknown, { spoiling }: Pick<Plan, "spoiling">): unknown {
  if (typeof body !== "object" || body === null || spoiling === null) return body;
  if (spoiling.kind === "body-extra")
    return Array.isArray(body) ? [...body, spoiling.value] : { ...body, [spoiling.key]: spoiling.value };
  if (spoiling.kind !== "body-key" && spoiling.kind !== "body-drop") return body;
  const keys = Object.keys(body);
  const key = keys[spoiling.at % Math.max(1, keys.length)];
  if (key === undefined) return body;
  const child: unknown = Reflect.get(body, key);
  // Half of the time deeper, where there is something deeper.
  const isDeeper = typeof child === "object" && child !== null && spoiling.at % 2 === 1;
  const changed = isDeeper ? spoiled(child, { spoiling }) : spoiling.kind === "body-key" ? spoiling.value : undefined;
  if (Array.isArray(body)) return body.map((item: unknown, at) => (String(at) === key ? changed : item));
  return { ...body, [key]: changed };
}

function resolved(value: unknown, ids: ReadonlyMap<string, readonly string[]>): unknown {
  if (isPick(value)) {
    const known = ids.get(value.pick) ?? [];
    return value.at % 7 === 6 ? UNKNOWN : (known[value.at % Math.max(1, known.length)] ?? UNKNOWN);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => resolved(item, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolved(child, ids)]));
}

const SINGULAR: Readonly<Record<string, string>> = {
  batteries: "battery",
  "hem-systems": "hemSystem",
  "charging-locations": "location",
};

/** Keeps the ids of what an answer shows, by the last word of its path. */
export function harvest(ids: Map<string, string[]>, path: string, answer: LightMyRequestResponse): void {
  if (!String(answer.headers["content-type"]).startsWith("application/json")) return;
  const body: unknown = answer.json();
  const words = path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  const last = words.at(-1) ?? "";
  const kind = SINGULAR[last] ?? last.replace(/s$/, "");
  const pagination = typeof body === "object" && body !== null && "pagination" in body ? Object(body.pagination) : {};
  for (const cursor of Object.values(pagination)) if (typeof cursor === "string") keep(ids, ["cursor"], cursor);
  const data = typeof body === "object" && body !== null && "data" in body ? body.data : body;
  for (const record of [data].flat()) {
    if (typeof record === "string") keep(ids, [kind, "any"], record);
    if (typeof record !== "object" || record === null || !("id" in record) || typeof record.id !== "string") continue;
    if ("targetType" in record && "state" in record) keep(ids, [`${words[0]}-action`], record.id);
    else
      keep(
        ids,
        words[0] === "local" ? [`simulated-${words[2]}`] : words[0] === "simulated" ? ["simulated"] : [kind, "any"],
        record.id,
      );
  }
}

function keep(ids: Map<string, string[]>, kinds: readonly string[], id: string): void {
  for (const kind of kinds) {
    const known = (ids.get(kind) ?? []).filter((one) => one !== id);
    ids.set(kind, [...known, id].slice(-MAX_IDS));
  }
}

function faultsIn({ documents }: Chain, plan: Plan, request: InjectOptions, answer: LightMyRequestResponse): string[] {
  const faults: string[] = [];
  if (answer.statusCode >= 500) faults.push("a failure of the gateway");
  const type = String(answer.headers["content-type"] ?? "").split(";", 1)[0] ?? "";
  // An answer to HEAD has the headers of a body and no body.
  if (request.method === "HEAD") return faults;
  if (type === "application/problem+json") faults.push(...problemFaults(answer));
  const version = String(answer.headers["service-version"]);
  const document = documents.get(version);
  if (document === undefined) return [...faults, `an answer of version ${version}`];
  const path = String(request.url).split("?", 1)[0] ?? "";
  const operation = operationFor(document, String(request.method), path);
  if (request.method === "OPTIONS") return faults;
  if (operation === null) {
    return answer.statusCode < 400 && plan.spoiling === null ? [...faults, "an answer that is not described"] : faults;
  }
  return [...faults, ...faultsOf(document, operation, answer), ...unlistedProblem(operation, answer)];
}

function problemFaults(answer: LightMyRequestResponse): string[] {
  const slug = String(answer.json<{ type: string }>().type).replace(/^\/problems\//, "");
  const kind = Object.entries(PROBLEMS).find(([name]) => name === slug)?.[1];
  if (kind === undefined) return [`an unknown problem ${slug}`];
  return kind.status === answer.statusCode ? [] : [`problem ${slug} with status ${answer.statusCode}`];
}
