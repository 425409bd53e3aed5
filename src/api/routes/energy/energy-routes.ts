/** The energy manager: what flows, what each device does and why, and the modes. */
import { z } from "zod";
import { BatteryUseSettings, BatteryUseUpdate, EnergyPolicyUpdate } from "../../../domain/energy/energy-policy.ts";
import { EnergyDeviceState, EnergyState } from "../../../domain/energy/energy-state.ts";
import { REASON_LANGUAGES } from "../../../domain/energy/energy-texts.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const TAGS = ["energy"];
const PATH = pathId("deviceId");
/** The language of the sentences in an answer. */
export const LanguageQuery = z.object({
  // Any other code is answered in English, so it is no enum for the check.
  language: z
    .string()
    .optional()
    .meta({ enum: [...REASON_LANGUAGES], description: "Language of the reasons; default and fallback: en-US." }),
});
const BODY_PROBLEMS = ["payload-too-large", "unsupported-media-type"] as const;

export function energyRoutes(api: Api, parts: RouteParts): void {
  stateRoutes(api, parts);
  policyRoutes(api, parts);
  batteryRoutes(api, parts);
}

function stateRoutes(api: Api, { engine }: RouteParts): void {
  const { energy } = engine.services;
  api.route({
    method: "GET",
    url: "/local/energy",
    schema: {
      operationId: "getEnergy",
      summary: "Get what flows now, what limits each device and why, and the alarms",
      description:
        "One moment of all meters, as the last control cycle saw it. Power in kW: grid positive for import, solar positive for production, battery positive while it charges, devices positive for consumption. What is not measured is `null`.",
      tags: TAGS,
      querystring: LanguageQuery,
      response: { 200: jsonResponse("The house as the energy manager sees it.", EnergyState), ...problemResponses() },
    },
    handler: ({ query }) => energy.state(query.language),
  });
  api.route({
    method: "GET",
    url: "/local/energy/devices/:deviceId",
    schema: {
      operationId: "getEnergyDevice",
      summary: "Get the settings of a device, what limits it and why",
      description:
        "Mode, priority and target of one charger, vehicle or heat pump, the power that it is allowed now in kW, and the reasons in words, the strongest first.",
      tags: TAGS,
      params: PATH,
      querystring: LanguageQuery,
      response: { 200: jsonResponse("The device.", EnergyDeviceState), ...problemResponses("not-found") },
    },
    handler: (request) => energy.device(idIn(request.params), request.query.language),
  });
}

function policyRoutes(api: Api, { engine }: RouteParts): void {
  const { energy } = engine.services;
  api.route({
    method: "PUT",
    url: "/local/energy/devices/:deviceId",
    schema: {
      operationId: "setEnergyDevice",
      summary: "Set the mode, priority or target of a charger, vehicle or heat pump; what is left out stays",
      description:
        "The energy manager takes the device over from schedules and smart charging, which are switched off for it. A client's start or stop, and a smart override, go before the mode until the vehicle is unplugged or a mode is set again; a client's maximum current limits every mode until then. A heat pump needs states in which it takes more power (SG Ready), or a setpoint without holds; what a client or schedule sets on it goes before the mode for as long as it is held.",
      tags: TAGS,
      params: PATH,
      body: EnergyPolicyUpdate,
      response: {
        200: jsonResponse("The device.", EnergyDeviceState),
        ...problemResponses("forbidden", "not-found", "too-many-requests", ...BODY_PROBLEMS),
      },
    },
    handler: async (request) => await energy.setPolicy(idIn(request.params), request.body),
  });
  api.route({
    method: "DELETE",
    url: "/local/energy/devices/:deviceId",
    schema: {
      operationId: "deleteEnergyDevice",
      summary: "End the control of a charger, vehicle or heat pump by a mode; limits of the site still apply",
      description:
        "The device goes back to what it does by itself or by its schedule. The fuse, the contract and the grid operator still limit it.",
      tags: TAGS,
      params: PATH,
      response: { 204: emptyResponse("The device has no mode any more."), ...problemResponses("not-found") },
    },
    handler: async (request, reply) => {
      await energy.clearPolicy(idIn(request.params));
      return reply.code(204).send();
    },
  });
}

function batteryRoutes(api: Api, { engine }: RouteParts): void {
  const { energy } = engine.services;
  const answer = jsonResponse("What the house battery may do.", BatteryUseSettings);
  api.route({
    method: "GET",
    url: "/local/energy/battery-use",
    schema: {
      operationId: "getEnergyBatteryUse",
      summary: "Get what the house battery may do while a vehicle charges, and by the plan",
      description:
        "Whether the battery may discharge into a vehicle, above which state of charge in %, and whether the plan may charge it from the grid or hold it back.",
      tags: TAGS,
      response: { 200: answer, ...problemResponses() },
    },
    handler: () => energy.batteryUse(),
  });
  api.route({
    method: "PUT",
    url: "/local/energy/battery-use",
    schema: {
      operationId: "setEnergyBatteryUse",
      summary: "Set what the house battery may do while a vehicle charges, and by the plan; what is left out stays",
      description:
        "It applies from the next control cycle, seconds later. Limits of the house and of the grid operator come first, whatever is set here.",
      tags: TAGS,
      body: BatteryUseUpdate,
      response: { 200: answer, ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request) => await energy.setBatteryUse(request.body),
  });
}
