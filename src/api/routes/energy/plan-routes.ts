/** The plan by price of batteries and vehicles. */
import { EnergyPlanView } from "../../../domain/energy/plan/plan-view.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { LanguageQuery } from "./energy-routes.ts";

const TAGS = ["energy"];

export function planRoutes(api: Api, { engine }: RouteParts): void {
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
