/** Smart charging of vehicles and chargers, and the smart policy of HVAC units (rules I4.3, I4.4, S2.4 to S2.6). */
import { z } from "zod";
import { VehicleSmartChargingPolicy } from "../../../domain/assets/vehicle.ts";
import { problem } from "../../../domain/problem.ts";
import {
  ChargerPolicyUpdate,
  ChargerSmartPolicy,
  ChargerSmartStatus,
} from "../../../domain/smart/charger-smart-charging.ts";
import { HvacPolicyUpdate, HvacSmartPolicy, HvacSmartStatus } from "../../../domain/smart/hvac-smart-policy.ts";
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

const PLANS: RecordShape = { name: "smart-charging-plan", schema: VehicleChargingPlan };

const PlanPath = z.object({
  vehicleId: z.string().meta({ format: "uuid" }),
  planId: z.string().meta({ description: "The id of a plan, or `latest`." }),
});

interface Texts {
  readonly get: string;
  readonly set: string;
  readonly status: string;
}

/** What the routes of one kind of asset differ in. */
interface SmartPolicy<Policy extends z.ZodType<object>, Update extends z.ZodType, Status extends z.ZodType<object>> {
  readonly target: "charger" | "hvac" | "vehicle";
  /** In paths, before `-policy` and `-status`. */
  readonly feature: "smart-charging" | "smart";
  /** In operation ids, between `get` or `set` and `Policy` or `Status`. */
  readonly noun: string;
  readonly policy: Policy;
  readonly update: Update;
  readonly status: Status;
  /** True if a policy without the scope for commands is refused. */
  readonly needsScope: boolean;
  readonly summaries: Texts;
  readonly descriptions: Texts;
  readonly service: {
    policy(id: string): z.output<Policy>;
    setPolicy(id: string, update: z.output<Update>): Promise<z.output<Policy>>;
    status(id: string): z.output<Status>;
  };
}

const VEHICLE_TEXTS: Texts = {
  get: "Off until somebody switches it on. The deadline is a time of day on the wall clock of the vehicle's location; the least charge is in %.",
  set: "Switched on, smart charging pauses a vehicle that charges at its location until the hours are cheap, so that it is ready by the deadline. Below the least charge it always charges. A schedule for the vehicle is switched off.",
  status:
    "`consideration` says why there is no plan yet, `plan` is the one under way. Each change is an event `user:vehicle:smart-charging-status-updated`.",
};

const CHARGER_TEXTS: Texts = {
  get: "Off until somebody switches it on. Deadline and duration are hours and minutes; a charger does not know the state of charge, so the duration is set by hand.",
  set: "Switched on, the charger charges for the set duration in the cheapest quarter hours before the deadline. It needs the scope to command the charger. A schedule for the charger is switched off.",
  status: "The quarter hours that were chosen until the deadline, and how far they are.",
};

const HVAC_TEXTS: Texts = {
  get: "Off until somebody switches it on.",
  set: "Switched on, the unit heats 1 °C more in the cheapest quarter of the day and 1 °C less in the dearest; cooling stays as it is. Switched off, the setting before is restored.",
  status: "°C by times of day at the unit's location; empty without prices, or while the unit is not set to heat.",
};

export function smartRoutes(api: Api, parts: RouteParts): void {
  const { vehicleSmart, chargerSmart, hvacSmart } = parts.engine.services;
  policyRoutes(api, parts, {
    target: "vehicle",
    feature: "smart-charging",
    noun: "VehicleSmartCharging",
    policy: VehicleSmartChargingPolicy,
    update: VehiclePolicyUpdate,
    status: VehicleSmartStatus,
    needsScope: false,
    summaries: {
      get: "Get the smart charging policy of a vehicle",
      set: "Change the smart charging policy of a vehicle; what is left out stays",
      status: "Get where the smart charging of a vehicle is",
    },
    descriptions: VEHICLE_TEXTS,
    service: vehicleSmart,
  });
  vehiclePlanRoute(api, parts);
  policyRoutes(api, parts, {
    target: "charger",
    feature: "smart-charging",
    noun: "ChargerSmartCharging",
    policy: ChargerSmartPolicy,
    update: ChargerPolicyUpdate,
    status: ChargerSmartStatus,
    needsScope: true,
    summaries: {
      get: "Get the smart charging policy of a charger",
      set: "Change the smart charging policy of a charger; what is left out stays",
      status: "Get where the smart charging of a charger is",
    },
    descriptions: CHARGER_TEXTS,
    service: chargerSmart,
  });
  policyRoutes(api, parts, {
    target: "hvac",
    feature: "smart",
    noun: "HvacSmart",
    policy: HvacSmartPolicy,
    update: HvacPolicyUpdate,
    status: HvacSmartStatus,
    needsScope: true,
    summaries: {
      get: "Get the smart policy of an HVAC unit",
      set: "Switch the smart policy of an HVAC unit on or off",
      status: "Get the setpoints that the smart policy of an HVAC unit holds today",
    },
    descriptions: HVAC_TEXTS,
    service: hvacSmart,
  });
}

function policyRoutes<Policy extends z.ZodType<object>, Update extends z.ZodType, Status extends z.ZodType<object>>(
  api: Api,
  { texts }: RouteParts,
  smart: SmartPolicy<Policy, Update, Status>,
): void {
  const { target, feature, noun, summaries, descriptions, service } = smart;
  const url = `/${target}s/:${target}Id/${feature}`;
  const common = { tags: [`${target}s`], params: pathId(`${target}Id`) };
  const policies: RecordShape = { name: `${target}-${feature}-policy`, schema: smart.policy };
  const statuses: RecordShape = { name: `${target}-${feature}-status`, schema: smart.status };
  const answer = jsonResponse("The policy.", smart.policy);
  api.route({
    method: "GET",
    url: `${url}-policy`,
    schema: {
      operationId: `get${noun}Policy`,
      summary: summaries.get,
      description: descriptions.get,
      ...common,
      response: { 200: answer, ...problemResponses("not-found") },
    },
    handler: (request, reply) =>
      reply.type(JSON_TYPE).send(texts.record(policies, service.policy(idIn(request.params)))),
  });
  const problems = ["not-found", "too-many-requests", "payload-too-large", "unsupported-media-type"] as const;
  api.route({
    method: "PUT",
    url: `${url}-policy`,
    schema: {
      operationId: `set${noun}Policy`,
      summary: summaries.set,
      description: descriptions.set,
      ...common,
      body: smart.update,
      response: { 200: answer, ...problemResponses(...(smart.needsScope ? ["forbidden" as const] : []), ...problems) },
    },
    handler: async (request, reply) => {
      // Fastify has parsed it with this very schema.
      const update = request.body as z.output<Update>;
      const policy = await service.setPolicy(idIn(request.params), update);
      return reply.type(JSON_TYPE).send(texts.record(policies, policy));
    },
  });
  api.route({
    method: "GET",
    url: `${url}-status`,
    schema: {
      operationId: `get${noun}Status`,
      summary: summaries.status,
      description: descriptions.status,
      ...common,
      response: { 200: jsonResponse("The status.", smart.status), ...problemResponses("not-found") },
    },
    handler: (request, reply) =>
      reply.type(JSON_TYPE).send(texts.record(statuses, service.status(idIn(request.params)))),
  });
}

function vehiclePlanRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/vehicles/:vehicleId/smart-charging-plans/:planId",
    schema: {
      operationId: "getVehicleSmartChargingPlan",
      summary: "Get a smart charging plan of a vehicle, or its latest",
      description:
        "One pause of charging with its start and stop, and what it costs with and without it, in the currency of the tariff. `latest` is the plan under way, or the last one.",
      tags: ["vehicles"],
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
