/** The import of a file that a house is set up from. */
import type { FastifyRequest } from "fastify";
import { instant, instantOrNull } from "../../../domain/fields.ts";
import {
  SetupImport,
  SetupImportBody,
  SetupImportPreview,
  SetupImportTask,
} from "../../../domain/setup/setup-import.ts";
import type { Importer, SetupImportRecord } from "../../../engine/contracts/setup.ts";
import type { Api, RouteParts } from "../../api.ts";
import { hasScope } from "../../clients/callers.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { actorOf, TAGS } from "./setup-shapes.ts";

const URL = "/local/setup/import";

export function importRoutes(api: Api, parts: RouteParts): void {
  const { setupImports } = parts.engine.services;
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "getSetupImport",
      summary: "Get the import of a setup file that runs, or that ran last",
      description: "Each step with what came of it. It goes on when nobody asks, and is known also after a restart.",
      tags: TAGS,
      response: { 200: jsonResponse("What runs, or ran last.", SetupImport), ...problemResponses() },
    },
    handler: () => {
      const task = setupImports.task();
      return { task: task === null ? null : shownTask(task) };
    },
  });
  previewRoute(api, parts);
  api.route({
    method: "POST",
    url: URL,
    schema: {
      operationId: "beginSetupImport",
      summary: "Begin to set the house up from a file",
      description:
        "The file is checked as a whole; with a mistake nothing is done, and `issues` names each with its line. The steps are those of the setup, in the order of the preview; the first that fails ends the import. Accounts are made for owners, and for clients with the scope `people:manage`, only.",
      tags: TAGS,
      body: SetupImportBody,
      response: {
        202: jsonResponse("The import, which runs.", SetupImportTask),
        ...problemResponses("conflict", "service-unavailable"),
      },
    },
    handler: async (request, reply) => {
      const record = await setupImports.begin(request.body.text, importerOf(parts, request));
      return await reply.code(202).send(shownTask(record));
    },
  });
  api.route({
    method: "DELETE",
    url: URL,
    schema: {
      operationId: "stopSetupImport",
      summary: "End the import of a setup file",
      description:
        "What is being done is ended or taken to its end; nothing more is begun. What was done stays done; a control test gives back the value before.",
      tags: TAGS,
      response: { 204: emptyResponse("It ends."), ...problemResponses("not-found") },
    },
    handler: async (_request, reply) => {
      setupImports.stop();
      return await reply.code(204).send();
    },
  });
}

function previewRoute(api: Api, parts: RouteParts): void {
  api.route({
    method: "POST",
    url: `${URL}/preview`,
    schema: {
      operationId: "previewSetupImport",
      summary: "Check a setup file, and see what its import would do",
      description: "Nothing is changed, and no device is asked. Secrets of the file are not in the answer.",
      tags: TAGS,
      body: SetupImportBody,
      response: { 200: jsonResponse("The mistakes, or else the steps.", SetupImportPreview), ...problemResponses() },
    },
    handler: (request) => parts.engine.services.setupImports.preview(request.body.text, importerOf(parts, request)),
  });
}

function importerOf(parts: RouteParts, request: FastifyRequest): Importer {
  return { by: actorOf(parts, request), isManager: hasScope(parts.callerOf(request), "people:manage") };
}

function shownTask({ by, startedAtMs, endedAtMs, steps, ...task }: SetupImportRecord): SetupImportTask {
  const times = { startedAt: instant(startedAtMs), endedAt: instantOrNull(endedAtMs) };
  return { ...task, ...times, by: by.name, steps: [...steps] };
}
