/** Webhooks (rules I4.14 and S1), and the single webhook of older versions. */
import type { FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import { PageQuery, Pagination, type Position, takePage } from "../../../domain/page.ts";
import { ProblemError, problem } from "../../../domain/problem.ts";
import {
  FirehoseAddress,
  FirehoseTarget,
  Webhook,
  WebhookCreate,
  WebhookTest,
  WebhookUpdate,
} from "../../../domain/webhooks/webhook.ts";
import type { WebhookEntry } from "../../../engine/contracts/webhooks.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { validatorCompiler } from "../../requests/issues.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const WEBHOOKS: RecordShape = { name: "webhook", schema: Webhook };
const Page = z.object({ data: z.array(Webhook), pagination: Pagination }).meta({ id: "WebhookPage" });
const WEBHOOK_PATH = pathId("webhookId");
const FIREHOSE_PATH = "/webhooks/firehose";
const BODY_PROBLEMS = ["forbidden", "payload-too-large", "unsupported-media-type"] as const;
const tags = ["webhooks"];

export function webhookRoutes(api: Api, parts: RouteParts): void {
  // In a separate scope: problems with its bodies have another title.
  void api.register(async (scope: Api) => {
    scope.setValidatorCompiler(bodyValidator);
    createRoute(scope, parts);
    listRoute(scope, parts);
    getRoute(scope, parts);
    updateRoute(scope, parts);
    deleteRoute(scope, parts);
    testRoute(scope, parts);
    firehoseRoutes(scope, parts);
  });
}

/** As for all routes, with the title of rule S1.2 for bodies. */
const bodyValidator: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route);
  return (input: unknown) => {
    const result: unknown = validate(input);
    const isObject = typeof result === "object" && result !== null;
    const error = isObject && "error" in result && result.error instanceof ProblemError ? result.error : null;
    if (route.httpPart !== "body" || error === null) return isObject ? result : true;
    const { slug, message, issues } = error;
    return { error: problem(slug, message, { issues, title: "Webhook input is not valid." }) };
  };
};

function notFound(id: string): ProblemError {
  return problem("not-found", `There is no webhook "${id}".`, { title: "Webhook not found" });
}

function createRoute(api: Api, { webhooks, texts, clientOf }: RouteParts): void {
  api.route({
    method: "POST",
    url: "/webhooks",
    schema: {
      operationId: "createWebhook",
      summary: "Receive events at a URL",
      description:
        "You make the secret yourself, and no answer contains it. Deliveries begin with the next event; nothing from before is sent. `POST /webhooks/{webhookId}/test` shows whether the URL works.",
      tags,
      body: WebhookCreate,
      response: { 200: jsonResponse("The webhook.", Webhook), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      const webhook = await webhooks.create(clientOf(request), request.body);
      return reply.type(JSON_TYPE).send(texts.record(WEBHOOKS, webhook));
    },
  });
}

function listRoute(api: Api, { webhooks, texts, clientOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/webhooks",
    schema: {
      operationId: "listWebhooks",
      summary: "List your webhooks, newest first",
      description:
        "Those of the client or the person that asks. `/local/webhooks` has all, with their latest deliveries.",
      tags,
      querystring: PageQuery,
      response: { 200: jsonResponse("A page of webhooks.", Page), ...problemResponses() },
    },
    handler: (request, reply) => {
      const { entries, pagination } = takePage(webhooks.list(clientOf(request)), positionOf, request.query);
      const records = entries.map(({ webhook }) => webhook);
      return reply.type(JSON_TYPE).send(texts.page(WEBHOOKS, records, pagination));
    },
  });
}

function getRoute(api: Api, { webhooks, texts, clientOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/webhooks/:webhookId",
    schema: {
      operationId: "getWebhook",
      summary: "Get one webhook",
      description: "`isActive` is `false` after deliveries failed for a day; change the webhook or test it to go on.",
      tags,
      params: WEBHOOK_PATH,
      response: { 200: jsonResponse("The webhook.", Webhook), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const id = idIn(request.params);
      const webhook = webhooks.get(clientOf(request), id);
      if (webhook === null) throw notFound(id);
      return reply.type(JSON_TYPE).send(texts.record(WEBHOOKS, webhook));
    },
  });
}

function updateRoute(api: Api, { webhooks, texts, clientOf }: RouteParts): void {
  api.route({
    method: "PATCH",
    url: "/webhooks/:webhookId",
    schema: {
      operationId: "updateWebhook",
      summary: "Change a webhook; an inactive one is active again",
      description:
        "What the body leaves out stays. A new URL or secret counts from the next attempt, also for events that wait.",
      tags,
      params: WEBHOOK_PATH,
      body: WebhookUpdate,
      response: { 200: jsonResponse("The webhook.", Webhook), ...problemResponses("not-found", ...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      const webhook = await webhooks.update(clientOf(request), id, request.body);
      if (webhook === null) throw notFound(id);
      return reply.type(JSON_TYPE).send(texts.record(WEBHOOKS, webhook));
    },
  });
}

function deleteRoute(api: Api, { webhooks, clientOf }: RouteParts): void {
  api.route({
    method: "DELETE",
    url: "/webhooks/:webhookId",
    schema: {
      operationId: "deleteWebhook",
      summary: "Delete a webhook",
      description: "What still waits for it is dropped. A delivery under way may still arrive.",
      tags,
      params: WEBHOOK_PATH,
      response: { 204: emptyResponse("It is gone."), ...problemResponses("not-found") },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      if (!(await webhooks.remove(clientOf(request), id))) throw notFound(id);
      return reply.code(204).send();
    },
  });
}

function testRoute(api: Api, { webhooks, clientOf }: RouteParts): void {
  api.route({
    method: "POST",
    url: "/webhooks/:webhookId/test",
    schema: {
      operationId: "testWebhook",
      summary: "Deliver a test event now; success makes the webhook active",
      description:
        "Sends one `service:webhook:test` and answers what the receiver answered. A receiver that fails is no error of this request: `status` is `FAILURE`.",
      tags,
      params: WEBHOOK_PATH,
      response: {
        200: jsonResponse("How the delivery went.", WebhookTest),
        ...problemResponses("not-found", "payload-too-large", "unsupported-media-type"),
      },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      const result = await webhooks.test(clientOf(request), id);
      if (result === null) throw notFound(id);
      return reply.type(JSON_TYPE).send(JSON.stringify(WebhookTest.parse(result)));
    },
  });
}

function firehoseRoutes(api: Api, { webhooks, clientOf }: RouteParts): void {
  api.route({
    method: "PUT",
    url: FIREHOSE_PATH,
    schema: {
      operationId: "setFirehose",
      summary: "Set the single webhook of older versions",
      description:
        "It gets all events of the interface, signed as other webhooks are. Use `POST /webhooks` instead: several webhooks, with their own events.",
      deprecated: true,
      tags,
      body: FirehoseTarget,
      response: { 204: emptyResponse("It is set."), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      await webhooks.setFirehose(clientOf(request), request.body);
      return reply.code(204).send();
    },
  });
  api.route({
    method: "DELETE",
    url: FIREHOSE_PATH,
    schema: {
      operationId: "deleteFirehose",
      summary: "Delete the single webhook of older versions",
      description: "The body names the URL, so that another one is not deleted by mistake.",
      deprecated: true,
      tags,
      body: FirehoseAddress,
      response: { 204: emptyResponse("It is gone."), ...problemResponses("not-found", ...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      const { url } = request.body;
      if (await webhooks.removeFirehose(clientOf(request), url)) return reply.code(204).send();
      throw problem("not-found", `There is no webhook at "${url}".`, { title: "Webhook not found" });
    },
  });
  api.route({
    method: "POST",
    url: `${FIREHOSE_PATH}/test`,
    schema: {
      operationId: "testFirehose",
      summary: "Deliver a test event to the single webhook of older versions",
      description: "Like the test of a webhook, with the event `service:firehose:test`.",
      deprecated: true,
      tags,
      response: {
        200: jsonResponse("How the delivery went.", WebhookTest),
        ...problemResponses("not-found", "payload-too-large", "unsupported-media-type"),
      },
    },
    handler: async (request, reply) => {
      const result = await webhooks.testFirehose(clientOf(request));
      if (result !== null) return reply.type(JSON_TYPE).send(JSON.stringify(WebhookTest.parse(result)));
      throw problem("not-found", "There is no single webhook.", { title: "Webhook not found" });
    },
  });
}

function positionOf({ webhook, createdAtMs }: WebhookEntry): Position {
  return { createdAtMs, id: webhook.id };
}
