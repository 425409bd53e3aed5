/** The fleet's API: what is known of each gateway, and commands to it. */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Configuration, type GapRequest, GatewayId } from "hemgate/cloud-protocol";
import type pg from "pg";
import type { z } from "zod";
import { gapRequests } from "./audit.ts";
import { addCommand, commandView, NewCommand } from "./commands.ts";
import { inTransaction } from "./database.ts";
import { deadLetter, deadLetters } from "./dead-letters.ts";
import { NewToken } from "./enrolment.ts";
import { eventPage } from "./events.ts";
import { actionById, assetById, assetPage, gatewayById, gatewayPage, KINDS } from "./fleet.ts";
import { configurationView, NewConfiguration, publishConfiguration } from "./gateway-configuration.ts";
import { HistoryQuery, historyView } from "./history.ts";
import type { Log } from "./log.ts";
import { PageQuery } from "./pages.ts";

const MAX_BODY_BYTES = 1024 * 1024;

export interface ApiParts {
  readonly pool: pg.Pool;
  readonly token: string;
  readonly nowMs: () => number;
  readonly log: Log;
  /** Null: there is no enrolment service. */
  readonly newToken: ((asked: NewToken) => Promise<object>) | null;
  sendCommand(gateway: string, id: string): Promise<void>;
  /** Sends a message down. */
  tell(gateway: string, message: GapRequest | Configuration): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Call {
  readonly method: string;
  /** Of the path, decoded. */
  readonly names: readonly string[];
  readonly query: unknown;
  readonly body: () => Promise<unknown>;
}

/** A request that cannot be answered as it is. */
class Problem extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, detail: string) {
    super(detail);
    this.status = status;
    this.title = title;
  }
}

export function fleetApi(parts: ApiParts): Server {
  return createServer({ requestTimeout: 30_000 }, (request, response) => void reply(parts, request, response));
}

async function reply(parts: ApiParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { status, body } = await answer(parts, request);
    write(response, status, "application/json", body);
  } catch (err) {
    const known = err instanceof Problem ? err : new Problem(500, "Server Error", "Something went wrong.");
    if (known !== err) parts.log.warn({ err }, "a request failed");
    const slug = known.title.toLowerCase().replaceAll(" ", "-");
    const body = { type: `/problems/${slug}`, title: known.title, detail: known.message };
    write(response, known.status, "application/problem+json", body);
  }
}

function write(response: ServerResponse, status: number, type: string, body: unknown): void {
  response.writeHead(status, { "content-type": type }).end(JSON.stringify(body));
}

async function answer(parts: ApiParts, request: IncomingMessage): Promise<Answer> {
  if (!isAllowed(parts.token, request.headers.authorization))
    throw new Problem(401, "Unauthorized", "A token is needed.");
  const url = new URL(request.url ?? "/", "http://fleet");
  const query = Object.fromEntries(url.searchParams);
  const call: Call = { method: request.method ?? "", names: namesOf(url), query, body: () => bodyOf(request) };
  const found = call.method === "GET" ? await read(parts, call) : await change(parts, call);
  if (found == null) throw new Problem(404, "Not Found", `There is no ${url.pathname}.`);
  return found;
}

async function read({ pool }: ApiParts, { names, query }: Call): Promise<Answer | null> {
  const [root, gateway, what, first, second] = names;
  if (root === "dead-letters" && names.length === 1) return ok(await deadLetters(pool, null));
  if (root !== "gateways" || names.length > 5) return null;
  if (gateway === undefined) return page(await gatewayPage(pool, parsed(PageQuery, query)));
  // Of one that never said a hello that could be read, too.
  if (what === "dead-letters" && names.length < 5)
    return ok(await (first === undefined ? deadLetters(pool, gateway) : deadLetter(pool, gateway, first)));
  const known = await gatewayById(pool, gateway);
  if (known === null || what === undefined) return ok(known);
  if (what === "events" && first === undefined) return page(await eventPage(pool, gateway, parsed(PageQuery, query)));
  if (what === "telemetry" && first === undefined)
    return ok(await historyView(pool, gateway, parsed(HistoryQuery, query)));
  if (what === "configuration" && first === undefined) return ok(await configurationView(pool, gateway));
  if (what === "commands" && first !== undefined) return ok(await commandView(pool, gateway, first));
  const kind = Object.hasOwn(KINDS, what) ? KINDS[what] : undefined;
  if (kind === undefined) return null;
  if (first === undefined) return page(await assetPage(pool, gateway, kind, parsed(PageQuery, query)));
  if (second === undefined) return ok(await assetById(pool, gateway, kind, first));
  return first === "actions" ? ok(await actionById(pool, gateway, kind, second)) : null;
}

async function change(parts: ApiParts, { method, names, body }: Call): Promise<Answer | null> {
  const { pool, nowMs } = parts;
  const [root, gateway, what] = names;
  if (method === "POST" && root === "enrolment-tokens" && names.length === 1 && parts.newToken !== null) {
    return { status: 201, body: await parts.newToken(parsed(NewToken, await body())) };
  }
  if (method !== "POST" || root !== "gateways" || gateway === undefined || names.length !== 3) return null;
  if ((await gatewayById(pool, gateway)) === null) return null;
  if (what === "audit") {
    const requests = await gapRequests(pool, gateway);
    for (const request of requests) await parts.tell(gateway, request);
    return { status: 202, body: { asked: requests.map(({ stream, epoch, ranges }) => ({ stream, epoch, ranges })) } };
  }
  if (what === "configuration") return await configure(parts, gateway, parsed(NewConfiguration, await body()));
  if (what !== "commands") return null;
  const command = parsed(NewCommand, await body());
  const id = command.id ?? randomUUID();
  if (!(await addCommand(pool, gateway, id, command, nowMs()))) {
    throw new Problem(409, "Conflict", `Another command has the id ${id}.`);
  }
  await parts.sendCommand(gateway, id);
  return { status: 202, body: await commandView(pool, gateway, id) };
}

/** One that cannot be sent now is sent at the gateway's next hello. */
async function configure(
  { pool, nowMs, tell }: ApiParts,
  gateway: string,
  document: NewConfiguration,
): Promise<Answer> {
  const published = await inTransaction(pool, (client) => publishConfiguration(client, gateway, document, nowMs()));
  if (published !== null) await tell(gateway, published);
  return { status: 202, body: await configurationView(pool, gateway) };
}

function ok(body: unknown): Answer | null {
  return body == null ? null : { status: 200, body };
}

function page(body: object | null): Answer {
  if (body === null) throw new Problem(400, "Bad Request", "The cursor is not one of this list.");
  return { status: 200, body };
}

function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Problem(400, "Bad Request", `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong"}`);
}

/** Throws a `Problem` when it is none. */
function namesOf({ pathname }: URL): readonly string[] {
  try {
    const names = pathname.split("/").slice(1).map(decodeURIComponent);
    const [, gateway] = names;
    const isNamed = gateway === undefined || GatewayId.safeParse(gateway).success;
    if (isNamed && !names.some((name) => name.includes("\0"))) return names;
  } catch {
    // Escapes that are none are refused like names that are none.
  }
  throw new Problem(404, "Not Found", "There is no such path.");
}

function isAllowed(token: string, authorization: string | undefined): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token}`));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Problem(413, "Payload Too Large", `More than ${MAX_BODY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new Problem(400, "Bad Request", "The body is no JSON.");
  }
}
