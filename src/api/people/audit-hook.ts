/** Notes every change that was asked for, and what takes secrets of the house along; and how it ended. */
import type { FastifyRequest } from "fastify";
import { type AuditActor, outcomeOf } from "../../domain/people/audit.ts";
import type { Audit } from "../../engine/contracts/people.ts";
import type { Api } from "../api.ts";
import type { Callers } from "../clients/callers.ts";
import { pathAsked } from "../requests/admission.ts";
import { isSafe } from "./session-check.ts";

const UNKNOWN: AuditActor = { kind: "unknown", id: null, name: null };

/** Says who a request turned out to come from. */
export type NameActor = (request: FastifyRequest, actor: AuditActor) => void;

interface AuditHookParts {
  readonly callers: Callers;
  readonly audit: Audit;
  /** Returns true for the patterns of routes at which a request of nobody is noted, too. */
  isNoted(pattern: string | undefined): boolean;
  /** Returns true for the patterns of routes at which requests that change nothing are noted, too. */
  isNotedRead(pattern: string | undefined): boolean;
}

export function registerAudit(api: Api, { callers, audit, isNoted, isNotedRead }: AuditHookParts): NameActor {
  const named = new WeakMap<FastifyRequest, AuditActor>();
  api.addHook("onResponse", (request, reply, done) => {
    const { url } = request.routeOptions;
    if (!isSafe(request.method) || isNotedRead(url)) {
      const who = named.get(request) ?? actorOf(callers, request);
      const { statusCode: status } = reply;
      const deed = { method: request.method, path: pathAsked(request), status, outcome: outcomeOf(status) };
      // Anybody could fill the list with requests that are refused for want of a token.
      if (who !== null || isNoted(url)) audit.note({ who: who ?? UNKNOWN, ...deed });
    }
    done();
  });
  return (request, actor) => void named.set(request, actor);
}

function actorOf(callers: Callers, request: FastifyRequest): AuditActor | null {
  const { client, session } = callers.of(request.raw);
  if (client !== null) return { kind: "client", id: client.id, name: client.name };
  if (session !== null) return { kind: "account", id: session.account.id, name: session.account.name };
  return null;
}
