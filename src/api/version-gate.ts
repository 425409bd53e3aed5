/**
 * Lets older versions through: what they send is put into the newest version's words before its route sees it, and what
 * the route answers is put back. The newest version passes untouched.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { problem } from "../domain/problem.ts";
import { pathAsked } from "./admission.ts";
import { PROBLEM_TYPE } from "./answers.ts";
import { type Api, versionOf } from "./api.ts";
import type { Callers } from "./callers.ts";
import { refusalOf } from "./issues.ts";
import type { Owners } from "./owners.ts";
import { isObject, listAt } from "./versions/json.ts";
import { bodyUp, changesBody, olderName, type Translation } from "./versions/translation.ts";
import { needsUser } from "./versions/version.ts";
import type { VersionBook } from "./versions/version-book.ts";

const JSON_MEDIA = "application/json";

/** Of any route. */
const Parameters = z.record(z.string(), z.string());

export interface VersionGate {
  readonly callers: Callers;
  readonly book: VersionBook;
  readonly owners: Owners;
}

export function registerVersionGate(api: Api, { callers, book, owners }: VersionGate): void {
  api.addHook("preValidation", (request, _reply, done) => {
    const { translation } = callers.of(request.raw);
    if (translation !== null) translateInput(request, translation);
    done();
  });
  api.addHook("preHandler", (request, _reply, done) => {
    const { version, userId } = callers.of(request.raw);
    if (version.userPaths === null || !needsUser(version, pathAsked(request))) return done();
    const parameters = Parameters.parse(request.params);
    const owner = owners.ownerOf(parameters, request.url);
    const isThere = (owner === null || owner === userId) && !owners.isHidden(parameters, version);
    done(isThere ? undefined : problem("not-found", `The user "${userId}" has nothing at ${pathAsked(request)}.`));
  });
  api.addHook("onSend", (request, reply, payload, done) => {
    const { translation } = callers.of(request.raw);
    done(null, translation === null ? payload : olderPayload(request, reply, { payload, translation, book }));
  });
}

/** Throws a `bad-request` in the older version's words. */
function translateInput(request: FastifyRequest, { hops }: Translation): void {
  for (const { change, query } of hops) {
    for (const [name, schema] of Object.entries(change?.query?.own ?? {})) checkOwn(name, schema, query);
  }
  if (changesBody(hops)) request.body = bodyUp(hops, request.body ?? null);
}

function checkOwn(name: string, schema: z.ZodType, query: URLSearchParams): void {
  if (!query.has(name)) return;
  const values = query.getAll(name);
  const result = z.object({ [name]: schema }).safeParse({ [name]: values });
  if (!result.success) throw refusalOf(result.error, "query", { [name]: values });
}

interface Outgoing {
  readonly payload: unknown;
  readonly translation: Translation;
  readonly book: VersionBook;
}

function olderPayload(request: FastifyRequest, reply: FastifyReply, { payload, translation, book }: Outgoing): unknown {
  const type = String(reply.getHeader("content-type") ?? "").split(";", 1)[0];
  const isProblem = type === PROBLEM_TYPE;
  if (!isProblem && type !== JSON_MEDIA) return payload;
  const text = typeof payload === "string" ? payload : Buffer.isBuffer(payload) ? payload.toString() : "";
  if (text === "") return payload;
  const body: unknown = JSON.parse(text);
  const answer = book.answerIn(
    versionOf(request),
    { method: request.method, translation, isProblem },
    { status: reply.statusCode, body: isProblem ? withOlderNames(body, translation) : body },
  );
  reply.code(answer.status);
  return JSON.stringify(answer.body);
}

/** Names what is wrong as the client wrote it. */
function withOlderNames(body: unknown, { hops }: Translation): unknown {
  if (!isObject(body) || !Array.isArray(body["issues"])) return body;
  let detail = String(body["detail"]);
  const issues = listAt(body, "issues").map((issue) => {
    if (!isObject(issue)) return issue;
    const [name, ...rest] = listAt(issue, "path");
    const place = issue["in"];
    if (typeof name !== "string" || (place !== "body" && place !== "query")) return issue;
    const older = olderName(hops, place, name);
    if (detail.startsWith(`${place}.${name}`))
      detail = `${place}.${older}${detail.slice(place.length + name.length + 1)}`;
    return { ...issue, path: [older, ...rest] };
  });
  return { ...body, detail, issues };
}
