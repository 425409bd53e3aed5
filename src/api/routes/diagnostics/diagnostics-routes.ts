/** What helps to find a fault: the last lines of the log, and a file for who helps. */
import { z } from "zod";
import { DiagnosticsView } from "../../../domain/diagnostics/diagnostics-view.ts";
import { LogLevel, LogLineView } from "../../../domain/diagnostics/log-view.ts";
import { secretsIn, withoutSecrets, withoutTexts } from "../../../domain/diagnostics/without-secrets.ts";
import { instant, instantOrNull } from "../../../domain/fields.ts";
import { privateTexts } from "../../../domain/notifications/settings.ts";
import type { DeviceStatus } from "../../../engine/contracts/engine.ts";
import { listedFindings } from "../../../engine/contracts/findings.ts";
import type { Notifications } from "../../../engine/contracts/notifications.ts";
import type { InfluxLink } from "../../../engine/contracts/other-programs.ts";
import type { RecentLog } from "../../../platform/ports/recent-log-port.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { NEWEST_VERSION } from "../../versions/served-versions.ts";
import { requireInstaller } from "../people/asker.ts";

const TAGS = ["installation"];
const WHO = "For owners and installers, and for clients with the scope `people:manage`.";
const LEVELS = LogLevel.options;

const LogQuery = z.object({
  level: LogLevel.default("debug").meta({ description: "Lines of this level and of graver ones." }),
  text: z.string().max(100).default("").meta({ description: "Only lines that contain this, in any case of letters." }),
  deviceId: z.string().max(100).optional().meta({ description: "Only lines about this device of the configuration." }),
});

export function diagnosticsRoutes(api: Api, parts: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/logs",
    schema: {
      operationId: "listLogLines",
      summary: "List the last lines of the log, newest first",
      description: `${WHO} The gateway keeps the last 500 lines since its start in memory, at the level \`log.level\` of its configuration.`,
      tags: TAGS,
      querystring: LogQuery,
      response: { 200: jsonResponse("The lines.", z.array(LogLineView)), ...problemResponses() },
    },
    handler: (request, reply) => {
      requireInstaller(parts.callerOf(request));
      const lines = shownLines(parts.recentLog).filter((line) => isAsked(line, request.query));
      return reply.type(JSON_TYPE).send(safeText(lines.toReversed(), parts));
    },
  });
  api.route({
    method: "GET",
    url: "/local/diagnostics",
    schema: {
      operationId: "getDiagnostics",
      summary: "Get what helps to find a fault, without secrets",
      description: `${WHO} Versions, configuration, health, devices, findings, vendors, the cloud service and the last lines of the log. Secrets, people's names, places and serial numbers are left out. The gateway sends it to nobody.`,
      tags: TAGS,
      response: { 200: jsonResponse("The file.", DiagnosticsView), ...problemResponses() },
    },
    handler: async (request, reply) => {
      requireInstaller(parts.callerOf(request));
      return reply.type(JSON_TYPE).send(safeText(await diagnostics(parts), parts));
    },
  });
}

async function diagnostics(parts: RouteParts): Promise<DiagnosticsView> {
  const { engine, clock, config, version, cloud, recentLog, backups, notifications, influx } = parts;
  const { isReady, failures } = engine.readiness();
  return {
    madeAt: instant(clock.nowMs()),
    versions: { gateway: version ?? null, api: NEWEST_VERSION.date },
    health: { isReady, failures: [...failures, ...undelivered(notifications), ...unsent(influx)] },
    configuration: withoutSecrets(config, true) as Record<string, unknown>,
    devices: engine.devices().map(shownDevice),
    checks: listedFindings({ ...engine.services, backups }).map((finding) => {
      const { id, check, deviceId, measured, state, firstSeenAt, lastSeenAt } = finding;
      return { id, check, deviceId, measured, state, firstSeenAt, lastSeenAt };
    }),
    vendors: [...engine.services.vendors.accounts()],
    cloud: await cloud.view(),
    log: shownLines(recentLog),
  };
}

/** They do not make the gateway unready: it works without anybody being notified. */
function undelivered(notifications: Notifications): readonly string[] {
  return notifications
    .channels()
    .filter(({ failures }) => failures > 0)
    .map(({ id, deliveries }) => {
      const why = deliveries.find(({ code, isTest }) => code !== "sent" && !isTest)?.description;
      return `notifications over "${id}" do not arrive${why === undefined ? "" : `: ${why}`}`;
    });
}

function unsent(influx: InfluxLink | null = null): readonly string[] {
  const figures = influx?.figures();
  if (figures === undefined || figures.failures === 0) return [];
  const { host, lastError, waiting, dropped } = figures;
  return [
    `readings do not reach the InfluxDB at ${host}: ${lastError ?? ""} (${waiting} lines wait, ${dropped} dropped)`,
  ];
}

function shownDevice({ identity, lastSeenMs, points, assets, ...device }: DeviceStatus) {
  const { id, adapter, vendor, isReachable, lastError } = device;
  return {
    id,
    adapter,
    vendor,
    isReachable,
    lastError,
    model: identity?.model ?? null,
    firmware: identity?.version ?? null,
    lastSeenAt: instantOrNull(lastSeenMs),
    assets: assets.map(({ kind, id: assetId }) => ({ kind, id: assetId })),
    points: points.map(({ point, value, atMs }) => ({ point, value, at: instant(atMs) })),
  };
}

function shownLines(log: RecentLog | undefined): LogLineView[] {
  return (log?.lines() ?? []).map(({ atMs, level, text, fields }) => ({ at: instant(atMs), level, text, fields }));
}

function isAsked({ level, text, fields }: LogLineView, asked: z.infer<typeof LogQuery>): boolean {
  if (LEVELS.indexOf(level) > LEVELS.indexOf(asked.level)) return false;
  const { deviceId } = asked;
  if (deviceId !== undefined && fields["deviceId"] !== deviceId) return false;
  const words = `${text} ${JSON.stringify(fields)}`.toLowerCase();
  return words.includes(asked.text.toLowerCase());
}

/** JSON in which no secret of the configuration or of the notifications stands, wherever it came from. */
function safeText(value: unknown, { config, notifications }: RouteParts): string {
  const settings = notifications.settings();
  return withoutTexts(JSON.stringify(value), [...secretsIn([config, settings]), ...privateTexts(settings)]);
}
