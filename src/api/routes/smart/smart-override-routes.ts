/** "Charge now" on chargers and vehicles, whatever controls them (rules I2.13 and S2.3). */
import type { ChargeTargetType } from "../../../domain/actions/action.ts";
import { problem } from "../../../domain/problem.ts";
import { SmartOverride } from "../../../domain/smart/smart-override.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const OVERRIDES: RecordShape = { name: "smart-override", schema: SmartOverride };

interface Path {
  readonly targetType: ChargeTargetType;
  readonly url: string;
  /** In operation ids. */
  readonly noun: string;
  /** The older path of the same thing. */
  readonly isOld: boolean;
}

const PATHS: readonly Path[] = (["vehicle", "charger"] as const).flatMap((targetType) => {
  const base = `/${targetType}s/:${targetType}Id`;
  const one = targetType === "vehicle" ? "Vehicle" : "Charger";
  return [
    { targetType, url: `${base}/smart-override`, noun: `${one}SmartOverride`, isOld: false },
    { targetType, url: `${base}/external-start`, noun: `${one}ExternalStart`, isOld: true },
  ];
});

export function smartOverrideRoutes(api: Api, parts: RouteParts): void {
  for (const path of PATHS) {
    startRoute(api, parts, path);
    endRoute(api, parts, path);
    if (!path.isOld) getRoute(api, parts, path);
  }
}

function startRoute(api: Api, { engine, texts }: RouteParts, path: Path): void {
  api.route({
    method: "POST",
    url: path.url,
    schema: {
      operationId: `create${path.noun}`,
      summary: `Charge a ${path.targetType} now, until it stops charging`,
      ...describe(
        path,
        "Whatever is in charge, a schedule or smart charging, sends nothing until charging stops. Limits of the house still apply. A second request answers the override that is active; nothing plugged in is a 400.",
      ),
      response: {
        200: jsonResponse("The override: a new one, or the one that is active.", SmartOverride),
        ...problemResponses(
          "forbidden",
          "not-found",
          "too-many-requests",
          "payload-too-large",
          "unsupported-media-type",
        ),
      },
    },
    handler: async (request, reply) => {
      const override = await engine.services.smartOverrides.start(path.targetType, idIn(request.params));
      return reply.type(JSON_TYPE).send(texts.record(OVERRIDES, override));
    },
  });
}

function endRoute(api: Api, { engine, texts }: RouteParts, path: Path): void {
  api.route({
    method: "DELETE",
    url: path.url,
    schema: {
      operationId: `end${path.noun}`,
      summary: `Hand a ${path.targetType} back to what controls it; charging goes on`,
      ...describe(
        path,
        "The gateway sends nothing for it. The schedule or plan decides again, and may stop charging with its next command.",
      ),
      response: {
        200: jsonResponse("The override, ended.", SmartOverride),
        ...problemResponses("not-found", "too-many-requests", "payload-too-large", "unsupported-media-type"),
      },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      const override = await engine.services.smartOverrides.end(path.targetType, id);
      if (override === null) throw noOverride(path.targetType, id);
      return reply.type(JSON_TYPE).send(texts.record(OVERRIDES, override));
    },
  });
}

function getRoute(api: Api, { engine, texts }: RouteParts, path: Path): void {
  api.route({
    method: "GET",
    url: path.url,
    schema: {
      operationId: `get${path.noun}`,
      summary: `Get the active smart override of a ${path.targetType}`,
      ...describe(path, "A 404 where none is active; one that has ended is not found here any more."),
      response: { 200: jsonResponse("The active override.", SmartOverride), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const id = idIn(request.params);
      const override = engine.services.smartOverrides.active(id);
      if (override?.targetType !== path.targetType) throw noOverride(path.targetType, id);
      return reply.type(JSON_TYPE).send(texts.record(OVERRIDES, override));
    },
  });
}

function describe({ targetType, isOld }: Path, description: string) {
  const params = pathId(`${targetType}Id`);
  return { description, tags: [`${targetType}s`], params, ...(isOld ? { deprecated: true } : {}) };
}

function noOverride(targetType: ChargeTargetType, id: string) {
  return problem("not-found", `No smart override is active on the ${targetType} "${id}".`, {
    title: "No Smart Override Exists",
  });
}
