/** What the parts of the API share. */
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { z } from "zod";
import type { Config } from "../config/config.ts";
import type { Backups } from "../engine/contracts/backup.ts";
import type { CloudLink } from "../engine/contracts/cloud-link.ts";
import type { HouseSettings } from "../engine/contracts/configuration.ts";
import type { Engine } from "../engine/contracts/engine.ts";
import type { Https } from "../engine/contracts/https/https.ts";
import type { Live } from "../engine/contracts/live.ts";
import type { Notifications } from "../engine/contracts/notifications.ts";
import type { InfluxLink, ModbusProxy } from "../engine/contracts/other-programs.ts";
import type { Updates } from "../engine/contracts/updates.ts";
import type { Webhooks } from "../engine/contracts/webhooks.ts";
import type { PageFiles } from "../platform/ports/page-files-port.ts";
import type { Clock, Log, Random } from "../platform/ports/ports.ts";
import type { RecentLog } from "../platform/ports/recent-log-port.ts";
import type { Store } from "../store/store.ts";
import type { Caller } from "./clients/callers.ts";
import type { ClientSecrets } from "./clients/client-secrets.ts";
import type { JsonTexts } from "./json-texts.ts";
import type { NameActor } from "./people/audit-hook.ts";
import type { RefreshHints } from "./refresh-hints.ts";
import type { ApiVersion } from "./versions/version.ts";
import type { VersionBook } from "./versions/version-book.ts";

/** What the API is made of. The caller owns them and closes them after the API. */
export interface ApiParts {
  readonly engine: Engine;
  readonly webhooks: Webhooks;
  readonly live: Live;
  readonly notifications: Notifications;
  /** Absent or `null`: readings are sent to no InfluxDB. */
  readonly influx?: InfluxLink | null;
  readonly cloud: CloudLink;
  /** `null`: the platform has no files for them. */
  readonly backups: Backups | null;
  /** Absent: the gateway has nothing to do with its updates. */
  readonly updates?: Updates;
  /** `null` if the configuration has none. */
  readonly proxy: ModbusProxy | null;
  /** Absent: there is none. */
  readonly https?: Https;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: ClientSecrets;
  readonly log: Log;
  /** `undefined`: there is no home page. */
  readonly page?: PageFiles | undefined;
  /** The descriptions that the build prepared; `undefined`: they are made when they are asked for. */
  readonly descriptions?: PageFiles | undefined;
  readonly config: Config;
  readonly settings: HouseSettings;
  /** The gateway's version, such as `0.1.0`; `undefined` if a program embeds it. */
  readonly version?: string | undefined;
  /** `undefined`: no lines of the log are kept. */
  readonly recentLog?: RecentLog | undefined;
  /** What the machine calls itself. */
  readonly hostName: string;
  /** Takes the descriptions from another API of this process with the same configuration; `undefined`: makes them. */
  readonly bookFrom?: (make: () => VersionBook) => VersionBook;
}

/** What a route is made of. */
export interface RouteParts extends ApiParts {
  readonly texts: JsonTexts;
  /** The id of the client or of the account that asks; "" for nobody, which only open routes meet. */
  clientOf(request: FastifyRequest): string;
  callerOf(request: FastifyRequest): Caller;
  /** Says for the audit log who a request came from that signs in. */
  readonly nameActor: NameActor;
  readonly hints: RefreshHints;
}

/** Requests are typed by their route's schemas. Answers are not: they are JSON text by the time they are sent. */
export interface RouteTypes extends FastifyTypeProvider {
  readonly validator: this["schema"] extends z.ZodType ? z.output<this["schema"]> : unknown;
  readonly serializer: unknown;
}

/** The HTTP server. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  RouteTypes
>;

const VERSION = "apiVersion";

/** Lets requests carry the version they are answered in. */
export function carryVersions(api: FastifyInstance): void {
  api.decorateRequest(VERSION, null);
}

export function setVersion(request: FastifyRequest, version: ApiVersion): void {
  request.setDecorator(VERSION, version);
}

/** The version that this request is answered in. */
export function versionOf(request: Pick<FastifyRequest, "getDecorator">): ApiVersion {
  return request.getDecorator<ApiVersion>(VERSION);
}
