/** The smart policy of HVAC units (rules I4.3 and S2.6). */
import { HvacPolicyUpdate, HvacSmartPolicy, HvacSmartStatus } from "../../../domain/smart/hvac-smart-policy.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const POLICIES: RecordShape = { name: "hvac-smart-policy", schema: HvacSmartPolicy };
const STATUSES: RecordShape = { name: "hvac-smart-status", schema: HvacSmartStatus };

const tags = ["hvacs"];
const params = pathId("hvacId");

export function hvacSmartRoutes(api: Api, parts: RouteParts): void {
  policyRoutes(api, parts);
  statusRoute(api, parts);
}

function policyRoutes(api: Api, { engine, texts }: RouteParts): void {
  const url = "/hvacs/:hvacId/smart-policy";
  const answer = jsonResponse("The policy.", HvacSmartPolicy);
  api.route({
    method: "GET",
    url,
    schema: {
      operationId: "getHvacSmartPolicy",
      summary: "Get the smart policy of an HVAC unit",
      tags,
      params,
      response: { 200: answer, ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const policy = engine.services.hvacSmart.policy(idIn(request.params));
      return reply.type(JSON_TYPE).send(texts.record(POLICIES, policy));
    },
  });
  api.route({
    method: "PUT",
    url,
    schema: {
      operationId: "setHvacSmartPolicy",
      summary: "Switch the smart policy of an HVAC unit on or off",
      tags,
      params,
      body: HvacPolicyUpdate,
      response: {
        200: answer,
        ...problemResponses(
          "forbidden",
          "not-found",
          "too-many-requests",
          "payload-too-large",
          "unsupported-media-type",
        ),
      },
    },
    handler: async (request, reply) => {
      const policy = await engine.services.hvacSmart.setPolicy(idIn(request.params), request.body);
      return reply.type(JSON_TYPE).send(texts.record(POLICIES, policy));
    },
  });
}

function statusRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/hvacs/:hvacId/smart-status",
    schema: {
      operationId: "getHvacSmartStatus",
      summary: "Get the setpoints that the smart policy of an HVAC unit holds today",
      tags,
      params,
      response: { 200: jsonResponse("The status.", HvacSmartStatus), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const status = engine.services.hvacSmart.status(idIn(request.params));
      return reply.type(JSON_TYPE).send(texts.record(STATUSES, status));
    },
  });
}
