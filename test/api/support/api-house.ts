import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { createClientSecrets } from "../../../src/api/clients/client-secrets.ts";
import { createClient } from "../../../src/api/clients/clients.ts";
import { createApi } from "../../../src/api/server.ts";
import { createMapEvent } from "../../../src/api/versions/map-event.ts";
import { NEWEST_VERSION } from "../../../src/api/versions/served-versions.ts";
import { type Config, configSchema } from "../../../src/config/config.ts";
import type { Https } from "../../../src/engine/contracts/https/https.ts";
import type { PageFiles } from "../../../src/platform/ports/page-files-port.ts";
import type { RecentLog } from "../../../src/platform/ports/recent-log-port.ts";
import { createSync } from "../../../src/sync/create-sync.ts";
import { SeededRandom, SimWeb, TestLog, VirtualClock } from "../../../src/testing/index.ts";
import { FakeEngine } from "./fake-engine.ts";
import { FakeStore } from "./fake-store.ts";
import { NO_CLOUD } from "./no-cloud.ts";
import { NO_SETTINGS } from "./no-settings.ts";
import { sharedBook } from "./shared-book.ts";
import { watchAnswers } from "./watch-answers.ts";

/** Has no state, and is the costliest part of a house to make: all houses share it. */
export const MAPPED_EVENTS = createMapEvent();

/** Time stands still in many tests while they ask a lot. */
export const GENEROUS = {
  requestsPerMinute: 1_000_000,
  requestBurst: 1_000_000,
  commandsPerMinute: 1_000_000,
  commandsPerDevicePerMinute: 1_000_000,
};

export interface ApiHouse extends AsyncDisposable {
  readonly api: FastifyInstance;
  readonly engine: FakeEngine;
  readonly store: FakeStore;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly log: TestLog;
  readonly client: { readonly id: string; readonly secret: string };
  /** A request with a valid token. */
  ask(request: InjectOptions): Promise<LightMyRequestResponse>;
}

/** What only the real house has. */
const NO_WORLD = { mailer: undefined, backups: null, updates: null };

/** An API over a fake engine, with a client that holds a token. */
export async function openHouse(
  options: {
    config?: object;
    store?: FakeStore;
    clock?: VirtualClock;
    page?: PageFiles;
    descriptions?: PageFiles;
    recentLog?: RecentLog;
    https?: Https;
  } = {},
): Promise<ApiHouse> {
  const config: Config = configSchema([]).parse({ http: { limits: GENEROUS }, ...options.config });
  const engine = new FakeEngine();
  for (const owner of [config.site.owner, ...config.devices.map((device) => device.owner ?? config.site.owner)]) {
    engine.owners.add(owner);
  }
  const store = options.store ?? new FakeStore();
  const clock = options.clock ?? new VirtualClock();
  const random = new SeededRandom(1);
  const log = new TestLog();
  const client = await createClient({ store, clock, random }, "test");
  const http = new SimWeb(clock, random.fork("web")).host();
  const versions = { mapped: MAPPED_EVENTS, newestVersion: NEWEST_VERSION.date };
  const sync = createSync({ engine, store, clock, random, http, log, config, ...NO_WORLD, ...versions });
  const { webhooks, live, notifications } = sync;
  const secrets = createClientSecrets({ store, random });
  const { page, descriptions, recentLog, https } = options;
  const own = {
    ...{ config, hostName: "hemgate", page, recentLog, settings: NO_SETTINGS, backups: null, proxy: null },
    // A house with prepared descriptions makes its own of them.
    ...(descriptions === undefined ? { bookFrom: sharedBook(config, engine) } : { descriptions }),
    ...(https !== undefined && { https }),
  };
  const api = await createApi({
    engine,
    webhooks,
    live,
    notifications,
    cloud: NO_CLOUD,
    store,
    clock,
    random,
    secrets,
    log,
    ...own,
  });
  const token = await getToken(api, client);
  const watch = watchAnswers(api, config);
  return {
    api,
    engine,
    store,
    clock,
    random,
    log,
    client,
    async ask(request) {
      const headers = { authorization: `Bearer ${token}`, ...request.headers };
      const answer = await api.inject({ ...request, headers });
      await watch(request, answer);
      return answer;
    },
    [Symbol.asyncDispose]: async () => {
      await api.close();
      await sync[Symbol.asyncDispose]();
    },
  };
}

/** A token by HTTP Basic. */
export async function getToken(api: FastifyInstance, client: { id: string; secret: string }): Promise<string> {
  const answer = await requestToken(api, client);
  return answer.json<{ access_token: string }>().access_token;
}

export function requestToken(
  api: FastifyInstance,
  { id, secret }: { id: string; secret: string },
  remoteAddress = "127.0.0.1",
): Promise<LightMyRequestResponse> {
  return api.inject({
    method: "POST",
    url: "/oauth2/token",
    remoteAddress,
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    payload: "grant_type=client_credentials",
  });
}
