/** The real way out of the house, to a server on the loopback; the gateway's clock is moved by hand. */
import { createServer, type IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import type { DeviceStatus } from "../../../src/engine/contracts/engine.ts";
import { nodeHttp } from "../../../src/platform/node/http/node-http.ts";
import { InfluxPush, type InfluxSettings } from "../../../src/sync/influx/influx-push.ts";
import { WaitingLines } from "../../../src/sync/influx/waiting-lines.ts";
import { TestLog, VirtualClock } from "../../../src/testing/index.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";

const START_MS = Date.UTC(2026, 5, 21);
const INTERVAL_MS = 10_000;
const TOKEN = "token-canary-1";

interface Taken {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** A server that keeps what it is sent, and answers with the next of the statuses, the last one for good. */
async function openServer(...statuses: readonly number[]) {
  const taken: Taken[] = [];
  const waiters: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    taken.push({ request, body: Buffer.concat(chunks).toString() });
    const status = statuses[taken.length - 1] ?? statuses.at(-1) ?? 204;
    response.writeHead(status, status === 503 ? { "retry-after": "60" } : {});
    response.end(status < 300 ? "" : '{"message":"field type conflict"}', () => {
      for (const waiter of waiters.splice(0)) waiter();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const until = async (count: number): Promise<void> => {
    while (taken.length < count) await new Promise<void>((resolve) => void waiters.push(resolve));
  };
  return {
    taken,
    until,
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A meter that is read once a second. */
function openPush(settings: Partial<InfluxSettings> & { readonly url: string }) {
  const clock = new VirtualClock({ startMs: START_MS });
  const log = new TestLog();
  const meter = (): Pick<DeviceStatus, "id" | "points"> => {
    const atMs = Math.floor(clock.nowMs() / 1_000) * 1_000;
    return { id: "meter", points: [{ point: "meter.power", value: (atMs - START_MS) / 1_000, atMs }] };
  };
  const push = new InfluxPush(
    { bucket: "home", org: "my org", token: TOKEN, intervalSeconds: 10, maxWaitingMegabytes: 1, ...settings },
    {
      clock,
      log,
      http: nodeHttp(),
      random: new SeededRandom(1),
      engine: {
        devices: () => [meter() as DeviceStatus],
        services: { housePowers: { list: () => [], observe: () => ({ [Symbol.dispose]: () => undefined }) } },
      },
    },
  );
  /** Real I/O has to come to its end before the clock goes on. */
  const settled = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
    // What follows from it has set its timer then.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { push, clock, log, settled };
}

describe("readings that are sent to an InfluxDB", () => {
  test("of version 2 go into a bucket with a token, each once, with milliseconds", async () => {
    await using server = await openServer();
    const { push, clock, settled } = openPush({ url: `${server.url}/influx` });
    await using _ = push;
    await clock.advance(INTERVAL_MS);
    await server.until(1);
    await settled(() => push.figures().sent === 1);
    await clock.advance(INTERVAL_MS);
    await server.until(2);
    await settled(() => push.figures().sent === 2);
    expect(server.taken.map(({ body }) => body)).toStrictEqual([
      `meter,device=meter power_w=10 ${START_MS + INTERVAL_MS}\n`,
      `meter,device=meter power_w=20 ${START_MS + 2 * INTERVAL_MS}\n`,
    ]);
    const { request } = server.taken[0] as Taken;
    expect(request.url).toBe("/influx/api/v2/write?org=my+org&bucket=home&precision=ms");
    expect(request.headers["authorization"]).toBe(`Token ${TOKEN}`);
    expect(push.figures()).toMatchObject({ dropped: 0, rejected: 0, waiting: 0, waitingBytes: 0, failures: 0 });
  });

  test("of version 1 go into a database, with an account", async () => {
    await using server = await openServer();
    const account = { bucket: undefined, org: undefined, token: undefined, username: "anna", password: "canary" };
    const { push, clock } = openPush({ url: server.url, database: "home", ...account });
    await using _ = push;
    await clock.advance(INTERVAL_MS);
    await server.until(1);
    const { request } = server.taken[0] as Taken;
    expect(request.url).toBe("/write?db=home&precision=ms");
    expect(request.headers["authorization"]).toBe(`Basic ${Buffer.from("anna:canary").toString("base64")}`);
  });

  test("wait while the server fails, as long as it asks for, and then go together", async () => {
    await using server = await openServer(503, 401, 204);
    const { push, clock, log, settled } = openPush({ url: server.url });
    await using _ = push;
    await clock.advance(INTERVAL_MS);
    await server.until(1);
    await settled(() => push.figures().failures === 1);
    await clock.advance(5 * INTERVAL_MS);
    expect(server.taken).toHaveLength(1);
    await clock.advance(INTERVAL_MS);
    await server.until(2);
    await settled(() => push.figures().failures === 2);
    expect(push.figures()).toMatchObject({
      waiting: 7,
      lastError: expect.stringContaining("HTTP 401: check the token"),
    });
    await clock.advance(INTERVAL_MS);
    await server.until(3);
    await settled(() => push.figures().failures === 0);
    expect(server.taken[2]?.body.trim().split("\n").length).toBeGreaterThanOrEqual(7);
    expect(push.figures()).toMatchObject({ lastError: null, dropped: 0 });
    expect(JSON.stringify(log.lines)).not.toContain(TOKEN);
  });

  test("that the server refuses are left out, and only those", async () => {
    await using server = await openServer(503, 400, 400, 204);
    const { push, clock, settled } = openPush({ url: server.url });
    await using _ = push;
    await clock.advance(INTERVAL_MS);
    await server.until(1);
    await settled(() => push.figures().failures === 1);
    await clock.advance(6 * INTERVAL_MS);
    await server.until(4);
    await settled(() => push.figures().waiting === 0);
    expect(push.figures()).toMatchObject({ rejected: 1, failures: 0 });
    expect(push.figures().sent).toBeGreaterThanOrEqual(5);
  });
});

describe("what waits for an InfluxDB", () => {
  test("is bounded: the oldest lines are dropped and counted", () => {
    const waiting = new WaitingLines(100);
    for (let index = 0; index < 10; index++) waiting.add([`${index}`.repeat(30), "x"]);
    expect([waiting.lines, waiting.bytes, waiting.dropped]).toStrictEqual([6, 93, 14]);
    const [oldest] = waiting.first(1);
    expect(oldest?.lines[0]).toBe("7".repeat(30));
    expect(waiting.first(62)).toHaveLength(2);
  });

  test("is not counted twice when it was dropped while it was sent", () => {
    const waiting = new WaitingLines(50);
    waiting.add(["a".repeat(30)]);
    const sending = waiting.first(100);
    waiting.add(["b".repeat(30)]);
    waiting.remove(sending);
    expect([waiting.lines, waiting.bytes, waiting.dropped]).toStrictEqual([1, 30, 1]);
  });
});
