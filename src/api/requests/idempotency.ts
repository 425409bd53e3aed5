/**
 * `Idempotency-Key` on commands: the same key and request within a day are answered the same and run once, also over
 * restarts (rule S11.6). What a failure of the gateway answers is not kept: such a request may be sent again.
 */
import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { problem } from "../../domain/problem.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { isKeyOver } from "../../store/expiry.ts";
import type { IdempotencyRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Api } from "../api.ts";
import type { Callers } from "../clients/callers.ts";
import { isCommand } from "../commands.ts";
import { problemResponses } from "../responses.ts";

/** Keys kept of one client; the oldest go first. */
const MAX_KEYS_OF_CLIENT = 1_000;

const KeyHeader = z.looseObject({
  "idempotency-key": z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, { error: "Expected 1 to 255 printable ASCII characters" })
    .optional()
    .meta({ description: "Made by the client for one command: within a day the same key never runs it twice." }),
});

export interface IdempotencyParts {
  readonly callers: Callers;
  readonly store: Pick<Store, "get" | "all" | "commit">;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly log: Pick<Log, "warn">;
}

/** One use of a key. */
interface Use {
  readonly id: string;
  readonly clientId: string;
  readonly asked: string;
}

const REQUEST_KEY = "requestKey";
const REPLAYED = "idempotency-replayed";

/** The command's own name for the engine, which keeps it with the action in one commit. Undefined without a key. */
export function requestKeyOf(request: FastifyRequest): string | undefined {
  return request.getDecorator<string | null>(REQUEST_KEY) ?? undefined;
}

/** Registers the key on all commands: before the routes, and before whatever rewrites answers. */
export function registerIdempotency(api: Api, parts: IdempotencyParts): void {
  const answers = new KeptAnswers(parts);
  const uses = new WeakMap<FastifyRequest, Use>();
  api.decorateRequest(REQUEST_KEY, null);
  const answerAgain = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const use = useOf(request, parts.callers);
    if (use === null) return undefined;
    const kept = await answers.find(use);
    if (kept !== null) {
      // As bytes: to text Fastify would add a charset, which no problem's type has.
      const body = Buffer.from(kept.body);
      return await reply.code(kept.status).type(kept.contentType).header(REPLAYED, "true").send(body);
    }
    uses.set(request, use);
    request.setDecorator(REQUEST_KEY, `${use.id}/${use.asked}`);
    return undefined;
  };
  api.addHook("onRoute", (route) => {
    if (typeof route.method !== "string" || !isCommand(route.method, route.url)) return;
    const schema = route.schema ?? {};
    route.schema = {
      ...schema,
      headers: KeyHeader,
      response: { ...problemResponses("conflict"), ...Object(schema.response) },
    };
    // A route's own hook runs after all others: what they refuse uses up no key.
    route.preHandler = answerAgain;
  });
  // With a callback: a promise for each answer, of which nearly all have no key, costs more than the other hooks together.
  api.addHook("onSend", (request, reply, payload, done) => {
    const use = uses.get(request);
    if (use === undefined) return done(null, payload);
    answers.keep(use, reply, payload).then(() => done(null, payload), done);
  });
}

function useOf(request: FastifyRequest, callers: Callers): Use | null {
  if (!isCommand(request.method, request.routeOptions.url)) return null;
  const key = request.headers["idempotency-key"];
  const clientId = callers.of(request.raw).id;
  if (typeof key !== "string" || clientId === null) return null;
  return { id: hashOf(clientId, key), clientId, asked: hashOf(request.url, JSON.stringify(request.body ?? null)) };
}

function hashOf(...texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("base64url");
}

class KeptAnswers {
  readonly #parts: IdempotencyParts;
  /** Uses that run, and what ends when they do. */
  readonly #running = new Map<string, { readonly asked: string; readonly ended: PromiseWithResolvers<void> }>();

  constructor(parts: IdempotencyParts) {
    this.#parts = parts;
  }

  /** Returns the kept answer; `null` if the request has to run, which `keep` ends. Throws `conflict`. */
  async find({ id, asked }: Use): Promise<IdempotencyRecord | null> {
    for (;;) {
      const running = this.#running.get(id);
      if (running === undefined) break;
      refuseOther(running.asked, asked);
      await running.ended.promise;
    }
    const record = this.#parts.store.get("idempotency", id);
    if (record !== null && !isKeyOver(record, this.#parts.clock)) {
      refuseOther(record.asked, asked);
      return record;
    }
    this.#running.set(id, { asked, ended: Promise.withResolvers() });
    return null;
  }

  /** The request has run. A refusal of the disk is no reason to keep the answer from the client. */
  async keep(use: Use, reply: FastifyReply, payload: unknown): Promise<void> {
    const { store, clock, log } = this.#parts;
    const status = reply.statusCode;
    try {
      if (status >= 500 || status === 429) return;
      const contentType = String(reply.getHeader("content-type") ?? "");
      const body = typeof payload === "string" || Buffer.isBuffer(payload) ? payload.toString() : "";
      const dated = {
        createdAtMs: clock.nowMs(),
        ...(clock.quality() !== "synced" && { isDateUnsure: true as const }),
      };
      const put: IdempotencyRecord = { ...use, status, contentType, body, ...dated };
      await store.commit([{ table: "idempotency", key: use.id, put }, ...this.#surplus(use)], [], "urgent");
    } catch (err) {
      log.warn({ err }, "answer to an idempotency key not kept");
    } finally {
      this.#running.get(use.id)?.ended.resolve();
      this.#running.delete(use.id);
    }
  }

  /** Removals that make room for one more key of the client. */
  #surplus({ clientId, id }: Use): readonly Write[] {
    return this.#parts.store
      .all("idempotency")
      .filter((record) => record.clientId === clientId && record.id !== id)
      .sort((a, b) => b.createdAtMs - a.createdAtMs)
      .slice(MAX_KEYS_OF_CLIENT - 1)
      .map((record): Write => ({ table: "idempotency", key: record.id, remove: true }));
  }
}

function refuseOther(before: string, asked: string): void {
  if (before === asked) return;
  throw problem("conflict", "The Idempotency-Key was used for another request; each command needs its own.");
}
