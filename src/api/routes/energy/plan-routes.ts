/** The plan by price of batteries and vehicles. */
import { z } from "zod";
import { EnergyPlanView } from "../../../domain/energy/plan/plan-view.ts";
import {
  EnergySavings,
  EnergySimulation,
  EnergySimulationRequest,
  SavingsResolution,
} from "../../../domain/energy/plan/savings-view.ts";
import { Instant } from "../../../domain/fields.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { LanguageQuery } from "./energy-routes.ts";

const TAGS = ["energy"];

const SavingsRange = z.object({
  resolution: SavingsResolution.default("DAY"),
  from: Instant.optional().meta({ description: "The period that holds it is the first; default 30 days before `to`." }),
  to: Instant.optional().meta({
    description: "Default now. The range may be 92 days long, or 366 by month.",
  }),
});

export function planRoutes(api: Api, parts: RouteParts): void {
  planRoute(api, parts);
  savingsRoute(api, parts);
  simulateRoute(api, parts);
}

function planRoute(api: Api, { engine }: RouteParts): void {
  const { energyPlans } = engine.services;
  api.route({
    method: "GET",
    url: "/local/energy/plan",
    schema: {
      operationId: "getEnergyPlan",
      summary: "Get what batteries and vehicles will do in the next 48 hours and why, or why there is no plan",
      description:
        "A plan is made each quarter hour, and when prices, a limit, a target or a plug changes. Batteries are planned while `isPlanned` is set under `/local/energy/battery-use`, and vehicles with a target in mode `PLANNED`.",
      tags: TAGS,
      querystring: LanguageQuery,
      response: { 200: jsonResponse("The plan.", EnergyPlanView), ...problemResponses() },
    },
    handler: ({ query }) => energyPlans.view(query.language),
  });
}

function savingsRoute(api: Api, { engine }: RouteParts): void {
  const msOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));
  api.route({
    method: "GET",
    url: "/local/energy/savings",
    schema: {
      operationId: "getEnergySavings",
      summary: "Get what the batteries and the plan saved, by day or month",
      description:
        "Calculated from the measured energy and the prices that are known of each quarter hour. What is not known is `null`, never 0.",
      tags: TAGS,
      querystring: SavingsRange,
      response: { 200: jsonResponse("The periods, oldest first.", EnergySavings), ...problemResponses() },
    },
    handler: ({ query }) =>
      engine.services.energyPlans.savings({
        resolution: query.resolution,
        fromMs: msOf(query.from),
        toMs: msOf(query.to),
      }),
  });
}

function simulateRoute(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "POST",
    url: "/local/energy/simulate",
    schema: {
      operationId: "simulateEnergy",
      summary: "Calculate what the last days would have cost with another battery, other prices or another mode",
      description: "Changes nothing in the house. It takes seconds, in which everything else goes on.",
      tags: TAGS,
      body: EnergySimulationRequest,
      response: {
        200: jsonResponse("The costs as they were and as they would have been.", EnergySimulation),
        ...problemResponses("payload-too-large", "unsupported-media-type"),
      },
    },
    handler: async ({ body }) => await engine.services.energyPlans.simulate(body),
  });
}
