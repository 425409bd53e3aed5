/** Smart charging of vehicles: policy, status and plans (rule S2.4). */
import { z } from "zod";
import { VehicleSmartChargingPolicy } from "../../../domain/assets/vehicle.ts";
import { problem } from "../../../domain/problem.ts";
import {
  VehicleChargingPlan,
  VehiclePolicyUpdate,
  VehicleSmartStatus,
} from "../../../domain/smart/vehicle-smart-charging.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const POLICIES: RecordShape = { name: "smart-charging-policy", schema: VehicleSmartChargingPolicy };
const STATUSES: RecordShape = { name: "smart-charging-status", schema: VehicleSmartStatus };
const PLANS: RecordShape = { name: "smart-charging-plan", schema: VehicleChargingPlan };

const tags = ["vehicles"];
const params = pathId("vehicleId");

const PlanPath = z.object({
  vehicleId: z.string().meta({ format: "uuid" }),
  planId: z.string().meta({ description: "The id of a plan, or `latest`." }),
});

export function vehicleSmartRoutes(api: Api, parts: RouteParts): void {
  policyRoutes(api, parts);
  statusRoute(api, parts);
  planRoute(api, parts);
}

function policyRoutes(api: Api, { engine, texts }: RouteParts): void {
  const url = "/vehicles/:vehicleId/smart-charging-policy";
  const answer = jsonResponse("The policy.", VehicleSmartChargingPolicy);
  api.route({
    method: "GET",
    url,
    schema: {
      operationId: "getVehicleSmartChargingPolicy",
      summary: "Get the smart charging policy of a vehicle",
      tags,
      params,
      response: { 200: answer, ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const policy = engine.services.vehicleSmart.policy(idIn(request.params));
      return reply.type(JSON_TYPE).send(texts.record(POLICIES, policy));
    },
  });
  api.route({
    method: "PUT",
    url,
    schema: {
      operationId: "setVehicleSmartChargingPolicy",
      summary: "Change the smart charging policy of a vehicle; what is left out stays",
      tags,
      params,
      body: VehiclePolicyUpdate,
      response: {
        200: answer,
        ...problemResponses("not-found", "too-many-requests", "payload-too-large", "unsupported-media-type"),
      },
    },
    handler: async (request, reply) => {
      const policy = await engine.services.vehicleSmart.setPolicy(idIn(request.params), request.body);
      return reply.type(JSON_TYPE).send(texts.record(POLICIES, policy));
    },
  });
}

function statusRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/vehicles/:vehicleId/smart-charging-status",
    schema: {
      operationId: "getVehicleSmartChargingStatus",
      summary: "Get where the smart charging of a vehicle is",
      tags,
      params,
      response: { 200: jsonResponse("The status.", VehicleSmartStatus), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const status = engine.services.vehicleSmart.status(idIn(request.params));
      return reply.type(JSON_TYPE).send(texts.record(STATUSES, status));
    },
  });
}

function planRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/vehicles/:vehicleId/smart-charging-plans/:planId",
    schema: {
      operationId: "getVehicleSmartChargingPlan",
      summary: "Get a smart charging plan of a vehicle, or its latest",
      tags,
      params: PlanPath,
      response: { 200: jsonResponse("The plan.", VehicleChargingPlan), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const { vehicleId, planId } = request.params;
      const plan = engine.services.vehicleSmart.plan(vehicleId, planId);
      if (plan === null) throw problem("not-found", `The vehicle has no smart charging plan "${planId}".`);
      return reply.type(JSON_TYPE).send(texts.record(PLANS, plan));
    },
  });
}
