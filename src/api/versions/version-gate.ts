/**
 * Lets older versions through: what they send is put into the newest version's words before its route sees it, and what
 * the route answers is put back. The newest version passes untouched.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { AssetKind } from "../../domain/assets/asset.ts";
import { problem } from "../../domain/problem.ts";
import { PROBLEM_TYPE } from "../answers.ts";
import { type Api, versionOf } from "../api.ts";
import type { Callers } from "../clients/callers.ts";
import type { Owners } from "../clients/owners.ts";
import { pathAsked } from "../requests/admission.ts";
import { refusalOf } from "../requests/issues.ts";
import type { FieldReads } from "./field-reads.ts";
import { isObject, listAt } from "./json.ts";
import { bodyUp, changesBody, olderName, type Translation } from "./translation.ts";
import { needsUser } from "./version.ts";
import type { VersionBook } from "./version-book.ts";

const JSON_MEDIA = "application/json";

/** Of any route. */
const Parameters = z.record(z.string(), z.string());

export interface VersionGate {
  readonly callers: Callers;
  readonly book: VersionBook;
  readonly owners: Owners;
  readonly reads: FieldReads;
}

/**
 * Caches the mapped answer of bytes that are sent again and again, such as a page on which nothing changes, so that it
 * is mapped once a change, not once a request. The garbage collector removes it together with the bytes.
 */
type KeptAnswers = WeakMap<Buffer, { readonly asked: string; readonly status: number; readonly older: unknown }>;

export function registerVersionGate(api: Api, { callers, book, owners, reads }: VersionGate): void {
  const kept: KeptAnswers = new WeakMap();
  /** What the older version itself refuses; its names are right already. */
  const refused = new WeakSet<FastifyRequest>();
  /** For which a device was to be read, and could not be: their answers hold what was known before. */
  const ofKnown = new WeakSet<FastifyRequest>();
  const tell = (request: FastifyRequest, reply: FastifyReply, payload: unknown, translation: Translation): unknown =>
    olderPayload(request, reply, {
      payload,
      translation,
      book,
      isRefusedHere: refused.has(request),
      isKnown: ofKnown.has(request),
    });
  api.addHook("preValidation", (request, _reply, done) => {
    const { translation } = callers.of(request.raw);
    if (translation === null) return done();
    refused.add(request);
    translateInput(request, translation);
    refused.delete(request);
    done();
  });
  api.addHook("preHandler", (request, reply, done) => {
    const { version, userId } = callers.of(request.raw);
    if (version.userPaths === null || !needsUser(version, pathAsked(request))) return done();
    const parameters = Parameters.parse(request.params);
    const owner = owners.ownerOf(parameters, request.url);
    const isThere = (owner === null || owner === userId) && !owners.isHidden(parameters, version);
    if (!isThere && isSilent(request)) return void reply.code(404).send();
    done(isThere ? undefined : problem("not-found", `The user "${userId}" has nothing at ${pathAsked(request)}.`));
  });
  api.addHook("preHandler", (request, _reply, done) => {
    const { translation, userId } = callers.of(request.raw);
    const kind = translation === null ? null : kindToRead(translation);
    if (kind === null) return done();
    const reading = reads.read(kind, Parameters.parse(request.params), userId);
    reading.then((isRead) => {
      if (!isRead) ofKnown.add(request);
      done();
    }, done);
  });
  api.addHook("onSend", (request, _reply, _payload, done) => {
    const loading = callers.of(request.raw).translation === null ? null : book.load(versionOf(request));
    if (loading === null) return done();
    loading.then(() => done(), done);
  });
  api.addHook("onSend", (request, reply, payload, done) => {
    const { translation, userId } = callers.of(request.raw);
    if (translation === null) return done(null, payload);
    if (!Buffer.isBuffer(payload)) return done(null, tell(request, reply, payload, translation));
    const asked = `${versionOf(request).date} ${reply.statusCode} ${ofKnown.has(request)} ${request.method} ${request.originalUrl} ${userId}`;
    const before = kept.get(payload);
    const older = before?.asked === asked ? before.older : tell(request, reply, payload, translation);
    const status = before?.asked === asked ? before.status : reply.statusCode;
    kept.set(payload, { asked, status, older });
    reply.code(status);
    done(null, older);
  });
}

/** Whether the route tells of what is not there by an empty answer (rule S3.2). */
function isSilent(request: FastifyRequest): boolean {
  return Object(request.routeOptions.schema?.response)[404] instanceof z.ZodNull;
}

/** The kind of device that the client wants to have read before the answer; null: none. */
function kindToRead({ hops }: Translation): AssetKind | null {
  for (const { change, query } of hops) {
    const { reads, own = {} } = change?.query ?? {};
    if (reads !== undefined && Object.keys(own).some((name) => query.has(name))) return reads;
  }
  return null;
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
  readonly isRefusedHere: boolean;
  readonly isKnown: boolean;
}

function olderPayload(request: FastifyRequest, reply: FastifyReply, outgoing: Outgoing): unknown {
  const { payload, translation, book, isRefusedHere, isKnown } = outgoing;
  const type = String(reply.getHeader("content-type") ?? "").split(";", 1)[0];
  const isProblem = type === PROBLEM_TYPE;
  if (!isProblem && type !== JSON_MEDIA) return payload;
  const text = typeof payload === "string" ? payload : Buffer.isBuffer(payload) ? payload.toString() : "";
  if (text === "") return payload;
  const body: unknown = JSON.parse(text);
  const answer = book.answerIn(
    versionOf(request),
    { method: request.method, translation, isProblem, isKnown },
    { status: reply.statusCode, body: isProblem && !isRefusedHere ? withOlderNames(body, translation) : body },
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
