/** The devices behind the assets: their names, and their removal. */
import { z } from "zod";
import { ASSET_KINDS } from "../../../domain/assets/asset.ts";
import { DeviceReading, ForeignValue, readingViews } from "../../../domain/devices/device-reading.ts";
import { hasNoControls, instant, instantOrNull, NullableInstant } from "../../../domain/fields.ts";
import { problem } from "../../../domain/problem.ts";
import type { Engine } from "../../../engine/contracts/engine.ts";
import type { DeviceRecord } from "../../../store/records.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";

const TAGS = ["setup"];
const LONGEST_NAME = 64;

const Device = z
  .object({
    deviceId: z.string(),
    name: z
      .string()
      .nullable()
      .meta({ description: "As a person called it, in the configuration file or here; `null` if nobody did." }),
    isConfigured: z.boolean().meta({
      description: "True if the configuration file has the device; then it is renamed and removed there only.",
    }),
    isReachable: z.boolean(),
    lastSeen: NullableInstant.meta({
      description:
        "When it answered last; `null` before the first answer. It moves while nothing changes, and the live stream reports changes only.",
    }),
    firmware: z.string().nullable().meta({ description: "As the device says it; `null` if it does not." }),
    assets: z.array(z.object({ assetType: z.enum(ASSET_KINDS), assetId: z.uuid() })),
  })
  .meta({ id: "Device" });

const DeviceDetails = Device.extend({
  lastError: z.string().nullable().meta({ description: "Why it does not answer, in English; `null` while it does." }),
  mayBeInUse: z.boolean().meta({
    description:
      "True if another program may hold the only connection of the device: it refuses or ends Modbus TCP connections, or answers nothing on them. The program can read it through the Modbus proxy instead.",
  }),
  readings: z.array(DeviceReading).meta({ description: "The latest value of each point, by name." }),
  takenOver: z
    .array(ForeignValue)
    .meta({ description: "Values that something else changed although the gateway controls them." }),
}).meta({ id: "DeviceDetails" });

const params = z.object({ deviceId: z.string() });

export function deviceRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/devices",
    schema: {
      operationId: "listDevices",
      summary: "List the devices, with the assets that each has",
      description:
        "A device is what the gateway connects to; it may have several assets, such as an inverter with a battery and a meter. `isReachable` is `false` when it has missed its polls.",
      tags: TAGS,
      response: { 200: jsonResponse("The devices.", z.array(Device)), ...problemResponses() },
    },
    handler: () => engine.devices().map((status) => shown(engine, status)),
  });
  detailsRoute(api, engine);
  api.route({
    method: "PATCH",
    url: "/local/devices/:deviceId",
    schema: {
      operationId: "renameDevice",
      summary: "Rename a device; it connects again, and its assets keep their ids and their history",
      description:
        "Only devices that were added over the page or the API; one of the configuration file is renamed there (409). The name is at most 64 characters.",
      tags: TAGS,
      params,
      body: z
        .object({
          name: z.string().trim().min(1).max(LONGEST_NAME).refine(hasNoControls, {
            error: "a name must not contain line breaks, tabs or other control characters",
          }),
        })
        .meta({ id: "DeviceChange" }),
      response: { 204: emptyResponse("It is renamed."), ...problemResponses("not-found", "conflict") },
    },
    handler: async (request, reply) => {
      const record = added(engine, request.params.deviceId);
      await engine.services.fleet.change({ ...record, name: request.body.name });
      return await reply.code(204).send();
    },
  });
  api.route({
    method: "DELETE",
    url: "/local/devices/:deviceId",
    schema: {
      operationId: "removeDevice",
      summary: "Remove a device with its assets and their history",
      description:
        "The device gets its safe values first and is not read or commanded any more. Schedules, modes and history of its assets are deleted. It can be added again.",
      tags: TAGS,
      params,
      response: { 204: emptyResponse("It is removed."), ...problemResponses("not-found", "conflict") },
    },
    handler: async (request, reply) => {
      await engine.services.fleet.remove([added(engine, request.params.deviceId).id]);
      return await reply.code(204).send();
    },
  });
}

function detailsRoute(api: Api, engine: Engine): void {
  api.route({
    method: "GET",
    url: "/local/devices/:deviceId",
    schema: {
      operationId: "getDevice",
      summary: "Get a device with all that it reports, and who else commands it",
      description:
        "Read from memory; the device is not asked. Points have the units of the device: W, Wh, A, V, %, °C.",
      tags: TAGS,
      params,
      response: { 200: jsonResponse("The device.", DeviceDetails), ...problemResponses("not-found") },
    },
    handler: ({ params: { deviceId } }) => {
      const status = engine.devices().find(({ id }) => id === deviceId);
      if (status === undefined) throw problem("not-found", `There is no device "${deviceId}".`);
      const { lastError, mayBeInUse, points, takenOver } = status;
      return {
        ...shown(engine, status),
        lastError,
        mayBeInUse,
        readings: readingViews(points),
        takenOver: takenOver.map((value) => ({
          point: value.point,
          expected: value.held,
          found: value.found,
          at: instant(value.atMs),
        })),
      };
    },
  });
}

function shown({ services }: Engine, status: ReturnType<Engine["devices"]>[number]) {
  const { id, name, identity, isReachable, lastSeenMs, assets } = status;
  const record = services.fleet.get(id);
  return {
    deviceId: id,
    name: record?.name ?? name,
    isConfigured: record === null,
    isReachable,
    lastSeen: instantOrNull(lastSeenMs),
    firmware: identity?.version ?? null,
    assets: assets.map(({ kind, id: assetId }) => ({ assetType: kind, assetId })),
  };
}

/** Returns a device that was added at run time. Throws `not-found`, and `conflict` for a device of the file. */
function added(engine: Engine, deviceId: string): DeviceRecord {
  const record = engine.services.fleet.get(deviceId);
  if (record !== null) return record;
  if (engine.devices().some(({ id }) => id === deviceId)) {
    const detail = `The device "${deviceId}" is in the configuration file; rename or remove it there.`;
    throw problem("conflict", detail);
  }
  throw problem("not-found", `There is no device "${deviceId}".`);
}
