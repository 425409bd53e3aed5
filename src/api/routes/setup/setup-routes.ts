/** The steps of setting up a house, and its hand-over. */
import { z } from "zod";
import { instant } from "../../../domain/fields.ts";
import { SETUP_REASONS, SETUP_STEPS, SKIPPABLE_STEPS } from "../../../domain/setup/setup-steps.ts";
import type { SetupState } from "../../../engine/contracts/setup.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { actorOf, By, Note, noteOf, TAGS } from "./setup-shapes.ts";

const Step = z
  .object({
    step: z.enum(SETUP_STEPS),
    state: z.enum(["done", "open", "skipped"]).meta({
      description:
        "`done` follows from what is there, whatever way it was done. `skipped`: somebody left it out; it becomes `done` when it is done after all.",
    }),
    reason: z.enum(SETUP_REASONS).meta({ description: "Why it is done, or what it waits for." }),
    done: z.int().nullable().meta({ description: "How much of it is done; `null` where nothing is counted." }),
    all: z.int().nullable().meta({ description: "How much there is to do; `null` where nothing is counted." }),
    skip: z
      .object({ ...By, reason: z.string().nullable() })
      .nullable()
      .meta({ description: "Who left it out; `null` if nobody did." }),
  })
  .meta({ id: "SetupStep" });

export const HandOver = z.object({ ...By, note: z.string().nullable() }).meta({ id: "HandOver" });

const State = z
  .object({
    steps: z.array(Step).meta({ description: "In the order of the work." }),
    current: z.enum(SETUP_STEPS).nullable().meta({ description: "The first open step; `null` if none is." }),
    isDue: z.boolean().meta({
      description:
        "True from the first start of an unclaimed gateway until the hand-over: until then the home page leads people who may install to the setup.",
    }),
    handOver: HandOver.nullable().meta({ description: "`null` until the house is handed over." }),
  })
  .meta({ id: "Setup" });

const answer = jsonResponse("The steps as they are now.", State);

export function setupRoutes(api: Api, parts: RouteParts): void {
  const { setup } = parts.engine.services;
  api.route({
    method: "GET",
    url: "/local/setup",
    schema: {
      operationId: "getSetup",
      summary: "Get the steps of setting up the house, with what is done",
      description:
        "No position is stored: what is done follows from the limits, the devices, their checks and tests, prices and people that are there. So a fleet can do the same steps by the API, in any order, and again.",
      tags: TAGS,
      response: { 200: answer, ...problemResponses() },
    },
    handler: () => shown(setup.state()),
  });
  skipRoute(api, parts);
  handOverRoute(api, parts);
}

function skipRoute(api: Api, parts: RouteParts): void {
  api.route({
    method: "PUT",
    url: "/local/setup/steps/:step",
    schema: {
      operationId: "skipSetupStep",
      summary: "Leave a step out, or take that back",
      description:
        "A step that is left out does not hold up the hand-over, and the report says who left it out and why.",
      tags: TAGS,
      params: z.object({ step: z.enum(SKIPPABLE_STEPS) }),
      body: z
        .object({
          isSkipped: z.boolean(),
          reason: Note.optional().meta({ description: "Why, for the report; `null` or absent for none." }),
        })
        .meta({ id: "SetupSkip" }),
      response: { 200: answer, ...problemResponses() },
    },
    handler: async (request) => {
      const { isSkipped, reason } = request.body;
      const skip = { isSkipped, reason: noteOf(reason) };
      return shown(await parts.engine.services.setup.skip(request.params.step, skip, actorOf(parts, request)));
    },
  });
}

function handOverRoute(api: Api, parts: RouteParts): void {
  api.route({
    method: "PUT",
    url: "/local/setup/hand-over",
    schema: {
      operationId: "handOverHouse",
      summary: "Hand the house over, or take that back",
      description:
        "Keeps who did it and when, for the report. Each other step has to be done or left out, and no check or test may be under way. The same again changes who and when.",
      tags: TAGS,
      body: z
        .object({
          isHandedOver: z.boolean(),
          note: Note.optional().meta({ description: "A remark for the report; `null` or absent for none." }),
        })
        .meta({ id: "HandOverChange" }),
      response: { 200: answer, ...problemResponses("conflict") },
    },
    handler: async (request) => {
      const { setup } = parts.engine.services;
      const { isHandedOver, note } = request.body;
      if (!isHandedOver) return shown(await setup.reopen());
      return shown(await setup.handOver(noteOf(note), actorOf(parts, request)));
    },
  });
}

function shown({ steps, current, isDue, handOver }: SetupState): z.input<typeof State> {
  return { steps: steps.map(shownStep), current, isDue, handOver: shownHandOver(handOver) };
}

export function shownStep({ skip, ...step }: SetupState["steps"][number]): z.input<typeof Step> {
  return { ...step, skip: skip === null ? null : { by: skip.by, at: instant(skip.atMs), reason: skip.reason } };
}

export function shownHandOver(handOver: SetupState["handOver"]): z.input<typeof HandOver> | null {
  return handOver === null ? null : { by: handOver.by, at: instant(handOver.atMs), note: handOver.note };
}

export const SetupStepShown = Step;
