/** Limits of the grid operator: what applies, who set it, and how a client sets one. */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import {
  ActiveLimitView,
  activeLimitView,
  Direction,
  LimitScope,
  LimitStateName,
} from "../../../domain/energy/energy-views.ts";
import { Instant, instant, instantOrNull, NullableInstant } from "../../../domain/fields.ts";
import type { DirectionDemand, LimitPort, LimitSource } from "../../../engine/contracts/energy/energy.ts";
import type { Api, RouteParts } from "../../api.ts";
import { requireScope } from "../../clients/callers.ts";
import { limitSourceId } from "../../clients/client-register.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";

const TAGS = ["energy"];
const URL = "/local/energy/limits";
const W_PER_KW = 1_000;
const MS_PER_S = 1_000;
const MAX_KW = 10_000;
const MAX_DURATION_S = 31 * 24 * 3_600;

const Kw = z.number().min(0).max(MAX_KW);

const Demand = z
  .strictObject({
    isActive: z.boolean().meta({ description: "`false`: there is no limit now." }),
    limit: Kw.optional().meta({ description: "Highest power, kW; needed if it is active." }),
    duration: z.number().min(0).max(MAX_DURATION_S).nullable().default(null).meta({
      description: "How long it applies, s; `null` or 0 without an end.",
    }),
    scope: LimitScope.default("connection"),
    failsafe: Kw.optional().meta({
      description:
        "What applies while the heartbeat is missing, kW; default as before, or as the configuration has it.",
    }),
    failsafeDuration: z.number().optional().meta({
      description: "How long the failsafe value applies at least, s: 2 to 24 hours; default 2 hours.",
    }),
  })
  .superRefine(({ isActive, limit }, context) => {
    if (!isActive || limit !== undefined) return;
    context.addIssue({ code: "custom", path: ["limit"], message: "Expected the limit, because it is active" });
  })
  .meta({ id: "LimitDemand" });

const LimitBody = z
  .strictObject({
    heartbeat: z.number().min(5).max(3_600).nullable().default(120).meta({
      description:
        "The gateway takes the client as lost after this time without a request, s, and the failsafe value applies. `null`: the limit stays without a heartbeat, also over a restart.",
    }),
    import: Demand.optional().meta({ description: "What is drawn from the grid. Left out: it stays as it is." }),
    export: Demand.optional().meta({ description: "What is fed in. Left out: it stays as it is." }),
  })
  .superRefine((body, context) => {
    if (body.import !== undefined || body.export !== undefined) return;
    context.addIssue({
      code: "custom",
      path: ["import"],
      message: "Expected a limit of `import`, of `export`, or of both",
    });
  })
  .meta({ id: "LimitsUpdate" });

const Source = z
  .object({
    id: z.string(),
    kind: z.enum(["client", "eebus", "openadr", "event", "contacts", "schedule"]),
    name: z.string(),
    isOwn: z.boolean().meta({ description: "`true` for what this client has set." }),
    heartbeat: z.number().nullable().meta({
      description: "The source is taken as lost after this time, s; `null`: it needs no heartbeat.",
    }),
    directions: z.array(
      z.object({
        direction: Direction,
        scope: LimitScope,
        state: LimitStateName,
        since: Instant,
        applied: z.number().nullable().meta({ description: "What applies now, kW; `null`: no limit." }),
        until: NullableInstant.meta({ description: "Its end; `null` without one." }),
        failsafe: z.number().nullable().meta({ description: "kW; `null` if the source cannot be lost." }),
        failsafeDuration: z.number().nullable().meta({ description: "s; `null` if the source cannot be lost." }),
      }),
    ),
    warnings: z.array(z.string()).meta({ description: "What is allowed but hardly intended." }),
  })
  .meta({ id: "LimitSource" });

const Limits = z
  .object({
    active: z.array(ActiveLimitView).meta({ description: "Of each direction and scope the lowest limit." }),
    sources: z.array(Source).meta({ description: "Who sets limits, and in which state each is." }),
  })
  .meta({ id: "EnergyLimits" });

export function limitRoutes(api: Api, parts: RouteParts): void {
  const { engine, clock, clientOf, callerOf } = parts;
  const { energyLimits } = engine.services;
  const shown = (request: FastifyRequest): z.input<typeof Limits> => {
    const own = limitSourceId(clientOf(request));
    const now = { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
    const sources = energyLimits.sources().map((source) => sourceView(source, own));
    return { active: energyLimits.active().map((limit) => activeLimitView(limit, now)), sources };
  };
  const portOf = (request: FastifyRequest): LimitPort => {
    const caller = callerOf(request);
    requireScope(caller, "energy:limits");
    const name = caller.client?.name ?? caller.session?.account.name ?? "";
    return energyLimits.port({ id: limitSourceId(clientOf(request)), kind: "client", name });
  };
  readRoute(api, shown);
  setRoute(api, portOf, shown);
  heartbeatRoute(api, portOf);
  removeRoute(api, portOf);
}

function readRoute(api: Api, shown: (request: FastifyRequest) => z.input<typeof Limits>): void {
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "getEnergyLimits",
      summary: "Get the limits of the grid operator that apply now, and their sources",
      description:
        "Power in kW at the connection or of controllable devices, import and export apart. `isOwn` marks what this client has set.",
      tags: TAGS,
      response: { 200: jsonResponse("What applies.", Limits), ...problemResponses() },
    },
    handler: (request) => shown(request),
  });
}

function setRoute(
  api: Api,
  portOf: (request: FastifyRequest) => LimitPort,
  shown: (request: FastifyRequest) => z.input<typeof Limits>,
): void {
  api.route({
    method: "PUT",
    url: URL,
    schema: {
      operationId: "setEnergyLimits",
      summary: "Set the limits of this client; they apply at once",
      description:
        "For a client with the scope `energy:limits`. Each request is a heartbeat, too: repeat it before `heartbeat` is over. Of all sources the lowest limit of each direction applies. A lost client's failsafe value applies until it sets another limit.",
      tags: TAGS,
      body: LimitBody,
      response: { 200: jsonResponse("What applies.", Limits), ...problemResponses("forbidden", "conflict") },
    },
    handler: async (request) => {
      const { heartbeat, import: importDemand, export: exportDemand } = request.body;
      await portOf(request).set({
        isHeartbeat: true,
        heartbeatLostMs: heartbeat === null ? null : heartbeat * MS_PER_S,
        import: importDemand && demandOf(importDemand),
        export: exportDemand && demandOf(exportDemand),
      });
      return shown(request);
    },
  });
}

function heartbeatRoute(api: Api, portOf: (request: FastifyRequest) => LimitPort): void {
  api.route({
    method: "POST",
    url: `${URL}/heartbeat`,
    schema: {
      operationId: "sendLimitHeartbeat",
      summary: "Say that this client lives, and leave its limits as they are",
      description: "It ends no failsafe: that takes a limit.",
      tags: TAGS,
      response: { 204: emptyResponse("Noted."), ...problemResponses("forbidden", "not-found") },
    },
    handler: (request, reply) => {
      portOf(request).heartbeat();
      return reply.code(204).send();
    },
  });
}

function removeRoute(api: Api, portOf: (request: FastifyRequest) => LimitPort): void {
  api.route({
    method: "DELETE",
    url: URL,
    schema: {
      operationId: "deleteEnergyLimits",
      summary: "Give up control: remove the limits of this client and its failsafe values",
      description: "For a client with the scope `energy:limits`. Limits of other sources still apply.",
      tags: TAGS,
      response: { 204: emptyResponse("They no longer apply."), ...problemResponses("forbidden", "not-found") },
    },
    handler: async (request, reply) => {
      await portOf(request).withdraw();
      return await reply.code(204).send();
    },
  });
}

function demandOf({ isActive, limit = 0, duration, ...rest }: z.output<typeof Demand>): DirectionDemand {
  const durationMs = duration === null ? null : duration * MS_PER_S;
  return {
    scope: rest.scope,
    limit: isActive ? { isActive, watts: limit * W_PER_KW, durationMs } : { isActive },
    failsafeW: rest.failsafe === undefined ? null : rest.failsafe * W_PER_KW,
    failsafeMs: rest.failsafeDuration === undefined ? null : rest.failsafeDuration * MS_PER_S,
  };
}

function sourceView(source: LimitSource, own: string): z.input<typeof Source> {
  const kw = (watts: number | null): number | null => (watts === null ? null : watts / W_PER_KW);
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / MS_PER_S);
  return {
    id: source.id,
    kind: source.kind,
    name: source.name,
    isOwn: source.id === own,
    heartbeat: seconds(source.heartbeatLostMs),
    directions: source.directions.map((direction) => ({
      direction: direction.direction,
      scope: direction.scope,
      state: direction.state,
      since: instant(direction.sinceMs),
      applied: kw(direction.appliedW),
      until: instantOrNull(direction.untilMs),
      failsafe: kw(direction.failsafeW),
      failsafeDuration: seconds(direction.failsafeMs),
    })),
    warnings: [...source.warnings],
  };
}
