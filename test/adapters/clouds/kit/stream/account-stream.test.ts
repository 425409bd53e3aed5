import { describe, expect, test } from "vitest";
import type { BudgetRule } from "../../../../../adapters/clouds/kit/connector.ts";
import { CloudError } from "../../../../../adapters/clouds/kit/session/cloud-error.ts";
import { AccountStream } from "../../../../../adapters/clouds/kit/stream/account-stream.ts";
import type { CloudStream } from "../../../../../adapters/clouds/kit/stream/cloud-stream.ts";
import { StreamDial } from "../../../../../adapters/clouds/kit/stream/stream-dial.ts";
import type { SimHubSocket } from "../../../../../src/testing/network/sim-socket.ts";
import type { SimWebRequest } from "../../../../../src/testing/network/sim-web.ts";
import { SimWebSockets } from "../../../../../src/testing/network/sim-websockets.ts";
import { APP } from "../../fake-session.ts";
import { ADDRESS, ClientBench, FakeTokens, HOST, JSON_TYPE } from "../client-bench.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** `hello` lets us in, `bad` is not understood, `KEY NEWS` is of a device. */
const STREAM: CloudStream = {
  paceMs: 10 * MINUTE_MS,
  silentMs: 30_000,
  ping: { text: "ping", everyMs: 10_000 },
  async locate(session, signal) {
    await session.ask({ method: "GET", url: `https://${HOST}/where` }, signal);
    return { url: `https://${HOST}/stream`, query: { ticket: "ticket-1" } };
  },
  speak: (line) => ({
    hear(text) {
      if (text === "bad") throw new CloudError("malformed", "the stream is not understood");
      const [key = "", news] = text.split(" ");
      if (text === "hello") line.ready();
      else line.tell(key, news);
    },
    subscribe: (key) => line.send(`want ${key}`),
  }),
};

const RULE: BudgetRule = {
  name: "hour",
  limit: 10,
  windowMs: HOUR_MS,
  scope: "account",
  window: "sliding",
  reserved: { command: 1, login: 1 },
  source: "made up",
  confidence: "documented",
};

interface Listener {
  readonly received: unknown[];
  losses: number;
  hear(news: unknown): void;
}

function listener(): Listener {
  const received: unknown[] = [];
  return { received, losses: 0, hear: (news) => void received.push(news) };
}

/** A vendor whose hub says `hello`, and tells of each device that is asked for. */
function bed(rules: readonly BudgetRule[] = []) {
  const bench = new ClientBench({}, rules);
  const tokens = new FakeTokens(bench.clock);
  const said: string[] = [];
  const open: SimHubSocket[] = [];
  const state = { refusal: null as number | null, accepts: 1, isQuiet: false, handshakes: 0 };
  const hub = ({ headers }: SimWebRequest, socket: SimHubSocket) => {
    state.handshakes += 1;
    const number = Number(headers["authorization"]?.split("=")[1]);
    if (state.refusal !== null || number < state.accepts) return { status: state.refusal ?? 401 };
    open.push(socket);
    if (!state.isQuiet) socket.send("hello");
    const text = (message: string): void => {
      said.push(message);
      const [word, key] = message.split(" ");
      if (word === "want") socket.send(`${key} state`);
      if (word === "ping" && !state.isQuiet) socket.send("pong");
    };
    return { text, closed: () => void open.splice(open.indexOf(socket), 1) };
  };
  const serve = () => ({ headers: JSON_TYPE, body: "{}" });
  bench.web.listen(ADDRESS, 443, { serve, certificate: [HOST], hub });
  const sockets = new SimWebSockets(bench.web);
  const { clock, random, log, budget } = bench;
  const webSockets = sockets.host(clock);
  const dial = new StreamDial({ connector: { hosts: [HOST] }, app: APP, tokens, budget, webSockets });
  const stream = new AccountStream({ stream: STREAM, session: bench.account(tokens), dial, clock, random, log });
  const join = (key: string, device = listener()) => {
    const share = stream.join(key, device, () => {
      device.losses += 1;
    });
    return { share, device };
  };
  return { bench, tokens, said, open, state, sockets, webSockets, stream, join };
}

describe("an account's stream", () => {
  test("is open while somebody listens, and asks for each", async () => {
    const { bench, join, said, open, webSockets } = bed();
    const first = join("a");
    await bench.clock.advance(2_000);
    expect(said).toEqual(["want a"]);
    const second = join("b");
    await bench.clock.advance(2_000);
    expect(said).toEqual(["want a", "want b"]);
    expect([first.device.received, second.device.received]).toEqual([["state"], ["state"]]);
    first.share[Symbol.dispose]();
    await bench.clock.advance(1_000);
    expect(open).toHaveLength(1);
    second.share[Symbol.dispose]();
    await bench.clock.advance(HOUR_MS);
    expect([open.length, webSockets.openConnections, bench.clock.pendingTimers]).toEqual([0, 0, 0]);
  });

  test("says something often enough, and lives while it hears something", async () => {
    const { bench, join, said, state } = bed();
    const { share } = join("a");
    await bench.clock.advance(HOUR_MS);
    expect(said.filter((message) => message === "ping").length).toBeGreaterThanOrEqual(359);
    expect([share.isLive, state.handshakes]).toEqual([true, 1]);
  });

  test("is live for a device only once it told of it, and tells when it is lost", async () => {
    const { bench, join, sockets, state } = bed();
    const { share, device } = join("a");
    expect(share.isLive).toBe(false);
    await bench.clock.advance(2_000);
    expect([share.isLive, device.losses]).toEqual([true, 0]);
    state.refusal = 503;
    sockets.cut(HOST);
    await bench.clock.advance(100);
    expect([share.isLive, device.losses]).toEqual([false, 1]);
    await bench.clock.advance(HOUR_MS);
    expect(device.losses).toBe(1);
    state.refusal = null;
    await bench.clock.advance(20 * MINUTE_MS);
    expect(share.isLive).toBe(true);
  });

  test("tells whether it is connected and since when, what came last, and why not", async () => {
    const { bench, join, stream, sockets, state } = bed();
    expect(stream.standing).toEqual({ isConnected: false, sinceMs: null, lastMessageMs: null, problem: null });
    const { share } = join("a");
    await bench.clock.advance(5_000);
    const first = stream.standing;
    expect(first).toMatchObject({ isConnected: true, problem: null });
    await bench.clock.advance(MINUTE_MS);
    expect(stream.standing.sinceMs).toBe(first.sinceMs);
    expect(bench.clock.monotonicMs() - (stream.standing.lastMessageMs ?? 0)).toBeLessThan(11_000);
    state.refusal = 503;
    sockets.cut(HOST);
    const cutAtMs = bench.clock.monotonicMs();
    await bench.clock.advance(20 * MINUTE_MS);
    const lost = stream.standing;
    expect(lost).toMatchObject({ isConnected: false, problem: { kind: "unavailable" } });
    expect(lost.problem?.text).toMatch(/503/);
    // Attempts that fail do not begin it anew.
    expect((lost.sinceMs ?? 0) - cutAtMs).toBeLessThan(1_000);
    expect(lost.lastMessageMs).toBeLessThanOrEqual(cutAtMs);
    state.refusal = null;
    await bench.clock.advance(20 * MINUTE_MS);
    expect(stream.standing).toMatchObject({ isConnected: true, problem: null });
    share[Symbol.dispose]();
    expect(stream.standing).toMatchObject({ isConnected: false, sinceMs: null, problem: null });
  });

  test.each([
    ["before it lets us in", true, "hello"],
    ["after that", false, "a state"],
  ])("that goes quiet %s is given up", async (_when, isQuiet) => {
    const { bench, join, state, open } = bed();
    state.isQuiet = isQuiet;
    join("a");
    await bench.clock.advance(2_000);
    state.isQuiet = true;
    expect(open).toHaveLength(1);
    await bench.clock.advance(42_000);
    expect(bench.log.lines.map(({ fields }) => fields["reason"])).toContain("the stream said nothing for 30 s");
  });

  test("renews a grant that the handshake does not take, once", async () => {
    const { bench, tokens, join, state } = bed();
    state.accepts = 2;
    const { share } = join("a");
    await bench.clock.advance(5_000);
    expect([share.isLive, tokens.renewals, state.handshakes]).toEqual([true, 1, 2]);
  });

  test("that takes no grant at all is tried again later, and is no verdict on the login", async () => {
    const { bench, tokens, join, state } = bed();
    state.accepts = 1_000;
    const { share } = join("a");
    await bench.clock.advance(HOUR_MS - MINUTE_MS);
    expect([tokens.renewals, state.handshakes]).toEqual([1, 2]);
    state.accepts = 1;
    await bench.clock.advance(HOUR_MS);
    expect(share.isLive).toBe(true);
  });

  test("is tried again after pauses that grow", async () => {
    const { bench, join, state } = bed();
    state.refusal = 500;
    join("a");
    const atMs: number[] = [];
    for (let step = 0; step < 3 * 60 * 60; step += 1) {
      const before = state.handshakes;
      await bench.clock.advance(1_000);
      if (state.handshakes > before) atMs.push(bench.clock.monotonicMs());
    }
    const gaps = atMs.slice(1).map((at, index) => at - (atMs[index] ?? 0));
    expect(Math.max(...gaps.slice(0, 2))).toBeLessThan(MINUTE_MS + 5_000);
    expect(Math.max(...gaps)).toBeGreaterThan(5 * MINUTE_MS);
    expect(atMs.length).toBeGreaterThan(15);
  });

  test("is not opened more than so often in an hour, however often a device comes and goes", async () => {
    const { bench, join, state } = bed();
    for (let round = 0; round < 350; round += 1) {
      const { share } = join("a");
      await bench.clock.advance(5_000);
      share[Symbol.dispose]();
      await bench.clock.advance(5_000);
    }
    expect(state.handshakes).toBe(20);
    const { share } = join("a");
    await bench.clock.advance(5 * MINUTE_MS);
    expect(share.isLive).toBe(true);
  });

  test("counts as requests do, and waits when nothing is left", async () => {
    const { bench, join, sockets, state } = bed([RULE]);
    const { share } = join("a");
    await bench.clock.advance(5_000);
    expect(bench.budget.left()[0]?.left).toBe(RULE.limit - 2);
    state.refusal = 503;
    sockets.cut(HOST);
    await bench.clock.advance(2 * HOUR_MS);
    // Two are kept from polls.
    expect(state.handshakes).toBeLessThanOrEqual(3 * ((RULE.limit - 2) / 2));
    expect(share.isLive).toBe(false);
  });

  test("costs nothing while nobody takes the connection, however it is given up", async () => {
    const { bench, tokens, webSockets, state } = bed([RULE]);
    const { clock, budget } = bench;
    const dial = new StreamDial({ connector: { hosts: [HOST] }, app: APP, tokens, budget, webSockets });
    const events = { text: () => undefined, closed: () => undefined };
    const shake = async (signal: AbortSignal): Promise<unknown> => {
      const opening = dial.open({ url: `https://${HOST}/stream`, query: {} }, events, signal);
      return await clock.resolve(
        opening.catch((error: unknown) => error),
        MINUTE_MS,
      );
    };
    bench.web.blackHoles.add(ADDRESS);
    const givingUp = new AbortController();
    clock.timer(5_000, () => givingUp.abort(new Error("given up")));
    expect(await shake(givingUp.signal)).toMatchObject({ message: "given up" });
    expect(await shake(new AbortController().signal)).toMatchObject({ kind: "unavailable" });
    expect([state.handshakes, budget.left()[0]?.left]).toEqual([0, RULE.limit]);
  });

  test("that is not understood, or that a device chokes on, is left", async () => {
    const { bench, join, open } = bed();
    const { share } = join("a");
    const choking = listener();
    join("b", { ...choking, hear: () => expect.fail("a bug") });
    await bench.clock.advance(2_000);
    expect([share.isLive, open.length]).toEqual([false, 0]);
    expect(bench.log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  test("that did not tell what it should have is left, once it had its time", async () => {
    const { bench, join, open } = bed();
    const { share, device } = join("a");
    await bench.clock.advance(5_000);
    share.missed();
    expect(share.isLive).toBe(true);
    await bench.clock.advance(MINUTE_MS);
    share.missed();
    await bench.clock.advance(100);
    expect([share.isLive, device.losses, open.length]).toEqual([false, 1, 0]);
  });

  test("leads to the vendor's hosts only, and tells no log its ticket", async () => {
    const { bench, tokens, webSockets } = bed();
    const parts = { connector: { hosts: ["other.example"] }, app: APP, tokens, budget: bench.budget, webSockets };
    const place = { url: `https://${HOST}/stream`, query: { ticket: "ticket-1" } };
    const events = { text: () => undefined, closed: () => undefined };
    const opening = new StreamDial(parts).open(place, events, new AbortController().signal);
    const error = await opening.catch((cause: unknown) => cause);
    expect(error).toMatchObject({ kind: "refused" });
    expect(String(error)).not.toContain("ticket-1");
    expect(bench.web.connects).toEqual([]);
  });

  test("never shows its grant or its ticket in a log", async () => {
    const { bench, join, state } = bed();
    state.refusal = 403;
    join("a");
    await bench.clock.advance(HOUR_MS);
    const told = JSON.stringify(bench.log.lines);
    expect(told).toContain("answered 403");
    for (const secret of ["ticket-1", "access/", "Bearer"]) expect(told).not.toContain(secret);
  });
});
