/** Charging from surplus solar power (rule S11.9). */
import { SolarPolicy, SolarPolicyUpdate } from "../../../domain/energy/surplus-rule.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const URL = "/chargers/:chargerId/solar-policy";
const COMMON = { tags: ["chargers"], params: pathId("chargerId") } as const;
const ANSWER = jsonResponse("The policy.", SolarPolicy);

export function solarPolicyRoutes(api: Api, { engine }: RouteParts): void {
  const { solarPolicies } = engine.services;
  api.route({
    method: "GET",
    url: URL,
    schema: {
      ...COMMON,
      operationId: "getChargerSolarPolicy",
      summary: "Get how a charger follows surplus solar power",
      description:
        "Least current in A per phase, the fed-in and imported power in kW at which charging starts and stops, and how long that has to last in s. `null` is the gateway's own rule.",
      response: { 200: ANSWER, ...problemResponses("not-found") },
    },
    handler: ({ params }) => solarPolicies.get(idIn(params)),
  });
  api.route({
    method: "PUT",
    url: URL,
    schema: {
      ...COMMON,
      operationId: "setChargerSolarPolicy",
      summary: "Set how a charger follows surplus solar power; what is left out stays",
      description:
        "The same as the energy mode of `/local/energy/devices`: the energy manager takes the charger over from schedules and smart charging.",
      body: SolarPolicyUpdate,
      response: {
        200: ANSWER,
        ...problemResponses("forbidden", "not-found", "payload-too-large", "unsupported-media-type"),
      },
    },
    handler: async ({ params, body }) => await solarPolicies.set(idIn(params), body),
  });
}
