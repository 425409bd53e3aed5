/** The report that is handed over with a house. */
import { z } from "zod";
import { ASSET_KINDS } from "../../../domain/assets/asset.ts";
import { Instant, instant, instantOrNull, NullableInstant } from "../../../domain/fields.ts";
import { ROLES } from "../../../domain/people/role.ts";
import type { DeviceStatus } from "../../../engine/contracts/engine.ts";
import { listedFindings } from "../../../engine/contracts/findings.ts";
import type { SeenDevice } from "../../../engine/contracts/setup.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { InstallationFinding, LanguageQuery, shownFinding } from "../checks/check-routes.ts";
import { Site, shownSite } from "../energy/site-routes.ts";
import { ControlTest, shownTest } from "./control-test-routes.ts";
import { LoadCheckResult, shownLoadCheck } from "./load-check-routes.ts";
import { HandOver, SetupStepShown, shownHandOver, shownStep } from "./setup-routes.ts";
import { TAGS } from "./setup-shapes.ts";

const Seen = z.object({ powerW: z.number().meta({ description: "W, positive." }), at: Instant }).nullable();

const Report = z
  .object({
    house: z.object({
      name: z.string(),
      timezone: z.string().meta({ description: "IANA name." }),
      hostName: z.string().meta({ description: "What the gateway's machine calls itself." }),
    }),
    createdAt: Instant.meta({ description: "Time of this report." }),
    handOver: HandOver.nullable(),
    steps: z.array(SetupStepShown),
    site: Site,
    gridLimits: z.array(z.object({ id: z.string(), name: z.string() })).meta({
      description: "Who may limit the house: the grid operator's sources.",
    }),
    devices: z.array(
      z
        .object({
          deviceId: z.string(),
          manufacturer: z.string().nullable(),
          model: z.string().nullable(),
          serial: z.string().nullable().meta({ description: "Serial number, as the device reports it." }),
          firmware: z.string().nullable().meta({ description: "Version, as the device reports it." }),
          isReachable: z.boolean(),
          lastSeenAt: NullableInstant,
          assets: z.array(z.object({ assetType: z.enum(ASSET_KINDS), assetId: z.uuid() })),
        })
        .meta({ id: "ReportDevice" }),
    ),
    findings: z.array(InstallationFinding).meta({ description: "Open, fixed and dismissed ones." }),
    loadChecks: z.array(LoadCheckResult),
    seen: z
      .array(
        z
          .object({
            assetId: z.uuid(),
            assetType: z.enum(["inverter", "battery"]),
            positive: Seen.meta({ description: "Produced, or charged; `null` if it was not seen yet." }),
            negative: Seen.meta({ description: "Discharged; `null` if it was not seen yet." }),
          })
          .meta({ id: "SeenDevice" }),
      )
      .meta({ description: "Inverters and batteries, with what they were seen at while the house added up." }),
    tests: z.array(ControlTest),
    people: z.array(z.object({ name: z.string(), role: z.enum(ROLES) })),
  })
  .meta({ id: "SetupReport" });

export function reportRoutes(api: Api, parts: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/setup/report",
    schema: {
      operationId: "getSetupReport",
      summary: "Get the report of the installation",
      description:
        "Devices with serial numbers and firmware, limits, findings, checks and tests with who did them and when, and the hand-over. The home page prints it.",
      tags: TAGS,
      querystring: LanguageQuery,
      response: { 200: jsonResponse("The report, as of now.", Report), ...problemResponses() },
    },
    handler: ({ query }) => reportOf(parts, query.language),
  });
}

function reportOf(
  { engine, clock, config, hostName, backups }: RouteParts,
  language: string | undefined,
): z.input<typeof Report> {
  const { setup, siteConnections, energyLimits, people } = engine.services;
  const { steps, handOver } = setup.state();
  return {
    house: { name: config.site.name, timezone: config.site.timezone, hostName },
    createdAt: instant(clock.nowMs()),
    handOver: shownHandOver(handOver),
    steps: steps.map(shownStep),
    site: shownSite(siteConnections),
    gridLimits: energyLimits.sources().map(({ id, name }) => ({ id, name })),
    devices: engine.devices().map(shownDevice),
    findings: listedFindings({ ...engine.services, backups }, language).map(shownFinding),
    loadChecks: setup.loadChecks().results.map(shownLoadCheck),
    seen: setup.seen().map(shownSeen),
    tests: setup.tests().flatMap(({ last }) => (last === null ? [] : [shownTest(last)])),
    people: people.list({ accountId: null, isManager: true }).map(({ name, role }) => ({ name, role })),
  };
}

function shownDevice({ id, identity, isReachable, lastSeenMs, assets }: DeviceStatus) {
  return {
    deviceId: id,
    manufacturer: identity?.manufacturer ?? null,
    model: identity?.model ?? null,
    serial: identity?.serial ?? null,
    firmware: identity?.version ?? null,
    isReachable,
    lastSeenAt: instantOrNull(lastSeenMs),
    assets: assets.map(({ kind, id: assetId }) => ({ assetType: kind, assetId })),
  };
}

function shownSeen({ assetId, kind, positive, negative }: SeenDevice) {
  const shown = (power: SeenDevice["positive"]) =>
    power === null ? null : { powerW: power.watts, at: instant(power.atMs) };
  return { assetId, assetType: kind, positive: shown(positive), negative: shown(negative) };
}
