import { describe, expect, test } from "vitest";
import type { CloudAnswer } from "../../../../../adapters/clouds/kit/connector.ts";
import { HOUR_MS, makeRule } from "../budget-world.ts";
import { ADDRESS, ClientBench, failureOf, HOST, JSON_TYPE, packed } from "../client-bench.ts";

const COMMAND = { method: "POST", purpose: "command", body: { json: { on: true } } } as const;

describe("a request to a cloud", () => {
  test("goes out with its query, its body and the headers of the kit", async () => {
    const bench = new ClientBench();
    bench.answers({ headers: JSON_TYPE, body: '{"devices":[1]}' });
    const answer = await bench.ask({ ...COMMAND, query: { a: "x y", b: "1&2" }, headers: { "x-own": "1" } });
    expect(answer).toMatchObject({ status: 200, body: { devices: [1] } });
    expect(bench.asked).toMatchObject([{ method: "POST", path: "/devices?a=x+y&b=1%262", body: '{"on":true}' }]);
    expect(bench.asked[0]?.headers).toMatchObject({
      "user-agent": "hemgate",
      "accept-encoding": "gzip",
      "content-type": "application/json",
      "x-own": "1",
    });
  });

  test("sends a form as one", async () => {
    const bench = new ClientBench();
    await bench.ask({ method: "POST", body: { form: { user: "a b", pin: "1&2" } } });
    expect(bench.asked[0]?.body).toBe("user=a+b&pin=1%262");
    expect(bench.asked[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  });

  test.each([
    ["another host", "https://evil.example/x"],
    ["a host that only ends alike", `https://evil${HOST}/x`],
    ["an end of a name without more before it", "https://cloud.example/x"],
    ["plain text", `http://${HOST}/x`],
    ["an address of the house", "https://192.168.1.1/x"],
    ["a user in the address", `https://me:secret@${HOST}/x`],
    ["what is no address", "https://"],
  ])("never leads to %s", async (_name, url) => {
    const bench = new ClientBench({ hosts: [HOST, "*.cloud.example"] });
    expect(await bench.failure({ url })).toMatchObject({ kind: "refused" });
    expect(bench.web.connects).toEqual([]);
  });

  test("may lead to any name under a wildcard", async () => {
    const bench = new ClientBench({ hosts: ["*.cloud.example"] });
    bench.web.serve("eu.cloud.example", "93.184.216.35", () => ({ headers: JSON_TYPE, body: "[]" }));
    expect(await bench.ask({ url: "https://eu.cloud.example/x" })).toMatchObject({ body: [] });
  });

  test("is not sent to a vendor's name that resolves into the house", async () => {
    const bench = new ClientBench();
    bench.web.name(HOST, ["192.168.1.10"]);
    expect(await bench.failure()).toMatchObject({ kind: "unavailable" });
    expect(bench.web.connects).toEqual([]);
  });

  test("is not sent where the certificate is another's", async () => {
    const bench = new ClientBench();
    bench.web.listen(ADDRESS, 443, { serve: () => ({}), certificate: ["portal.example"] });
    expect(await bench.failure()).toMatchObject({ kind: "unavailable" });
  });

  test("ends with who asked", async () => {
    const bench = new ClientBench();
    bench.answers({ fault: "hang" });
    const asker = new AbortController();
    const asked = bench.ask({}, asker.signal);
    asker.abort(new Error("nobody waits any more"));
    await expect(asked).rejects.toThrow("nobody waits any more");
  });
});

describe("an answer", () => {
  test.each([
    [401, "expired"],
    [403, "forbidden"],
    [404, "refused"],
    [408, "asleep"],
    [424, "asleep"],
    [302, "malformed"],
    [501, "unavailable"],
  ])("with status %d is %s", async (status, kind) => {
    const bench = new ClientBench();
    bench.answers({ status, headers: JSON_TYPE, body: "{}" });
    expect(await bench.failure()).toMatchObject({ kind });
    expect(bench.asked).toHaveLength(1);
  });

  test("of 200 is a failure where the connector says so", async () => {
    const bench = new ClientBench({ errorOf: ({ body }) => (body === 7 ? "asleep" : null) });
    bench.answers({ headers: JSON_TYPE, body: "7" });
    expect(await bench.failure()).toMatchObject({ kind: "asleep" });
  });

  test("of 400 shows its body to the connector, even one that is a page", async () => {
    const bodies: unknown[] = [];
    const errorOf = ({ body }: CloudAnswer) => {
      bodies.push(body);
      return null;
    };
    const bench = new ClientBench({ errorOf });
    bench.answers({ status: 400, headers: JSON_TYPE, body: '{"code":1}' }, { status: 400, body: "<html>" });
    await bench.failure();
    await bench.failure();
    expect(bodies).toEqual([{ code: 1 }, null]);
  });

  test("may be empty", async () => {
    const bench = new ClientBench();
    bench.answers({ status: 204, headers: { "content-encoding": "gzip" } });
    expect(await bench.ask()).toMatchObject({ status: 204, body: null });
  });

  test("is unpacked", async () => {
    const bench = new ClientBench();
    bench.answers(packed('{"a":[1,2]}'));
    expect(await bench.ask()).toMatchObject({ body: { a: [1, 2] } });
  });

  test("that is JSON under another name is read", async () => {
    const bench = new ClientBench();
    bench.answers({ headers: { "content-type": "text/html" }, body: ' {"a":1}' });
    expect(await bench.ask()).toMatchObject({ body: { a: 1 } });
  });

  test.each([
    ["a portal's page", { headers: { "content-type": "text/html" }, body: "<html>Welcome, sign in" }],
    ["a page that says it is JSON", { headers: JSON_TYPE, body: "<html>" }],
    ["plain text", { headers: { "content-type": "text/plain" }, body: "OK" }],
    ["half an answer", { headers: JSON_TYPE, body: '{"devices":[{"id"' }],
    ["a redirect to a portal", { status: 302, headers: { location: "http://portal.example/" } }],
    ["another encoding", { headers: { ...JSON_TYPE, "content-encoding": "br" }, body: "{}" }],
    ["what says it is packed", { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, body: "{}" }],
    ["half of what is packed", { ...packed('{"a":1}'), bytes: packed('{"a":1}').bytes!.subarray(0, 20) }],
    ["100 MB in a small packet", packed(Buffer.alloc(100 * 1024 * 1024, 0x20))],
    ["more than a megabyte", { headers: JSON_TYPE, body: `"${"x".repeat(1024 * 1024)}"` }],
    ["levels without end", { headers: JSON_TYPE, body: "[".repeat(100_000) }],
  ])("that is %s is malformed, and nothing is asked again", async (_name, answer) => {
    const bench = new ClientBench();
    bench.answers(answer);
    expect(await bench.failure()).toMatchObject({ kind: "malformed" });
    expect(bench.asked).toHaveLength(1);
  });
});

describe("another try", () => {
  const right = { headers: JSON_TYPE, body: "1" };

  test.each([429, 500, 502, 503, 504])("is made after %d where it does no harm", async (status) => {
    const bench = new ClientBench();
    bench.answers({ status }, { status }, right);
    expect(await bench.ask()).toMatchObject({ body: 1 });
    expect(bench.asked).toHaveLength(3);
  });

  test("is made after a lost connection", async () => {
    const bench = new ClientBench();
    bench.answers({ fault: "break" }, right);
    expect(await bench.ask()).toMatchObject({ body: 1 });
  });

  test("is not made a third time", async () => {
    const bench = new ClientBench();
    bench.answers({ status: 503 });
    expect(await bench.failure()).toMatchObject({ kind: "unavailable" });
    expect(bench.asked).toHaveLength(3);
  });

  test("is made of a repeatable POST, but not after 500", async () => {
    const bench = new ClientBench();
    bench.answers({ status: 502 }, right);
    await bench.ask({ method: "POST", isRepeatable: true });
    bench.answers({ status: 500 });
    await bench.failure({ method: "POST", isRepeatable: true });
    expect(bench.asked).toHaveLength(3);
  });

  test.each([
    ["502", { status: 502 }, "unavailable"],
    ["503", { status: 503 }, "unavailable"],
    ["504", { status: 504 }, "timeout"],
    ["429", { status: 429 }, "rate-limited"],
    ["500", { status: 500 }, "unavailable"],
    ["a lost connection", { fault: "break" }, "timeout"],
    ["silence", { fault: "hang" }, "timeout"],
  ] as const)("is never made of a command after %s", async (_name, answer, kind) => {
    const bench = new ClientBench();
    bench.answers(answer);
    expect(await bench.failure(COMMAND)).toMatchObject({ kind });
    expect(await bench.failure({ method: "GET", purpose: "command" })).toBeDefined();
    expect(bench.asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("comes no sooner than the vendor wants, and as late by chance", async () => {
    const bench = new ClientBench();
    bench.answers({ status: 503, headers: { "retry-after": "7" } }, right);
    await bench.ask();
    const [first, second] = bench.asked.map(({ atMs }) => atMs);
    expect(second! - first!).toBeGreaterThanOrEqual(7_000);
  });

  test("is not made when the vendor wants it after the call's time", async () => {
    const bench = new ClientBench();
    bench.answers({ status: 503, headers: { "retry-after": "40" } });
    const { notBeforeMs } = await bench.failure();
    expect(bench.asked).toHaveLength(1);
    expect(notBeforeMs).toBeGreaterThanOrEqual(40_000);
  });

  test("needs a budget of its own", async () => {
    const bench = new ClientBench({}, [makeRule({ limit: 2, windowMs: HOUR_MS })]);
    bench.answers({ status: 503 });
    expect(await bench.failure()).toMatchObject({ kind: "unavailable" });
    expect(bench.asked).toHaveLength(2);
    expect(await bench.failure()).toMatchObject({ kind: "no-budget" });
    expect(bench.asked).toHaveLength(2);
  });

  test("ends with the call's time", async () => {
    const bench = new ClientBench();
    bench.answers({ ...right, delayMs: 45_000 });
    expect(await bench.failure()).toMatchObject({ kind: "timeout" });
    expect(bench.clock.monotonicMs()).toBe(30_000);
  });
});

describe("too many requests", () => {
  test("leave the vendor alone for as long as it wants", async () => {
    const bench = new ClientBench();
    bench.answers({ status: 429, headers: { "retry-after": "3600" } });
    const { kind, notBeforeMs } = await bench.failure();
    expect(kind).toBe("rate-limited");
    expect(notBeforeMs).toBeGreaterThanOrEqual(HOUR_MS);
    expect(await bench.failure(COMMAND)).toMatchObject({ kind: "no-budget", notBeforeMs });
    expect(bench.asked).toHaveLength(1);
    await bench.clock.advance(notBeforeMs! - bench.clock.monotonicMs());
    bench.answers({ headers: JSON_TYPE, body: "1" });
    expect(await bench.ask()).toMatchObject({ body: 1 });
  });

  test("take the vendor's date by the vendor's own clock", async () => {
    const bench = new ClientBench();
    const dates = { date: "Sun, 06 Nov 1994 08:49:37 GMT", "retry-after": "Sun, 06 Nov 1994 09:49:37 GMT" };
    bench.answers({ status: 429, headers: dates });
    const { notBeforeMs } = await bench.failure();
    expect(notBeforeMs).toBeGreaterThanOrEqual(HOUR_MS);
    expect(notBeforeMs).toBeLessThan(HOUR_MS + 60_000);
  });

  test("leave it alone for longer each time, where it does not say how long", async () => {
    const bench = new ClientBench();
    bench.answers({ status: 429 });
    const pauses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { notBeforeMs } = await bench.failure(COMMAND);
      pauses.push(notBeforeMs! - bench.clock.monotonicMs());
      await bench.clock.advance(notBeforeMs! - bench.clock.monotonicMs());
    }
    expect(pauses[0]).toBeGreaterThanOrEqual(29_000);
    expect(pauses[3]).toBeGreaterThan(2 * pauses[0]!);
  });

  test("in a 200 are ones, too", async () => {
    const bench = new ClientBench({ errorOf: () => "rate-limited" });
    bench.answers({ headers: JSON_TYPE, body: "407" });
    expect(await bench.failure(COMMAND)).toMatchObject({ kind: "rate-limited" });
    expect(await bench.failure(COMMAND)).toMatchObject({ kind: "no-budget" });
  });
});

test("what the vendor counts itself is believed", async () => {
  const budgetNews = () => [{ budget: "requests", left: 1, resetsInMs: 600_000 }];
  const bench = new ClientBench({ budgetNews }, [makeRule({ limit: 10, windowMs: HOUR_MS })]);
  await bench.ask();
  expect(bench.budget.left()).toMatchObject([{ left: 1 }]);
});

test("what nobody took costs nothing, however it is given up; what was taken does", async () => {
  const bench = new ClientBench({}, [makeRule({ limit: 10, windowMs: HOUR_MS })]);
  bench.web.blackHoles.add(ADDRESS);
  expect(await failureOf(bench.ask())).toMatchObject({ kind: "timeout" });
  const asker = new AbortController();
  const asked = bench.ask({}, asker.signal);
  await bench.clock.settle();
  asker.abort(new Error("nobody waits any more"));
  await expect(asked).rejects.toThrow("nobody waits any more");
  expect(bench.budget.left()).toMatchObject([{ left: 10 }]);
  bench.web.blackHoles.clear();
  bench.answers({ fault: "hang" });
  expect(await failureOf(bench.ask())).toMatchObject({ kind: "timeout" });
  expect(bench.budget.left()).toMatchObject([{ left: 9 }]);
});

test("what never left costs nothing", async () => {
  const bench = new ClientBench({}, [makeRule({ limit: 10, windowMs: HOUR_MS })]);
  bench.web.close(ADDRESS, 443);
  expect(await failureOf(bench.ask())).toMatchObject({ kind: "unavailable" });
  expect(bench.budget.left()).toMatchObject([{ left: 10 }]);
});

test.each([
  ["counts as what it was asked", undefined, 7],
  ["counts nothing where the vendor bills none", true, 10],
])("a vendor's own fault %s, tries and all", async (_what, isWithoutFaults, left) => {
  const rule = { ...makeRule({ limit: 10, windowMs: HOUR_MS }), ...(isWithoutFaults && { isWithoutFaults }) };
  const bench = new ClientBench({}, [rule]);
  bench.answers({ status: 503 });
  expect(await bench.failure()).toMatchObject({ kind: "unavailable" });
  expect(bench.asked).toHaveLength(3);
  expect(bench.budget.left()).toMatchObject([{ left }]);
  bench.answers({ status: 404 });
  await bench.failure();
  expect(bench.budget.left()).toMatchObject([{ left: left - 1 }]);
});
