/** Actions after their command: how far they are, and calling them off. */
import type { ActionTargetType } from "../../../domain/actions/action.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

interface ActionResource {
  readonly target: ActionTargetType;
  /** In paths and as the tag of the description. */
  readonly plural: string;
  /** In operation ids. */
  readonly one: string;
  readonly actions: RecordShape;
}

const ACTION_PATH = pathId("actionId");
const NO_ACTION = emptyResponse("There is no such action; the body is empty.");

export function actionRoutes(api: Api, parts: RouteParts, resource: ActionResource): void {
  getRoute(api, parts, resource);
  cancelRoute(api, parts, resource);
}

function getRoute(api: Api, { engine, texts }: RouteParts, { target, plural, one, actions }: ActionResource): void {
  api.route({
    method: "GET",
    url: `/${plural}/actions/:actionId`,
    schema: {
      operationId: `get${one}Action`,
      summary: `Get an action on a ${target}`,
      description:
        "`PENDING` until a reading of the device shows the new value (`CONFIRMED`), time is over (`FAILED`), or another command takes its place (`CANCELLED`). A confirmed action is no promise that the value still holds. A 404 has no body.",
      tags: [plural],
      params: ACTION_PATH,
      response: { 200: jsonResponse("The action.", actions.schema), ...problemResponses(), 404: NO_ACTION },
    },
    handler: (request, reply) => {
      const action = engine.actions.get(target, idIn(request.params));
      if (action === null) return reply.code(404).send();
      return reply.type(JSON_TYPE).send(texts.record(actions, action));
    },
  });
}

function cancelRoute(api: Api, { engine, texts }: RouteParts, { target, plural, one, actions }: ActionResource): void {
  api.route({
    method: "POST",
    url: `/${plural}/actions/:actionId/cancel`,
    schema: {
      operationId: `cancel${one}Action`,
      summary: `Cancel a pending action on a ${target}`,
      description:
        "Nothing more is sent to the device. What it has taken already is not undone: send the command for the value before. An action that is over is a 409 with that action.",
      tags: [plural],
      params: ACTION_PATH,
      response: {
        200: jsonResponse("The action, cancelled.", actions.schema),
        ...problemResponses("payload-too-large", "unsupported-media-type"),
        404: NO_ACTION,
        409: jsonResponse("The action, which had ended before.", actions.schema),
      },
    },
    handler: async (request, reply) => {
      const outcome = await engine.actions.cancel(target, idIn(request.params));
      if (outcome === null) return reply.code(404).send();
      const text = texts.record(actions, outcome.action);
      return reply
        .code(outcome.kind === "cancelled" ? 200 : 409)
        .type(JSON_TYPE)
        .send(text);
    },
  });
}
