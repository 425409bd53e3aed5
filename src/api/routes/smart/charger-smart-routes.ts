/** Smart charging of chargers: policy and status (rules I4.4 and S2.5). */
import {
  ChargerPolicyUpdate,
  ChargerSmartPolicy,
  ChargerSmartStatus,
} from "../../../domain/smart/charger-smart-charging.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const POLICIES: RecordShape = { name: "charger-smart-charging-policy", schema: ChargerSmartPolicy };
const STATUSES: RecordShape = { name: "charger-smart-charging-status", schema: ChargerSmartStatus };

const tags = ["chargers"];
const params = pathId("chargerId");

export function chargerSmartRoutes(api: Api, parts: RouteParts): void {
  policyRoutes(api, parts);
  statusRoute(api, parts);
}

function policyRoutes(api: Api, { engine, texts }: RouteParts): void {
  const url = "/chargers/:chargerId/smart-charging-policy";
  const answer = jsonResponse("The policy.", ChargerSmartPolicy);
  api.route({
    method: "GET",
    url,
    schema: {
      operationId: "getChargerSmartChargingPolicy",
      summary: "Get the smart charging policy of a charger",
      tags,
      params,
      response: { 200: answer, ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const policy = engine.services.chargerSmart.policy(idIn(request.params));
      return reply.type(JSON_TYPE).send(texts.record(POLICIES, policy));
    },
  });
  api.route({
    method: "PUT",
    url,
    schema: {
      operationId: "setChargerSmartChargingPolicy",
      summary: "Change the smart charging policy of a charger; what is left out stays",
      tags,
      params,
      body: ChargerPolicyUpdate,
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
      const policy = await engine.services.chargerSmart.setPolicy(idIn(request.params), request.body);
      return reply.type(JSON_TYPE).send(texts.record(POLICIES, policy));
    },
  });
}

function statusRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/chargers/:chargerId/smart-charging-status",
    schema: {
      operationId: "getChargerSmartChargingStatus",
      summary: "Get where the smart charging of a charger is",
      tags,
      params,
      response: { 200: jsonResponse("The status.", ChargerSmartStatus), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const status = engine.services.chargerSmart.status(idIn(request.params));
      return reply.type(JSON_TYPE).send(texts.record(STATUSES, status));
    },
  });
}
