import { Readable } from "node:stream";
import Fastify, { type FastifyInstance } from "fastify";
import { z } from "zod";
import type { CloudLinkView } from "../domain/cloud/cloud-link-view.ts";
import { type NetworkSearch, NetworkSearchBody } from "../domain/discovery/discovery.ts";
import { ExportQuery } from "../domain/export/export-query.ts";
import { instant } from "../domain/fields.ts";
import { issueText } from "../domain/issue-text.ts";
import type { ClientEntry, Person } from "../domain/people/account.ts";
import { PROBLEMS, ProblemError } from "../domain/problem.ts";
import { UpdateReport } from "../domain/updates/update-report.ts";
import type { ClientScope } from "../domain/users/scope.ts";
import type { Backups } from "../engine/contracts/backup.ts";
import type { CloudLink } from "../engine/contracts/cloud-link.ts";
import type { Discovery } from "../engine/contracts/discovery.ts";
import type { DeviceStatus, Engine } from "../engine/contracts/engine.ts";
import type { Exports } from "../engine/contracts/export.ts";
import type { FindingSources } from "../engine/contracts/findings.ts";
import type { Audit, People } from "../engine/contracts/people.ts";
import type { Updates } from "../engine/contracts/updates.ts";
import type { Clock, Log } from "../platform/ports/ports.ts";
import { StorageError } from "../platform/ports/storage-error.ts";
import { POINT_UNITS } from "../points/points.ts";
import { controlChecks } from "./control-checks.ts";
import {
  BackupQuestion,
  type ClaimAnswer,
  ClaimQuestion,
  type ClientCredentials,
  type ClientPin,
  type ControlDevice,
  type ControlFailure,
  type ControlState,
  DiscoverQuestion,
  EnrolmentQuestion,
  NewClient,
  PinQuestion,
  type ResetAnswer,
  ResetQuestion,
  type RevokeAnswer,
  RevokeQuestion,
} from "./messages.ts";

/** As the API takes, for what is passed on to it. */
const MAX_BODY_BYTES = 64 * 1024;
const API_BELOW = "/api";
const FORWARDED_HEADERS = ["accept", "content-type", "idempotency-key", "last-event-id"] as const;

interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export interface ControlDependencies {
  readonly engine: Pick<Engine, "devices" | "readiness">;
  readonly findings: FindingSources;
  readonly discovery: Pick<Discovery, "state" | "begin">;
  readonly cloud: Pick<CloudLink, "view" | "enroll" | "cut">;
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly log: Log;
  readonly version: string;
  readonly address: string | null;
  readonly people: Pick<People, "isClaimed" | "setupCode" | "renewSetupCode" | "list" | "reset">;
  readonly audit: Pick<Audit, "note">;
  /** `null`: the platform has no files for them. */
  readonly backups: Pick<Backups, "open"> | null;
  readonly exports: Exports;
  readonly updates: Updates;
  /** Where browsers of the house reach the gateway, best first, and the fingerprint of its authority if it has one. */
  reach(): { readonly addresses: readonly string[]; readonly authority: string | null };
  /** Answers a request of the command line as the API answers a client with every scope. */
  callApi(request: ApiRequest): Promise<ApiAnswer>;
  clients(): readonly ClientEntry[];
  revokeClient(id: string): Promise<string>;
  createClient(name: string, version?: string, scopes?: readonly ClientScope[]): Promise<ClientCredentials>;
  pinClient(id: string, version: string): Promise<ClientPin>;
}

/**
 * The gateway's side of the control socket. It asks for no credentials: a process that may open the socket's file is the user
 * that the gateway runs as.
 */
export function controlServer(dependencies: ControlDependencies): FastifyInstance {
  const app = Fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: true });
  // It is made when the gateway starts.
  const startedMs = dependencies.clock.monotonicMs();
  app.get("/state", (): ControlState => controlState(dependencies, startedMs));
  app.post("/clients", async (request): Promise<ClientCredentials> => {
    const { name, version, scopes } = NewClient.parse(request.body);
    return dependencies.createClient(name, version, scopes);
  });
  app.post("/clients/pin", async (request): Promise<ClientPin> => {
    const { id, version } = PinQuestion.parse(request.body);
    return dependencies.pinClient(id, version);
  });
  peopleRoutes(app, dependencies);
  app.get("/discovery", (): NetworkSearch => dependencies.discovery.state());
  app.post("/discovery", (request): NetworkSearch => {
    return dependencies.discovery.begin(NetworkSearchBody.parse(DiscoverQuestion.parse(request.body)));
  });
  cloudRoutes(app, dependencies.cloud);
  app.post("/backups", async (request, reply) => {
    const { passphrase } = BackupQuestion.parse(request.body);
    if (dependencies.backups === null) return reply.code(404).send(failure("this gateway makes no backups"));
    const file = await dependencies.backups.open(passphrase);
    return reply.type("application/octet-stream").send(Readable.from(file));
  });
  app.post("/export", async (request, reply) => {
    const { mediaType, bytes } = await dependencies.exports.open(ExportQuery.parse(request.body));
    return reply.type(mediaType).send(Readable.from(bytes));
  });
  app.post("/updates", async (request): Promise<UpdateReport> => {
    const report = UpdateReport.parse(request.body);
    await dependencies.updates.report(report);
    return report;
  });
  apiRoutes(app, dependencies);
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send(failure(issueText(error)));
    if (error instanceof ProblemError) return reply.code(PROBLEMS[error.slug].status).send(failure(error.message));
    if (error instanceof StorageError)
      return reply.code(503).send(failure(`the store cannot do it now: ${error.message}`));
    dependencies.log.error({ err: error }, "control request failed");
    return reply.code(500).send(failure("the gateway could not do it; its log says why"));
  });
  return app;
}

/** The whole API below /api, without a token. */
function apiRoutes(app: FastifyInstance, { callApi }: Pick<ControlDependencies, "callApi">): void {
  app.route({
    method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    url: `${API_BELOW}/*`,
    exposeHeadRoute: false,
    handler: async ({ method, url, headers, body }, reply) => {
      const kept = FORWARDED_HEADERS.flatMap((name) => {
        const value = headers[name];
        return typeof value === "string" ? [[name, value] as const] : [];
      });
      const answer = await callApi({
        method,
        path: url.slice(API_BELOW.length),
        headers: { ...Object.fromEntries(kept), host: "localhost" },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const { "transfer-encoding": _, connection: __, ...fields } = answer.headers;
      return await reply.code(answer.status).headers(fields).send(answer.body);
    },
  });
}

/** An enrolment goes on after the client has left; a second request with the same token finds it done. */
function cloudRoutes(app: FastifyInstance, cloud: ControlDependencies["cloud"]): void {
  app.get("/cloud", (): Promise<CloudLinkView> => cloud.view());
  app.post("/cloud/enrolment", async (request): Promise<CloudLinkView> => {
    const { token } = EnrolmentQuestion.parse(request.body);
    await cloud.enroll(token, new AbortController().signal);
    return await cloud.view();
  });
  app.post("/cloud/cut", async (): Promise<CloudLinkView> => {
    await cloud.cut();
    return await cloud.view();
  });
}

/** The machine itself: who can ask here possesses it. */
function peopleRoutes(app: FastifyInstance, dependencies: ControlDependencies): void {
  const { people, audit } = dependencies;
  const addresses = (): string[] => [...dependencies.reach().addresses];
  const who = { kind: "box", id: null, name: null } as const;
  const note = (path: string): void => audit.note({ who, method: null, path, status: null, outcome: "done" });
  app.post("/claim", (request): ClaimAnswer => {
    const { isNew } = ClaimQuestion.parse(request.body);
    if (isNew) {
      people.renewSetupCode();
      note("hemgate claim --new");
    }
    return {
      isClaimed: people.isClaimed(),
      code: people.setupCode(),
      addresses: addresses(),
      authority: dependencies.reach().authority,
    };
  });
  app.get("/people", (): Person[] => [...people.list({ accountId: null, isManager: true })]);
  app.post("/people/reset", async (request): Promise<ResetAnswer> => {
    const { name } = ResetQuestion.parse(request.body);
    const { code, expiresAtMs } = await people.reset(name);
    note("hemgate people reset");
    return { code, expiresAt: instant(expiresAtMs), addresses: addresses() };
  });
  app.get("/clients", (): ClientEntry[] => [...dependencies.clients()]);
  app.post("/clients/revoke", async (request): Promise<RevokeAnswer> => {
    const { id } = RevokeQuestion.parse(request.body);
    const name = await dependencies.revokeClient(id);
    note("hemgate client revoke");
    return { id, name };
  });
}

function failure(error: string): z.infer<typeof ControlFailure> {
  return { error };
}

function controlState(
  { engine, findings, clock, version, address }: ControlDependencies,
  startedMs: number,
): ControlState {
  const { isReady, failures } = engine.readiness();
  const nowMs = clock.nowMs();
  const devices = engine.devices().map((device) => controlDevice(device, nowMs));
  const upMs = clock.monotonicMs() - startedMs;
  return { version, address, isReady, failures: [...failures], upMs, devices, checks: controlChecks(findings, nowMs) };
}

function controlDevice(device: DeviceStatus, nowMs: number): ControlDevice {
  return {
    id: device.id,
    adapter: device.adapter,
    vendor: device.vendor,
    identity: device.identity,
    isReachable: device.isReachable,
    lastError: device.lastError,
    ageMs: device.lastSeenMs === null ? null : ageMs(device.lastSeenMs, nowMs),
    assets: device.assets.map(({ kind, id }) => ({ kind, id })),
    points: device.points.map(({ point, value, atMs }) => ({
      point,
      value,
      unit: POINT_UNITS[point],
      ageMs: ageMs(atMs, nowMs),
    })),
    takenOver: device.takenOver.map(({ atMs, ...rest }) => ({ ...rest, ageMs: ageMs(atMs, nowMs) })),
  };
}

/** The wall clock may have stepped back since; nothing is younger than now. */
function ageMs(atMs: number, nowMs: number): number {
  return Math.max(0, nowMs - atMs);
}
