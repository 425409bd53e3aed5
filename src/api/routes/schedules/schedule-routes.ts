/** Charge and temperature schedules of users, and how far each is with its target (rules I4.10 and S7). */
import { z } from "zod";
import { PageQuery, Pagination, type Position, takePage } from "../../../domain/page.ts";
import { problem } from "../../../domain/problem.ts";
import { NewSchedule, Schedule, ScheduleChanges } from "../../../domain/schedules/schedule.ts";
import { ScheduleStatus } from "../../../domain/schedules/schedule-status.ts";
import type { ScheduleEntry } from "../../../engine/contracts/schedules.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId, UserPath } from "../path-ids.ts";

const SCHEDULE: RecordShape = { name: "schedule", schema: Schedule };
const STATUS: RecordShape = { name: "schedule-status", schema: ScheduleStatus };
const SchedulePage = z.object({ data: z.array(Schedule), pagination: Pagination }).meta({ id: "SchedulePage" });
const PATH = pathId("scheduleId");
const URL = "/schedules/:scheduleId";
const USER_URL = "/users/:userId/schedules";
const TAGS = ["schedules"];
const BODY_PROBLEMS = ["not-found", "too-many-requests", "payload-too-large", "unsupported-media-type"] as const;

export function scheduleRoutes(api: Api, parts: RouteParts): void {
  listRoute(api, parts);
  createRoute(api, parts);
  getRoute(api, parts);
  updateRoute(api, parts);
  deleteRoute(api, parts);
  statusRoute(api, parts);
}

function listRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: USER_URL,
    schema: {
      operationId: "listUserSchedules",
      summary: "List a user's schedules, newest first",
      description:
        "Schedules of all kinds of target, switched on or off. What each is doing now is under `/schedules/{scheduleId}/status`.",
      tags: TAGS,
      params: UserPath,
      querystring: PageQuery,
      response: {
        200: jsonResponse("A page of the user's schedules.", SchedulePage),
        ...problemResponses("not-found"),
      },
    },
    handler: (request, reply) => {
      const { userId } = request.params;
      engine.services.users.require(userId);
      const own = engine.services.schedules.list(userId);
      const { entries, pagination } = takePage(own, positionOf, request.query);
      const schedules = entries.map(({ schedule }) => schedule);
      return reply.type(JSON_TYPE).send(texts.page(SCHEDULE, schedules, pagination));
    },
  });
}

function createRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "POST",
    url: USER_URL,
    schema: {
      operationId: "createSchedule",
      summary: "Make a schedule for a charger, a vehicle or an HVAC unit",
      description:
        "Rules count by the wall clock at the schedule's location, else at the device's, else by UTC. Of the rules that hold, the last one in the list counts; without one the default does. An enabled schedule takes its target from smart charging.",
      tags: TAGS,
      params: UserPath,
      body: NewSchedule,
      response: { 200: jsonResponse("The schedule.", Schedule), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      const schedule = await engine.services.schedules.create(request.params.userId, request.body);
      return reply.type(JSON_TYPE).send(texts.record(SCHEDULE, schedule));
    },
  });
}

function getRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "getSchedule",
      summary: "Get one schedule",
      description:
        "The rules as they were stored. Times are wall-clock times of the schedule's location, or of its device where it has none.",
      tags: TAGS,
      params: PATH,
      response: { 200: jsonResponse("The schedule.", Schedule), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const id = idIn(request.params);
      const schedule = engine.services.schedules.get(id);
      if (schedule === null) throw noSchedule(id);
      return reply.type(JSON_TYPE).send(texts.record(SCHEDULE, schedule));
    },
  });
}

function updateRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "PUT",
    url: URL,
    schema: {
      operationId: "updateSchedule",
      summary: "Change a schedule; what the body leaves out stays",
      description:
        "The new rules count from the next decision, seconds later. Switching a schedule on takes its target from smart charging; switching it off leaves the target as it is.",
      tags: TAGS,
      params: PATH,
      body: ScheduleChanges,
      response: { 200: jsonResponse("The schedule as it is now.", Schedule), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      const schedule = await engine.services.schedules.update(id, request.body);
      if (schedule === null) throw noSchedule(id);
      return reply.type(JSON_TYPE).send(texts.record(SCHEDULE, schedule));
    },
  });
}

function deleteRoute(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "DELETE",
    url: URL,
    schema: {
      operationId: "deleteSchedule",
      summary: "Delete a schedule; what its target does at that moment goes on",
      description:
        "A vehicle that the schedule paused stays paused until somebody starts it; nothing is sent to the device.",
      tags: TAGS,
      params: PATH,
      response: {
        ...problemResponses("not-found", "too-many-requests"),
        204: emptyResponse("The schedule is gone."),
      },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      if (!(await engine.services.schedules.remove(id))) throw noSchedule(id);
      return reply.code(204).send();
    },
  });
}

function statusRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: `${URL}/status`,
    schema: {
      operationId: "getScheduleStatus",
      summary: "Get how far a schedule is with its target",
      description:
        "`ALIGNED`: the target does what the rules say. In the other states a command is under way, or something else has precedence. `upcomingTransitions` are the next two changes, as instants in UTC.",
      tags: TAGS,
      params: PATH,
      response: { 200: jsonResponse("The status.", ScheduleStatus), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const id = idIn(request.params);
      const status = engine.services.schedules.status(id);
      if (status === null) throw noSchedule(id);
      return reply.type(JSON_TYPE).send(texts.record(STATUS, status));
    },
  });
}

function noSchedule(id: string) {
  return problem("not-found", `There is no schedule "${id}".`);
}

function positionOf({ createdAtMs, schedule }: ScheduleEntry): Position {
  return { createdAtMs, id: schedule.id };
}
