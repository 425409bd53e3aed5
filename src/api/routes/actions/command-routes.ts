/** Commands: each makes an action and answers it before anything reaches the device (rule I3.1). */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { ChargeKind, PermanentHold, type RequestedSetting } from "../../../domain/actions/action.ts";
import { RequestableMode } from "../../../domain/assets/battery.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { requestKeyOf } from "../../requests/idempotency.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";
import {
  BATTERIES,
  BATTERY_ACTIONS,
  CHARGER_ACTIONS,
  CHARGERS,
  HVAC_ACTIONS,
  HVACS,
  type Resource,
  VEHICLES,
} from "../resources.ts";

/** What all commands have in common. */
const ACTION =
  "The answer is an action, stored before anything is sent; follow it until it is `CONFIRMED`, or by `user:vendor-action:updated`.";

const OperationModeRequest = z.strictObject({ operationMode: RequestableMode }).meta({ id: "OperationModeRequest" });

const ChargingRequest = z.strictObject({ action: ChargeKind }).meta({ id: "ChargingRequest" });

const MaxCurrentRequest = z
  .strictObject({ maxCurrent: z.number().positive().meta({ description: "Ampere per phase." }) })
  .meta({ id: "MaxCurrentRequest" });

const ChargeRateLimitRequest = z
  .strictObject({
    chargeRateLimit: z.number().positive().nullable().meta({ description: "kW; null lifts the limit." }),
  })
  .meta({ id: "ChargeRateLimitRequest" });

const PermanentHoldRequest = PermanentHold.meta({ id: "PermanentHoldRequest" });

export function batteryCommandRoutes(api: Api, parts: RouteParts): void {
  commandRoute(api, parts, {
    resource: BATTERIES,
    actions: BATTERY_ACTIONS,
    command: "operation-mode",
    operationId: "setBatteryOperationMode",
    summary: "Set a battery's operation mode",
    description: `\`IMPORT_FOCUS\` charges also from the grid and \`EXPORT_FOCUS\` discharges into it; the gateway holds both on the device and takes them back when it stops. \`SELF_RELIANCE\` is what the battery does by itself. ${ACTION}`,
    setting: OperationModeRequest.transform(({ operationMode }) => ({ targetType: "battery", operationMode })),
  });
}

export function chargeCommandRoutes(api: Api, parts: RouteParts): void {
  for (const resource of [CHARGERS, VEHICLES]) {
    const { one } = resource;
    const targetType = resource === CHARGERS ? "charger" : "vehicle";
    commandRoute(api, parts, {
      resource,
      actions: CHARGER_ACTIONS,
      command: "charging",
      operationId: `set${one}Charging`,
      summary: "Start or stop charging",
      description: `Refused while nothing is plugged in, when it is so already, and with 422 while a schedule or smart charging is in charge; a smart override starts it all the same. ${ACTION}`,
      setting: ChargingRequest.transform(({ action }) => ({ targetType, kind: action })),
    });
    commandRoute(api, parts, {
      resource,
      actions: CHARGER_ACTIONS,
      command: "max-current",
      operationId: `set${one}MaxCurrent`,
      summary: `Set the most current a ${targetType} ${targetType === "charger" ? "offers" : "draws"}`,
      description: `Ampere per phase, within the range of the device. Limits of the house and of the grid operator may leave it less. ${ACTION}`,
      setting: MaxCurrentRequest.transform(({ maxCurrent }) => ({ targetType, maxCurrent })),
    });
  }
  commandRoute(api, parts, {
    resource: CHARGERS,
    actions: CHARGER_ACTIONS,
    command: "charge-rate-limit",
    operationId: "setChargerChargeRateLimit",
    summary: "Limit the power of a charger",
    description: `kW over all phases; \`null\` lifts the limit. The charger is commanded by current, so the power is what its phases make of it. ${ACTION}`,
    setting: ChargeRateLimitRequest.transform(({ chargeRateLimit }) => ({ targetType: "charger", chargeRateLimit })),
  });
}

export function hvacCommandRoutes(api: Api, parts: RouteParts): void {
  const resource = HVACS;
  commandRoute(api, parts, {
    resource,
    actions: HVAC_ACTIONS,
    command: "permanent-hold",
    operationId: "setHvacPermanentHold",
    summary: "Hold an HVAC unit until further notice",
    description: `Mode and setpoints in °C that the mode needs; the unit's own schedule is suspended until it is handed back. ${ACTION}`,
    setting: PermanentHoldRequest.transform((hold) => ({
      targetType: "hvac",
      target: { ...hold, holdType: "PERMANENT" as const },
    })),
  });
  commandRoute(api, parts, {
    resource,
    actions: HVAC_ACTIONS,
    command: "follow-schedule",
    operationId: "setHvacFollowSchedule",
    summary: "Hand an HVAC unit back to its own schedule",
    description: `The schedule is the one that is stored in the unit or at its vendor, not one of \`/schedules\`. ${ACTION}`,
    setting: { targetType: "hvac", target: { holdType: "SCHEDULED" } },
  });
}

interface Command {
  readonly resource: Resource;
  readonly actions: RecordShape;
  /** The last segment of the path. */
  readonly command: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The body, and the setting it stands for; or the setting of a command without a body. */
  readonly setting: z.ZodType<RequestedSetting> | RequestedSetting;
}

function commandRoute(
  api: Api,
  { engine, texts }: RouteParts,
  { resource, actions, setting, ...command }: Command,
): void {
  const { name, plural } = resource;
  const method = "POST";
  const url = `/${plural}/:${name}Id/${command.command}`;
  const schema = {
    operationId: command.operationId,
    summary: command.summary,
    description: command.description,
    tags: [plural],
    params: pathId(`${name}Id`),
    response: {
      200: jsonResponse("The action, pending; or the one that is pending for the same setting.", actions.schema),
      ...problemResponses(...COMMAND_PROBLEMS),
    },
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply, id: string, requested: RequestedSetting) => {
    const action = await engine.actions.start(id, requested, { requestKey: requestKeyOf(request) });
    return reply.type(JSON_TYPE).send(texts.record(actions, action));
  };
  if (setting instanceof z.ZodType) {
    api.route({
      method,
      url,
      schema: { ...schema, body: setting },
      handler: (request, reply) => answer(request, reply, idIn(request.params), request.body),
    });
    return;
  }
  api.route({
    method,
    url,
    schema,
    handler: (request, reply) => answer(request, reply, idIn(request.params), setting),
  });
}

const COMMAND_PROBLEMS = [
  "forbidden",
  "not-found",
  "service-controlled-entity",
  "too-many-requests",
  "payload-too-large",
  "unsupported-media-type",
] as const;
