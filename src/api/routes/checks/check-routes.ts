/** Lists the findings about the installation, and lets the installer confirm a fix or dismiss a finding. */
import { z } from "zod";
import { ASSET_KINDS } from "../../../domain/assets/asset.ts";
import { MEASURED_LANGUAGES } from "../../../domain/checks/measured-text.ts";
import { problem } from "../../../domain/problem.ts";
import type { InstallationChecks } from "../../../engine/contracts/checks.ts";
import {
  type FindingSources,
  type ListedFinding,
  listedCheck,
  listedFindings,
  listedLoss,
  listedNote,
} from "../../../engine/contracts/findings.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const Fix = z
  .object({
    kind: z.enum(["invert", "scale", "phases", "hide", "replace"]).meta({
      description:
        "What would be done to the readings. `replace`: the device that answers is taken in the place of the expected one, which keeps its assets and their history.",
    }),
    points: z.array(z.string()).nullable().meta({ description: "The points that it changes." }),
    factor: z.number().nullable().meta({ description: "What they are multiplied with." }),
    order: z
      .array(z.int().min(1).max(3))
      .nullable()
      .meta({ description: "Which phases of the house the device's L1, L2 and L3 are." }),
  })
  .meta({ id: "InstallationFix" });

export const InstallationFinding = z
  .object({
    id: z.string(),
    check: z
      .enum([
        "sign",
        "phase",
        "role",
        "scale",
        "duplicate",
        "frozen",
        "range",
        "balance",
        "control",
        "identity",
        "storage",
        "site",
        "forecast",
        "backup",
      ])
      .meta({
        description:
          "`control`: another controller, or a person at the device, changed what the gateway held there. `identity`: a device with another serial number answers at the device's address, so it is neither read nor commanded. `storage`: stored data were found damaged or lost; no device is concerned. `site`: the connection to the grid has no limit. `forecast`: for two weeks the panels have produced far more or far less than their forecast. `backup`: the last scheduled backup was not made, or two were due since the last one was.",
      }),
    deviceId: z
      .string()
      .nullable()
      .meta({ description: "As the configuration names it. `null` for `storage`, `site`, `forecast` and `backup`." }),
    assetType: z
      .enum(ASSET_KINDS)
      .nullable()
      .meta({ description: "`null` for `storage`, `site`, `forecast` and `backup`." }),
    assetId: z.uuid().nullable(),
    againstDeviceId: z.string().nullable().meta({ description: "The device that it was seen against." }),
    measured: z.string().meta({
      description:
        "What was measured, with figures; in English unless another language is asked for. For `storage`: what was damaged, where the original is kept, and what was restored. For `forecast` and `backup`: with what to do. What a device, a disk or a service said stays in English.",
    }),
    fix: Fix.nullable().meta({ description: "Null: the device or its configuration has to be looked at." }),
    state: z.enum(["OPEN", "CONFIRMED", "DISMISSED"]),
    firstSeenAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime(),
  })
  .meta({ id: "InstallationFinding" });

type ShownFinding = z.input<typeof InstallationFinding>;

export const LanguageQuery = z.object({
  // Any other code is answered in English, so it is no enum for the check.
  language: z
    .string()
    .optional()
    .meta({ enum: [...MEASURED_LANGUAGES], description: "Language of `measured`; default and fallback: en-US." }),
});
const TAGS = ["installation"];
const CONFIRM =
  "Readings of the device are turned, scaled or reordered from now on; nothing is written to the device. `DELETE /local/corrections/{deviceId}` takes it back. A finding without a fix is a 409.";
const DISMISS =
  "Nothing changes but that the finding is quiet. One of `storage` is acknowledged by it, and the gateway is ready again.";

export function checkRoutes(api: Api, { engine, backups }: RouteParts): void {
  const { checks, losses, siteConnections, forecasts } = engine.services;
  const isNote = (id: string): boolean => siteConnections.notes().some((note) => note.id === id);
  listRoute(api, { ...engine.services, backups });
  const confirm = "Apply the fix of a finding to what the device tells, for good";
  verdictRoute(api, { verdict: "confirm", summary: confirm, description: CONFIRM }, async (id, language) => {
    if (losses.get(id) !== null) {
      throw problem("conflict", "No setting restores stored data; dismiss the finding to acknowledge the loss.");
    }
    if (id === backups?.finding()?.id) {
      throw problem("conflict", "Only a backup helps: POST /local/backups, or dismiss the finding.");
    }
    if (id === forecasts.finding()?.id) {
      throw problem("conflict", "Only right settings of the panels help: change them, or dismiss the finding.");
    }
    if (isNote(id))
      throw problem(
        "conflict",
        "Only a limit or a meter helps: PATCH /local/site, add the meter, or dismiss the finding.",
      );
    return shownFinding(listedCheck(await checks.confirm(id), language));
  });
  const dismiss = "Dismiss a finding that is intended or known; it is not reported again";
  verdictRoute(api, { verdict: "dismiss", summary: dismiss, description: DISMISS }, async (id, language) => {
    if (backups !== null && id === backups.finding()?.id)
      return shownFinding(listedNote(await backups.dismiss(), language));
    if (id === forecasts.finding()?.id) return shownFinding(listedNote(await forecasts.dismiss(), language));
    if (isNote(id)) return shownFinding(listedNote(await siteConnections.dismiss(id), language));
    return shownFinding(
      losses.get(id) === null
        ? listedCheck(await checks.dismiss(id), language)
        : listedLoss(await losses.dismiss(id), language),
    );
  });
  resetRoute(api, checks);
}

function listRoute(api: Api, sources: FindingSources): void {
  api.route({
    method: "GET",
    url: "/local/checks",
    schema: {
      operationId: "listInstallationFindings",
      summary: "List what does not fit about the installation, newest first",
      description:
        "Signs, factors, roles, phases, duplicates and frozen values show in the balance of the house within minutes, when there is sun, a load or a charging vehicle. A `control` goes by itself when the gateway holds the device again, or ten minutes after the device is back at rest; dismissed, that point of the device is not reported again. An `identity` goes by itself when the expected device answers again, at its address or at another one; confirmed, the device that answers is the expected one from then on. A `storage` stays until it is dismissed, and makes the gateway not ready. A `site` goes by itself when a limit is set, a `forecast` when the panels produce about what is forecast, a `backup` when one is made; dismissed, it is not reported again until then.",
      tags: TAGS,
      querystring: LanguageQuery,
      response: { 200: jsonResponse("All findings.", z.array(InstallationFinding)), ...problemResponses() },
    },
    handler: ({ query }) => listedFindings(sources, query.language).map(shownFinding),
  });
}

function verdictRoute(
  api: Api,
  {
    verdict,
    ...texts
  }: { readonly verdict: "confirm" | "dismiss"; readonly summary: string; readonly description: string },
  apply: (id: string, language: string | undefined) => Promise<ShownFinding>,
): void {
  api.route({
    method: "POST",
    url: `/local/checks/:findingId/${verdict}`,
    schema: {
      operationId: `${verdict}InstallationFinding`,
      ...texts,
      tags: TAGS,
      params: pathId("findingId"),
      querystring: LanguageQuery,
      response: {
        200: jsonResponse("The finding.", InstallationFinding),
        ...problemResponses("not-found", "conflict"),
      },
    },
    handler: async (request) => await apply(idIn(request.params), request.query.language),
  });
}

function resetRoute(api: Api, checks: InstallationChecks): void {
  api.route({
    method: "DELETE",
    url: "/local/corrections/:deviceId",
    schema: {
      operationId: "deleteCorrections",
      summary: "Read a device as it tells again, without what was confirmed",
      description:
        "Undoes every sign, factor and phase order that was confirmed for the device. It counts from the next reading.",
      tags: TAGS,
      params: z.object({ deviceId: z.string() }),
      response: { 204: emptyResponse("It is read as it tells."), ...problemResponses("not-found") },
    },
    handler: async (request, reply) => {
      const { deviceId } = request.params;
      if (deviceId === "") throw problem("not-found", "There is no device without a name.");
      await checks.reset(deviceId);
      return await reply.code(204).send();
    },
  });
}

export function shownFinding(listed: ListedFinding): ShownFinding {
  const { assetKind, firstSeenAtMs: _, fix, ...finding } = listed;
  return { ...finding, assetType: assetKind, fix: fix === null ? null : shownFix(fix) };
}

function shownFix(fix: NonNullable<ListedFinding["fix"]>): z.input<typeof Fix> {
  return {
    kind: fix.kind,
    points: "points" in fix ? [...fix.points] : null,
    factor: fix.kind === "scale" ? fix.factor : fix.kind === "invert" ? -1 : null,
    order: fix.kind === "phases" ? fix.order.map((line) => line + 1) : null,
  };
}
