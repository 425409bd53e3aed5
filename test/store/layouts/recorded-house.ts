/** A house whose state is recorded with each layout of the store, and opened by every later version. */
import { gunzipSync, gzipSync } from "node:zlib";
import type { InjectOptions } from "fastify";
import { configSchema } from "../../../src/config/config.ts";
import { createGateway, type Gateway } from "../../../src/gateway.ts";
import type { DatabaseName } from "../../../src/platform/ports/ports.ts";
import { FakeDevice, fakeAdapter } from "../../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { World } from "../../../src/testing/world.ts";
import { getToken } from "../../api/support/api-house.ts";
import { batteryOptions, chargerOptions } from "../../engine/home.ts";

const LIMIT_MS = 60_000;
export const MINUTE_MS = 60_000;
/** What sealed the secrets of the recorded states. */
const SECRET_KEY = Buffer.alloc(32, 7);
const DATABASES: readonly DatabaseName[] = ["critical", "telemetry"];

export interface RecordedState {
  /** Version of the program that wrote it. */
  readonly version: string;
  /** When it was written: the next start is later. */
  readonly atMs: number;
  readonly client: { readonly id: string; readonly secret: string };
  /** What the API answered last, by path. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** How many samples of the battery the history has until then, and their average power, W. */
  readonly history: RecordedHistory;
  /** Keys and values of both databases; the values in base64. */
  readonly databases: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface RecordedHistory {
  readonly samples: number;
  readonly averageW: number;
}

/**
 * What a start, a look or a second changes; `kinds`, which are all that the version has where a channel names none; and
 * `notes` about the grid connection, which the version finds.
 */
const VOLATILE: readonly string[] = [
  "lastSeen",
  "lastUpdated",
  "lastUsedAt",
  "failures",
  "retryAt",
  "deliveries",
  "kinds",
  "notes",
];

/** The answer without what is not stored. */
export function lastingOf(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (name, value: unknown) => (VOLATILE.includes(name) ? undefined : value)));
}

/** The recorded battery's history until a time. */
export async function historyOf({ gateway, wait }: RunningHouse, untilMs: number): Promise<RecordedHistory> {
  const samples = await wait(gateway.store.history("battery", 0, untilMs));
  const powers = samples.flatMap(({ values }) => values.filter(({ point }) => point === "battery.power"));
  const sum = powers.reduce((total, { value }) => total + Number(value), 0);
  return { samples: samples.length, averageW: sum / powers.length };
}

export function packState(state: RecordedState): Uint8Array {
  return gzipSync(JSON.stringify(state), { level: 9 });
}

export function unpackState(bytes: Uint8Array): RecordedState {
  return JSON.parse(gunzipSync(bytes).toString("utf8"));
}

/** The disk as the recorded gateway left it. */
export function diskOf({ databases }: RecordedState): MemoryDisk {
  const disk = new MemoryDisk();
  for (const name of DATABASES) {
    for (const [key, value] of Object.entries(databases[name] ?? {})) {
      disk.contents(name).set(key, Buffer.from(value, "base64"));
    }
  }
  return disk;
}

export function contentsOf(disk: MemoryDisk): RecordedState["databases"] {
  return Object.fromEntries(
    DATABASES.map((name) => [
      name,
      Object.fromEntries([...disk.contents(name)].map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
    ]),
  );
}

export interface RunningHouse extends AsyncDisposable {
  readonly world: World;
  readonly gateway: Gateway;
  wait<T>(work: Promise<T>): Promise<T>;
  /** Asks with a token of the client; returns the body. Throws for a status of 400 and above. */
  ask(client: RecordedState["client"], request: InjectOptions): Promise<Record<string, unknown>>;
}

/** Starts a gateway on the disk. Rejects with what keeps it from starting. */
export async function startHouse(disk: MemoryDisk, startMs?: number): Promise<RunningHouse> {
  const world = new World({ seed: 5, ...(startMs !== undefined && { startMs }) });
  const { clock } = world;
  const adapters = [
    fakeAdapter({
      battery: new FakeDevice({ ...batteryOptions(), clock }),
      charger: new FakeDevice({ ...chargerOptions(), clock }),
    }),
  ];
  const devices = ["battery", "charger"].map((id) => ({ id, adapter: "fake" }));
  const config = configSchema(adapters).parse({ site: { owner: "home" }, devices });
  const { platform } = world.boot("gateway", disk);
  const wait = <T>(work: Promise<T>): Promise<T> => clock.resolve(work, LIMIT_MS);
  const gateway = await wait(createGateway({ platform, config, adapters, listen: false, secretKeys: [SECRET_KEY] }));
  await clock.advance(5_000);
  return {
    world,
    gateway,
    wait,
    async ask(client, request) {
      const token = await wait(getToken(gateway.api, client));
      const headers = { authorization: `Bearer ${token}` };
      const answer = await wait(gateway.api.inject({ ...request, headers }).then((made) => made));
      if (answer.statusCode >= 400)
        throw new Error(`${request.method ?? "GET"} ${String(request.url)}: ${answer.body}`);
      return answer.body === "" ? {} : answer.json();
    },
    async [Symbol.asyncDispose]() {
      await wait(Promise.resolve(gateway[Symbol.asyncDispose]()));
    },
  };
}
