/** Commands: each makes an action and answers it before anything reaches the device (interface 3.1). */
import { z } from "zod";
import { type ActionWish, ChargeKind } from "../../domain/action.ts";
import { RequestableMode } from "../../domain/battery.ts";
import { JSON_TYPE } from "../answers.ts";
import { type Api, type RouteParts, versionOf } from "../api.ts";
import type { RecordShape } from "../json-texts.ts";
import { jsonResponse, problemResponses } from "../responses.ts";
import { idIn, pathId } from "./path-ids.ts";
import { BATTERIES, BATTERY_ACTIONS, CHARGER_ACTIONS, CHARGERS, type Resource } from "./resources.ts";

const OperationModeRequest = z.strictObject({ operationMode: RequestableMode }).meta({ id: "OperationModeRequest" });

const ChargingRequest = z.strictObject({ action: ChargeKind }).meta({ id: "ChargingRequest" });

const MaxCurrentRequest = z
  .strictObject({ maxCurrent: z.number().positive().meta({ description: "Ampere per phase." }) })
  .meta({ id: "MaxCurrentRequest" });

export function batteryCommandRoutes(api: Api, parts: RouteParts): void {
  commandRoute(api, parts, {
    resource: BATTERIES,
    actions: BATTERY_ACTIONS,
    command: "operation-mode",
    operationId: "setBatteryOperationMode",
    summary: "Set a battery's operation mode",
    wish: OperationModeRequest.transform(({ operationMode }) => ({ targetType: "battery", operationMode })),
  });
}

export function chargerCommandRoutes(api: Api, parts: RouteParts): void {
  commandRoute(api, parts, {
    resource: CHARGERS,
    actions: CHARGER_ACTIONS,
    command: "charging",
    operationId: "setChargerCharging",
    summary: "Start or stop charging",
    wish: ChargingRequest.transform(({ action }) => ({ targetType: "charger", kind: action })),
  });
  commandRoute(api, parts, {
    resource: CHARGERS,
    actions: CHARGER_ACTIONS,
    command: "max-current",
    operationId: "setChargerMaxCurrent",
    summary: "Set the most current a charger offers",
    wish: MaxCurrentRequest.transform(({ maxCurrent }) => ({ targetType: "charger", maxCurrent })),
  });
}

interface Command {
  readonly resource: Resource;
  readonly actions: RecordShape;
  /** The last segment of the path. */
  readonly command: string;
  readonly operationId: string;
  readonly summary: string;
  /** The body, and the wish it stands for. */
  readonly wish: z.ZodType<ActionWish>;
}

function commandRoute(api: Api, { engine, texts }: RouteParts, { resource, actions, ...command }: Command): void {
  const { name, plural } = resource;
  api.route({
    method: "POST",
    url: `/${plural}/:${name}Id/${command.command}`,
    schema: {
      operationId: command.operationId,
      summary: command.summary,
      tags: [plural],
      params: pathId(`${name}Id`),
      body: command.wish,
      response: {
        200: jsonResponse("The action, pending; or the one that is pending for the same wish.", actions.schema),
        ...problemResponses("forbidden", "not-found", "payload-too-large", "unsupported-media-type"),
      },
    },
    handler: async (request, reply) => {
      const action = await engine.actions.start(idIn(request.params), request.body);
      return reply.type(JSON_TYPE).send(texts.record(versionOf(request), actions, action));
    },
  });
}
