/** Tests whether devices follow commands: a small one, which is taken back. */
import { z } from "zod";
import { ASSET_KINDS } from "../../../domain/assets/asset.ts";
import { instant, instantOrNull, NullableInstant } from "../../../domain/fields.ts";
import { TEST_REFUSALS, TESTED_POINTS } from "../../../domain/setup/control-test.ts";
import type { ControlTestRecord, TestableDevice } from "../../../engine/contracts/setup.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";
import { actorOf, By, ControlValue, TAGS } from "./setup-shapes.ts";

const URL = "/local/setup/tests";

export const ControlTest = z
  .object({
    ...By,
    assetId: z.uuid(),
    assetType: z.enum(ASSET_KINDS),
    deviceId: z.string(),
    point: z.enum(TESTED_POINTS).meta({ description: "What was commanded." }),
    before: ControlValue.meta({ description: "The value before, which is given back." }),
    asked: ControlValue.meta({ description: "The value that was sent." }),
    shown: ControlValue.nullable().meta({ description: "What the device showed then; `null` if nothing." }),
    state: z.enum(["running", "passed", "failed", "interrupted"]).meta({
      description:
        "`passed`: a reading showed the value, and later the one before again. `interrupted`: the gateway stopped meanwhile; the value before is given back all the same.",
    }),
    cause: z.enum(["not-followed", "taken-over", "not-restored", "stopped", "grid-operator"]).nullable().meta({
      description:
        "Why it failed. `not-followed`: no reading showed the value. `taken-over`: somebody else, or a limit of the house, changed it. `not-restored`: no reading showed the value before again. `stopped`: a person ended it. `grid-operator`: a limit of the grid operator began.",
    }),
    tookSeconds: z
      .number()
      .nullable()
      .meta({ description: "Time until a reading showed the value, s; `null` if none did." }),
    isRestored: z.boolean(),
    endedAt: NullableInstant.meta({ description: "`null` while it runs." }),
  })
  .meta({ id: "ControlTest" });

const Testable = z
  .object({
    assetId: z.uuid(),
    assetType: z.enum(ASSET_KINDS),
    deviceId: z.string(),
    refusal: z
      .object({ code: z.enum(TEST_REFUSALS), detail: z.string().meta({ description: "In English, with what to do." }) })
      .nullable()
      .meta({ description: "Why it cannot be tested now; `null` if it can." }),
    last: ControlTest.nullable().meta({ description: "The last test; `null` if there was none." }),
  })
  .meta({ id: "TestableDevice" });

export function controlTestRoutes(api: Api, parts: RouteParts): void {
  const { setup } = parts.engine.services;
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "listControlTests",
      summary: "List the devices that take commands, with their last test",
      description: "`refusal` says why a device cannot be tested now, such as a vehicle that is not plugged in.",
      tags: TAGS,
      response: { 200: jsonResponse("The devices.", z.array(Testable)), ...problemResponses() },
    },
    handler: () => setup.tests().map(shownTestable),
  });
  const params = pathId("assetId");
  api.route({
    method: "POST",
    url: `${URL}/:assetId`,
    schema: {
      operationId: "startControlTest",
      summary: "Send a small command to a device, and take it back",
      description:
        "A charger gets 2 A less, or pauses; a battery waits for a minute; an inverter's limit is lowered by 1 %; a heating is set 0.5 K higher. A reading has to show it; then the value before is given back, also after a power cut. It is refused, with the reason, where a limit of the grid operator, a fuse or somebody else's control stands against it. One test at a time.",
      tags: TAGS,
      params,
      response: {
        200: jsonResponse("The test, which runs.", ControlTest),
        ...problemResponses("not-found", "conflict"),
      },
    },
    handler: async (request) => shownTest(await setup.startTest(idIn(request.params), actorOf(parts, request))),
  });
  api.route({
    method: "DELETE",
    url: `${URL}/:assetId`,
    schema: {
      operationId: "stopControlTest",
      summary: "End a running test; the value before is given back at once",
      description: "The test counts as failed with the cause `stopped`.",
      tags: TAGS,
      params,
      response: { 204: emptyResponse("It ends."), ...problemResponses("not-found") },
    },
    handler: async (request, reply) => {
      setup.stopTest(idIn(request.params));
      return await reply.code(204).send();
    },
  });
}

function shownTestable({ kind, refusal, last, ...device }: TestableDevice): z.input<typeof Testable> {
  return {
    ...device,
    assetType: kind,
    refusal: refusal === null ? null : { code: refusal.code, detail: refusal.detail },
    last: last === null ? null : shownTest(last),
  };
}

export function shownTest({ kind, atMs, tookMs, endedAtMs, ...test }: ControlTestRecord): z.input<typeof ControlTest> {
  const tookSeconds = tookMs === null ? null : Math.round(tookMs / 100) / 10;
  return { ...test, assetType: kind, at: instant(atMs), tookSeconds, endedAt: instantOrNull(endedAtMs) };
}
