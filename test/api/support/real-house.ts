/** The API over the engine itself, in a simulated home: for routes whose effects matter. */
// Loaded by the first Parquet file otherwise, which takes real time, and the virtual clock does not wait for it.
import "hyparquet-writer";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { createClientSecrets } from "../../../src/api/clients/client-secrets.ts";
import { createClient } from "../../../src/api/clients/clients.ts";
import { createApi } from "../../../src/api/server.ts";
import { NEWEST_VERSION } from "../../../src/api/versions/served-versions.ts";
import { configSchema } from "../../../src/config/config.ts";
import type { Backups } from "../../../src/engine/contracts/backup.ts";
import type { CloudLink } from "../../../src/engine/contracts/cloud-link.ts";
import type { Updates } from "../../../src/engine/contracts/updates.ts";
import type { RecentLog } from "../../../src/platform/ports/recent-log-port.ts";
import { createSync } from "../../../src/sync/create-sync.ts";
import { openCloudLink } from "../../../src/sync/identity/open-cloud-link.ts";
import { type Home, makeHome, type Run } from "../../engine/home.ts";
import { GENEROUS, getToken, MAPPED_EVENTS } from "./api-house.ts";
import { NO_SETTINGS } from "./no-settings.ts";
import { sharedBook } from "./shared-book.ts";
import { watchAnswers } from "./watch-answers.ts";

/** Longer than a request waits for a device, ms. */
const ANSWER_LIMIT_MS = 25_000;
/** A token lives an hour; one that is older than this is renewed before a request. */
const TOKEN_LIFE_MS = 50 * 60_000;

export interface RealHouse extends AsyncDisposable {
  readonly home: Home;
  readonly run: Run;
  readonly api: FastifyInstance;
  readonly cloud: CloudLink;
  readonly client: { readonly id: string; readonly secret: string };
  /** A valid token of the client. */
  readonly token: string;
  /** A request with a valid token. */
  ask(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Lets virtual time pass. */
  pass(ms: number): Promise<void>;
}

/** Starts the home's engine and an API over it. Time moves only while something is asked, or by `pass`. */
export async function openRealHouse(
  options: {
    home?: Home;
    config?: object;
    /** The engine's own configuration: its devices, as the file has them. */
    engine?: object;
    headers?: Readonly<Record<string, string>>;
    maySetLimits?: true;
    mayManagePeople?: true;
    recentLog?: RecentLog;
    backups?: (run: Run) => Backups;
    updates?: (run: Run) => Updates;
  } = {},
): Promise<RealHouse> {
  const home = options.home ?? makeHome();
  const { clock } = home.world;
  const run = await home.start(options.engine);
  const { process, engine, store } = run;
  const { random, log } = process.platform;
  const config = configSchema([]).parse({ http: { limits: GENEROUS }, ...options.config });
  const scopes = [
    ...(options.maySetLimits === true ? (["energy:limits"] as const) : []),
    ...(options.mayManagePeople === true ? (["people:manage"] as const) : []),
  ];
  const client = await clock.resolve(
    createClient({ store, clock: process.platform.clock, random }, "test", NEWEST_VERSION.date, scopes),
    10_000,
  );
  const { http } = process.platform;
  const versions = { mapped: MAPPED_EVENTS, newestVersion: NEWEST_VERSION.date };
  const own = {
    clock: process.platform.clock,
    mailer: process.platform.mailer,
    backups: null,
    proxy: null,
    updates: null,
  };
  const sync = createSync({ engine, store, random, http, log, config, ...own, ...versions });
  const { webhooks, live, notifications } = sync;
  const cloud = await clock.resolve(
    openCloudLink({
      ...process.platform,
      store,
      software: "hemgate/test",
      provision: null,
      snapshot: () => [],
    }),
    10_000,
  );
  const api = await createApi({
    engine,
    webhooks,
    live,
    notifications,
    cloud: cloud.link,
    store,
    clock: process.platform.clock,
    random,
    secrets: createClientSecrets({ store, random }),
    log,
    config,
    settings: NO_SETTINGS,
    recentLog: options.recentLog,
    backups: options.backups?.(run) ?? null,
    ...(options.updates !== undefined && { updates: options.updates(run), version: "1.0.0" }),
    proxy: null,
    hostName: process.platform.net.hostName(),
    bookFrom: sharedBook(config, engine),
  });
  const token = await clock.resolve(getToken(api, client), ANSWER_LIMIT_MS);
  let fresh = { token, untilMs: clock.monotonicMs() + TOKEN_LIFE_MS };
  const watch = watchAnswers(api, config);
  const ask = async (request: InjectOptions): Promise<LightMyRequestResponse> => {
    if (clock.monotonicMs() > fresh.untilMs) {
      const renewed = await clock.resolve(getToken(api, client), ANSWER_LIMIT_MS);
      fresh = { token: renewed, untilMs: clock.monotonicMs() + TOKEN_LIFE_MS };
    }
    const headers = { authorization: `Bearer ${fresh.token}`, ...options.headers, ...request.headers };
    const answer = await clock.resolve(
      api.inject({ ...request, headers }).then((made) => made),
      ANSWER_LIMIT_MS,
    );
    await watch(request, answer);
    return answer;
  };
  return {
    home,
    run,
    api,
    cloud: cloud.link,
    client,
    token,
    ask,
    pass: (ms) => clock.advance(ms),
    [Symbol.asyncDispose]: async () => {
      await api.close();
      await sync[Symbol.asyncDispose]();
      await cloud[Symbol.asyncDispose]();
      await run.close();
    },
  };
}
