/** Creates the REST API as a server that listens nowhere yet: the caller calls `listen` or `inject`, and `close`. */
import { type FastifyInstance, type FastifyRequest, fastify } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import { problem, problemBase } from "../domain/problem.ts";
import { baseHeaders, createDating, REQUEST_ID, sendProblem } from "./answers.ts";
import { type Api, type ApiParts, carryVersions, type RouteParts, type RouteTypes } from "./api.ts";
import { type Callers, createCallers } from "./clients/callers.ts";
import { createOwners } from "./clients/owners.ts";
import { createTokens } from "./clients/tokens.ts";
import { createJsonTexts } from "./json-texts.ts";
import { DOCS_PATH, docsRoutes } from "./openapi/docs.ts";
import { createApiBook, OPENAPI_PATH, openapiRoute, preparedDescriptions, registerOpenapi } from "./openapi/openapi.ts";
import { registerAudit } from "./people/audit-hook.ts";
import { createRefreshHints } from "./refresh-hints.ts";
import { createAdmission, pathAsked } from "./requests/admission.ts";
import { createBrokenRequestHandler } from "./requests/broken-request.ts";
import { limitConnections } from "./requests/connections.ts";
import { createCors } from "./requests/cors.ts";
import { createErrorHandler, problemOf } from "./requests/error-handler.ts";
import { ownNames } from "./requests/host-names.ts";
import { registerIdempotency } from "./requests/idempotency.ts";
import { validatorCompiler } from "./requests/issues.ts";
import { parseJsonBody, presumeJson } from "./requests/json-body.ts";
import * as limits from "./requests/limits.ts";
import { createRateLimit, type RateLimit } from "./requests/rate-limit.ts";
import { bodyProblemResponses } from "./responses.ts";
import { createRouteIndex, type RouteIndex } from "./route-index.ts";
import { actionRoutes } from "./routes/actions/action-routes.ts";
import { batteryCommandRoutes, chargeCommandRoutes, hvacCommandRoutes } from "./routes/actions/command-routes.ts";
import { assetRoutes } from "./routes/assets/asset-routes.ts";
import { BACKUP_FILE_PATH, backupRoutes } from "./routes/backup/backup-routes.ts";
import { checkRoutes } from "./routes/checks/check-routes.ts";
import { cloudRoutes } from "./routes/cloud/cloud-routes.ts";
import { configurationRoutes } from "./routes/configuration/configuration-routes.ts";
import { deviceRoutes } from "./routes/devices/device-routes.ts";
import { diagnosticsRoutes } from "./routes/diagnostics/diagnostics-routes.ts";
import { discoveryRoutes } from "./routes/discovery/discovery-routes.ts";
import { integrationRoutes } from "./routes/discovery/integration-routes.ts";
import { energyRoutes } from "./routes/energy/energy-routes.ts";
import { limitRoutes } from "./routes/energy/limit-routes.ts";
import { limitationRoutes } from "./routes/energy/limitation-routes.ts";
import { planRoutes } from "./routes/energy/plan-routes.ts";
import { ENERGY_HEALTH_PATH, siteRoutes } from "./routes/energy/site-routes.ts";
import { exportRoutes } from "./routes/export/export-routes.ts";
import { flexEventRoutes } from "./routes/flex/flex-event-routes.ts";
import { powerLimitRoutes } from "./routes/flex/power-limit-routes.ts";
import { solarPolicyRoutes } from "./routes/flex/solar-policy-routes.ts";
import { forecastRoutes } from "./routes/forecast/forecast-routes.ts";
import { healthRoutes, READY_PATH } from "./routes/health-routes.ts";
import { hemRoutes } from "./routes/hem/hem-routes.ts";
import { HTTPS_PATHS, httpsRoutes } from "./routes/https/https-routes.ts";
import { interventionRoutes } from "./routes/interventions/intervention-routes.ts";
import { LINK_PAGE_PATHS, linkPageRoutes } from "./routes/linking/link-page-routes.ts";
import { linkRoutes } from "./routes/linking/link-routes.ts";
import { liveRoutes } from "./routes/live-routes.ts";
import { priceRoutes } from "./routes/market/price-routes.ts";
import { metricsRoutes } from "./routes/metrics-routes.ts";
import { modbusProxyRoutes } from "./routes/modbus-proxy/modbus-proxy-routes.ts";
import { notificationRoutes } from "./routes/notifications/notification-routes.ts";
import { HOME_PAGE_PATHS, pageRoutes } from "./routes/page-routes.ts";
import { auditRoutes } from "./routes/people/audit-routes.ts";
import { clientRoutes } from "./routes/people/client-routes.ts";
import { PASSKEY_SIGN_IN_PATHS, passkeyRoutes } from "./routes/people/passkey-routes.ts";
import { peopleRoutes } from "./routes/people/people-routes.ts";
import { CLAIM_PATH, SESSION_PATH, sessionRoutes } from "./routes/people/session-routes.ts";
import { locationRoutes } from "./routes/places/location-routes.ts";
import { tariffRoutes } from "./routes/places/tariff-routes.ts";
import { PROBLEM_PAGE_PATHS, problemPageRoutes } from "./routes/problem-pages.ts";
import {
  BATTERIES,
  BATTERY_ACTIONS,
  CHARGER_ACTIONS,
  CHARGERS,
  HVAC_ACTIONS,
  HVACS,
  INVERTERS,
  METERS,
  VEHICLES,
} from "./routes/resources.ts";
import { simulatedRoutes } from "./routes/sandbox/simulated-routes.ts";
import { scheduleRoutes } from "./routes/schedules/schedule-routes.ts";
import { controlTestRoutes } from "./routes/setup/control-test-routes.ts";
import { importRoutes } from "./routes/setup/import-routes.ts";
import { loadCheckRoutes } from "./routes/setup/load-check-routes.ts";
import { reportRoutes } from "./routes/setup/report-routes.ts";
import { setupRoutes } from "./routes/setup/setup-routes.ts";
import { smartOverrideRoutes } from "./routes/smart/smart-override-routes.ts";
import { smartRoutes } from "./routes/smart/smart-routes.ts";
import { inverterStatisticsRoutes } from "./routes/statistics/inverter-statistics-routes.ts";
import { statisticsRoutes } from "./routes/statistics/statistics-routes.ts";
import { updateRoutes } from "./routes/updates/update-routes.ts";
import { createProof, OAUTH_METADATA_PATH, oauthRoutes, TOKEN_PATH } from "./routes/users/oauth-routes.ts";
import { userRoutes } from "./routes/users/user-routes.ts";
import { vendorAccountRoutes } from "./routes/vendors/vendor-account-routes.ts";
import { vendorHealthRoutes } from "./routes/vendors/vendor-health-routes.ts";
import { webhookOverviewRoutes } from "./routes/webhooks/webhook-overview-routes.ts";
import { webhookRoutes } from "./routes/webhooks/webhook-routes.ts";
import { WELL_KNOWN_PATH, wellKnownRoutes } from "./routes/well-known-routes.ts";
import { createFieldReads } from "./versions/field-reads.ts";
import { NEWEST_VERSION } from "./versions/served-versions.ts";
import type { VersionBook } from "./versions/version-book.ts";
import { registerVersionGate } from "./versions/version-gate.ts";

const OPEN_PATTERNS: ReadonlySet<string> = new Set([
  CLAIM_PATH,
  SESSION_PATH,
  ...PASSKEY_SIGN_IN_PATHS,
  READY_PATH,
  ENERGY_HEALTH_PATH,
  TOKEN_PATH,
  OPENAPI_PATH,
  ...PROBLEM_PAGE_PATHS,
  ...LINK_PAGE_PATHS,
  ...HOME_PAGE_PATHS,
  ...HTTPS_PATHS,
  WELL_KNOWN_PATH,
  OAUTH_METADATA_PATH,
]);

const SIGN_IN_PATHS: ReadonlySet<string> = new Set([CLAIM_PATH, SESSION_PATH, ...PASSKEY_SIGN_IN_PATHS]);

/** Makes the API. Closing it ends idle connections at once and lets requests under way finish. */
export async function createApi(parts: ApiParts): Promise<FastifyInstance> {
  const { namePrefix } = parts.config.compat;
  const headers = baseHeaders(`${namePrefix}-Version`, NEWEST_VERSION.date);
  const tokens = createTokens(parts);
  const { people, audit } = parts.engine.services;
  const callers = createCallers({ store: parts.store, tokens, people, namePrefix });
  const { clock, config, page } = parts;
  const limit = createRateLimit({ callers, clock, limits: config.http.limits, provenId: createProof(parts.secrets) });
  const base = problemBase(namePrefix);
  const api = createServer({ headers, callers, limit, base });
  const routes = createRouteIndex();
  const prepared = preparedDescriptions(parts);
  const makeBook = (): VersionBook => createApiBook(api, prepared, parts.clock);
  const book = parts.bookFrom?.(makeBook) ?? makeBook();
  api.addHook("onRoute", (route) => routes.add(route.method, route.url));
  limitConnections(api, { limits: config.http.limits, callers, clock, log: parts.log });
  api.setErrorHandler(createErrorHandler(parts.log, base));
  guard(api, parts, { headers, routes, callers, limit });
  const isNoted = (pattern = ""): boolean => SIGN_IN_PATHS.has(pattern);
  const isNotedRead = (pattern: string | undefined): boolean => pattern === BACKUP_FILE_PATH;
  const nameActor = registerAudit(api, { callers, audit, isNoted, isNotedRead });
  registerIdempotency(api, { ...parts, callers });
  registerVersionGate(api, {
    callers,
    book,
    owners: createOwners(parts.engine),
    reads: createFieldReads(parts.engine),
  });
  answerUnknownRoutes(api, routes);
  await registerOpenapi(api, namePrefix);
  metricsRoutes(api, parts);
  docsRoutes(api, page);
  const hints = createRefreshHints(parts.engine, parts.clock);
  api.addHook("onClose", (_api, done) => {
    hints[Symbol.dispose]();
    done();
  });
  // Each in a separate scope: the token route has its own forms and errors.
  const clientOf: RouteParts["clientOf"] = ({ raw }) => callers.of(raw).id ?? "";
  const callerOf: RouteParts["callerOf"] = ({ raw }) => callers.of(raw);
  const shared = { ...parts, texts: createJsonTexts(parts.log), hints, clientOf, callerOf, nameActor };
  await api.register(async (scope: Api) => addRoutes(scope, shared));
  openapiRoute(api, book, prepared, namePrefix);
  await api.register(async (scope: Api) => linkPageRoutes(scope, parts));
  if (page !== undefined) await api.register(async (scope: Api) => pageRoutes(scope, page, parts.https));
  await api.register(async (scope: Api) => oauthRoutes(scope, parts, tokens));
  return api;
}

function createServer({ headers, callers, limit, base }: Omit<Gate, "routes"> & { readonly base: string }): Api {
  const api = fastify({
    logger: false,
    bodyLimit: limits.MAX_BODY_BYTES,
    requestTimeout: limits.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: limits.KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: limits.SILENCE_TIMEOUT_MS,
    maxRequestsPerSocket: limits.MAX_REQUESTS_PER_CONNECTION,
    // A request without a Host header is answered by the gate too, not by Node with bare bytes.
    http: {
      headersTimeout: limits.HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: limits.TIMES_CHECKED_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: limits.MAX_PARAM_CHARACTERS },
    // Real timers have no place in a simulated world, and no plugin here waits for anything.
    pluginTimeout: 0,
    // The gate answers while closing, as a problem.
    return503OnClosing: false,
    // An older version's path is put into the newest's before it is routed.
    rewriteUrl: (request) => callers.of(request).translation?.url ?? request.url ?? "/",
    clientErrorHandler: createBrokenRequestHandler(headers, base),
    frameworkErrors: (error, request, reply) => {
      const excess = limit(request, reply);
      void sendProblem(reply.headers(headers), excess ?? problemOf(error), base);
    },
  }).withTypeProvider<RouteTypes>();
  api.setValidatorCompiler(validatorCompiler);
  api.setSerializerCompiler(serializerCompiler);
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    done(null, parseJsonBody(Buffer.from(bytes), request.headers["content-encoding"]));
  });
  return api;
}

interface Gate {
  readonly headers: Readonly<Record<string, string>>;
  readonly routes: RouteIndex;
  readonly callers: Callers;
  readonly limit: RateLimit;
}

/** Puts the checks that every request passes in front of all routes. */
function guard(api: Api, { clock, config, hostName }: ApiParts, { headers, routes, callers, limit }: Gate): void {
  let isClosing = false;
  const date = createDating(clock);
  const admit = createAdmission({
    callers,
    ownNames: ownNames(config.http, hostName),
    namePrefix: config.compat.namePrefix,
    ownUrl: config.linking.url,
    // Asking what a path can do needs no token: the description says it to everybody.
    // What is below /.well-known is for everybody, and so is a 404 there.
    isOpen: (request) =>
      request.method === "OPTIONS" ||
      isOpenPattern(request.routeOptions.url ?? routes.find(pathOf(request))?.pattern) ||
      request.url.startsWith("/.well-known/"),
  });
  const cors = createCors(config.http.corsOrigins, config.compat.namePrefix);
  carryVersions(api);
  api.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  api.addHook("onRequest", (request, reply, done) => {
    reply.headers(headers).header(REQUEST_ID, request.id);
    date(reply);
    cors.admit(request, reply);
    const refusal = isClosing ? problem("service-unavailable", "The gateway is stopping.") : admit(request, reply);
    const excess = limit(request, reply);
    if (refusal === null && excess === null && cors.answerPreflight(request, reply)) return;
    done(excess ?? refusal ?? undefined);
  });
}

function isOpenPattern(pattern: string | undefined): boolean {
  return pattern !== undefined && (OPEN_PATTERNS.has(pattern) || `${pattern}/`.startsWith(`${DOCS_PATH}/`));
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

function answerUnknownRoutes(api: Api, routes: RouteIndex): void {
  api.setNotFoundHandler((request, reply) => {
    const path = pathAsked(request);
    const found = routes.find(pathOf(request));
    if (found === null) throw problem("not-found", `There is nothing at ${path}.`);
    const allowed = [...found.methods, "OPTIONS"].join(", ");
    reply.header("allow", allowed);
    if (request.method === "OPTIONS") return reply.code(204).send();
    throw problem("method-not-allowed", `${request.method} is not for ${path}; it has ${allowed}.`);
  });
}

function addBodyHooks(api: Api): void {
  api.addHook("onRequest", (request, _reply, done) => {
    presumeJson(request);
    done();
  });
  // Every method that may carry a body can meet one that is too large, or of another type.
  api.addHook("onRoute", (route) => {
    if (route.method === "GET" || route.method === "HEAD" || route.schema === undefined) return;
    route.schema = { ...route.schema, response: { ...bodyProblemResponses(), ...Object(route.schema.response) } };
  });
}

function addRoutes(api: Api, parts: RouteParts): void {
  addBodyHooks(api);
  for (const resource of [BATTERIES, CHARGERS, HVACS, INVERTERS, METERS, VEHICLES]) assetRoutes(api, resource, parts);
  batteryCommandRoutes(api, parts);
  chargeCommandRoutes(api, parts);
  hvacCommandRoutes(api, parts);
  smartOverrideRoutes(api, parts);
  smartRoutes(api, parts);
  actionRoutes(api, parts, { target: "battery", plural: "batteries", one: "Battery", actions: BATTERY_ACTIONS });
  actionRoutes(api, parts, { target: "charger", plural: "chargers", one: "Charger", actions: CHARGER_ACTIONS });
  actionRoutes(api, parts, { target: "hvac", plural: "hvacs", one: "Hvac", actions: HVAC_ACTIONS });
  actionRoutes(api, parts, { target: "vehicle", plural: "vehicles", one: "Vehicle", actions: CHARGER_ACTIONS });
  scheduleRoutes(api, parts);
  locationRoutes(api, parts);
  tariffRoutes(api, parts);
  priceRoutes(api, parts);
  statisticsRoutes(api, parts);
  exportRoutes(api, parts);
  energyRoutes(api, parts);
  hemRoutes(api, parts);
  inverterStatisticsRoutes(api, parts);
  userRoutes(api, parts);
  simulatedRoutes(api, parts);
  discoveryRoutes(api, parts);
  webhookRoutes(api, parts);
  webhookOverviewRoutes(api, parts);
  notificationRoutes(api, parts);
  modbusProxyRoutes(api, parts);
  liveRoutes(api, parts);
  checkRoutes(api, parts);
  deviceRoutes(api, parts);
  setupRoutes(api, parts);
  importRoutes(api, parts);
  loadCheckRoutes(api, parts);
  controlTestRoutes(api, parts);
  reportRoutes(api, parts);
  forecastRoutes(api, parts);
  siteRoutes(api, parts);
  limitRoutes(api, parts);
  limitationRoutes(api, parts);
  planRoutes(api, parts);
  powerLimitRoutes(api, parts);
  solarPolicyRoutes(api, parts);
  flexEventRoutes(api, parts);
  linkRoutes(api, parts);
  interventionRoutes(api);
  integrationRoutes(api, parts);
  vendorHealthRoutes(api, parts);
  vendorAccountRoutes(api, parts);
  cloudRoutes(api, parts);
  configurationRoutes(api, parts);
  diagnosticsRoutes(api, parts);
  backupRoutes(api, parts);
  updateRoutes(api, parts);
  sessionRoutes(api, parts);
  peopleRoutes(api, parts);
  passkeyRoutes(api, parts);
  clientRoutes(api, parts);
  auditRoutes(api, parts);
  healthRoutes(api, parts);
  problemPageRoutes(api);
  httpsRoutes(api, parts);
  wellKnownRoutes(api, parts);
}
