/** The check of the grid meter with a load that a person switches on. */
import { z } from "zod";
import { Instant, instant } from "../../../domain/fields.ts";
import type { LoadCheckRecord, LoadChecks } from "../../../engine/contracts/setup.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { Actor, actorOf, By, TAGS } from "./setup-shapes.ts";

const URL = "/local/setup/load-check";
const LINES = [1, 2, 3] as const;
const Line = z.literal([...LINES]);
const Verdict = z.enum(["right", "turned", "other-phase", "misplaced", "carried", "nothing"]).meta({
  description:
    "`right`: the meter rose by the load. `turned`: it fell; the finding has the fix. `other-phase`: another phase rose than the one that was named. `misplaced`: a clamp is on another phase than the voltage that it is combined with. `carried`: a battery gave the power, so the meter shows nothing; try again. `nothing`: no load of 1 kW or more was seen in time.",
});

export const LoadCheckResult = z
  .object({
    ...By,
    deviceId: z.string().meta({ description: "The device of the grid meter." }),
    line: Line.nullable().meta({ description: "The phase that the person named; `null` if none." }),
    verdict: Verdict,
    loadW: z.number().nullable().meta({ description: "Power of the load, W; `null` if none was seen." }),
    meterW: z
      .number()
      .nullable()
      .meta({ description: "By how much the meter changed, W; `null` if no load was seen." }),
    lines: z.array(Line).meta({ description: "The phases that changed; empty if the meter does not report them." }),
    findingId: z
      .string()
      .nullable()
      .meta({ description: "The finding under `/local/checks`; `null` if there is none." }),
  })
  .meta({ id: "LoadCheckResult" });

const State = z
  .object({
    running: z
      .object({
        deviceId: z.string(),
        line: Line.nullable(),
        by: Actor,
        startedAt: Instant,
        endsAt: Instant.meta({ description: "When it ends if no load is seen." }),
        changeW: z
          .number()
          .nullable()
          .meta({ description: "By how much the meter differs from before now, W; `null` before it was read." }),
      })
      .nullable()
      .meta({ description: "`null`: no check is under way." }),
    results: z.array(LoadCheckResult).meta({ description: "The last result of each meter and phase, newest first." }),
  })
  .meta({ id: "LoadCheck" });

const answer = jsonResponse("The check, and the results.", State);

export function loadCheckRoutes(api: Api, parts: RouteParts): void {
  const { setup } = parts.engine.services;
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "getLoadCheck",
      summary: "Get the check of the grid meter with a load",
      description:
        "Whether a check is under way with the change of the meter so far in W, and the last result of each meter and phase.",
      tags: TAGS,
      response: { 200: answer, ...problemResponses() },
    },
    handler: () => shown(setup.loadChecks()),
  });
  api.route({
    method: "POST",
    url: URL,
    schema: {
      operationId: "startLoadCheck",
      summary: "Watch the grid meter for a load of 1 kW or more, for two minutes at most",
      description:
        "Send it, then switch a kettle or an oven on: the grid meter has to rise by its power, on its phase. The result is kept; what is wrong becomes a finding with its fix. Each phase can be checked by itself. Nothing is written to a device.",
      tags: TAGS,
      body: z
        .object({
          line: Line.nullable().optional().meta({ description: "The phase of the socket, if it is known." }),
        })
        .meta({ id: "LoadCheckStart" }),
      response: { 200: answer, ...problemResponses("conflict") },
    },
    handler: (request) => shown(setup.startLoadCheck(request.body.line ?? null, actorOf(parts, request))),
  });
  api.route({
    method: "DELETE",
    url: URL,
    schema: {
      operationId: "stopLoadCheck",
      summary: "End the check without a result",
      description:
        "Results of earlier checks stay. Without a running check nothing happens, and the answer is the same.",
      tags: TAGS,
      response: { 200: answer, ...problemResponses() },
    },
    handler: () => shown(setup.stopLoadCheck()),
  });
}

function shown({ running, results }: LoadChecks): z.input<typeof State> {
  return { running: running === null ? null : shownRunning(running), results: results.map(shownLoadCheck) };
}

function shownRunning({ startedAtMs, endsAtMs, step, ...running }: NonNullable<LoadChecks["running"]>) {
  const changeW = step.kind === "waiting" ? step.changeW : "meterW" in step ? step.meterW : null;
  return { ...running, startedAt: instant(startedAtMs), endsAt: instant(endsAtMs), changeW };
}

export function shownLoadCheck({ atMs, lines, ...result }: LoadCheckRecord): z.input<typeof LoadCheckResult> {
  return { ...result, lines: [...lines], at: instant(atMs) };
}
