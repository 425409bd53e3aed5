/** Updates of the gateway itself, for its owners. */
import { instant, instantOrNull } from "../../../domain/fields.ts";
import { problem } from "../../../domain/problem.ts";
import { UpdateTaskView, UpdateView } from "../../../domain/updates/update-view.ts";
import type { Updates, UpdateTask } from "../../../engine/contracts/updates.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { requireManager } from "../people/asker.ts";

const URL = "/local/update";
const TAGS = ["installation"];
const WHO = "For owners, and for clients with the scope `people:manage`.";
const LONG =
  "The answer comes at once; `task` of `GET /local/update` shows how far it is and how it ended. It goes on when nobody asks.";
const WITHOUT = "503 where the gateway was not installed as the Debian package (`isUpdatable` is `false`).";

export function updateRoutes(api: Api, parts: RouteParts): void {
  stateRoute(api, parts);
  beginRoute(api, parts, {
    kind: "check",
    operationId: "checkForUpdate",
    summary: "Begin to look for a later version of the gateway",
    description: "Asks the repository that the installation has set; nothing is installed.",
  });
  beginRoute(api, parts, {
    kind: "install",
    operationId: "installUpdate",
    summary: "Begin to update the gateway to the newest version of its repository",
    description:
      "The gateway is stopped meanwhile, which sets each device to its safe default, and starts again with the later version. A version that is not as ready as this one was is taken back, with the state from before.",
  });
}

function stateRoute(api: Api, { callerOf, updates, version }: RouteParts): void {
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "getUpdate",
      summary: "Get the version that runs, a later one that is known, and how an update goes",
      description: `${WHO} The version before the last update comes back by the command line, on the machine itself: \`hemgate update rollback\`.`,
      tags: TAGS,
      response: { 200: jsonResponse("The versions, and what goes on.", UpdateView), ...problemResponses("forbidden") },
    },
    handler: async (request): Promise<UpdateView> => {
      requireManager(callerOf(request));
      const task = updates?.task() ?? null;
      return {
        version: version ?? null,
        isUpdatable: updates?.isUpdatable ?? false,
        available: updates?.available() ?? null,
        task: task === null ? null : taskView(task),
      };
    },
  });
}

interface Beginning {
  readonly kind: UpdateTask["kind"];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

function beginRoute(api: Api, { callerOf, updates }: RouteParts, { kind, description, ...words }: Beginning): void {
  api.route({
    method: "POST",
    url: `${URL}/${kind}`,
    schema: {
      ...words,
      description: `${WHO} ${description} ${LONG} ${WITHOUT}`,
      tags: TAGS,
      response: {
        202: jsonResponse("The task.", UpdateTaskView),
        ...problemResponses("forbidden", "conflict", "service-unavailable"),
      },
    },
    handler: async (request, reply) => {
      requireManager(callerOf(request));
      return await reply.code(202).send(taskView(await required(updates).begin(kind)));
    },
  });
}

function required(updates: Updates | undefined): Updates {
  if (updates !== undefined) return updates;
  throw problem("service-unavailable", "This gateway is part of a program, which updates it.");
}

function taskView({ beganAtMs, endedAtMs, ...task }: UpdateTask): UpdateTaskView {
  const isDone = task.outcome !== "failed" && task.outcome !== "rolled-back" && task.outcome !== "skipped";
  const state = endedAtMs === null ? "running" : isDone ? "done" : "failed";
  return { ...task, state, startedAt: instant(beganAtMs), endedAt: instantOrNull(endedAtMs) };
}
