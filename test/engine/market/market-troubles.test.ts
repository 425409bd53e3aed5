import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { SourceProblemKind } from "../../../src/domain/source-problem.ts";
import type { SimWebAnswer } from "../../../src/testing/sim-web.ts";
import type { CloudTrouble } from "../../twins/clouds/cloud-twin.ts";
import { DAY, HOUR, MINUTE, makeMarketHouse, shown, truth } from "./market-house.ts";

const MORNING = "2026-11-20T07:00Z";
const MIDNIGHT = Date.parse("2026-11-19T23:00Z");
const TODAY = [MIDNIGHT, MIDNIGHT + DAY] as const;

/** A house that knows today, and in which the source answers as told from then on. */
async function knowing(answer: SimWebAnswer | CloudTrouble) {
  const house = makeMarketHouse(MORNING);
  const run = await house.start();
  await house.world.clock.advance(HOUR);
  const before = house.twin.asked.length;
  if (typeof answer === "string") house.twin.trouble = answer;
  let others = 0;
  if (typeof answer !== "string") {
    house.twin.serve = () => {
      others += 1;
      return answer;
    };
  }
  return { ...house, ...run, asked: () => house.twin.asked.length - before + others };
}

function jsonText(body: unknown): SimWebAnswer {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Tomorrow 00:00 in Berlin, s. */
const AT = (MIDNIGHT + DAY) / 1_000;
const GZIPPED = gzipSync(Buffer.alloc(10_000_000, 0x20));
const UNIT = "EUR / MWh";

describe("what comes instead of prices takes nothing away, is told, and is asked again", () => {
  test.each<[string, SimWebAnswer | CloudTrouble, SourceProblemKind, RegExp]>([
    ["a portal's page", "portal", "malformed", /a page instead of JSON/],
    ["a maintenance page", "down", "unavailable", /answered 503/],
    ["silence", "hang", "unreachable", /did not answer within 30 s/],
    ["a broken connection", "break", "unreachable", /broke/],
    ["an answer of 8 MB", { body: `[${"1,".repeat(4_000_000)}1]` }, "malformed", /more than 2097152 bytes/],
    ["an answer of 100 levels", { body: `${"[".repeat(100)}${"]".repeat(100)}` }, "malformed", /more than 16 levels/],
    ["half an answer", { body: '{"unix_seconds":[1,2' }, "malformed", /no JSON/],
    ["bytes that are no text", { bytes: Uint8Array.of(0xff, 0xfe, 0x00) }, "malformed", /no text/],
    [
      "gzip that was not asked for",
      { bytes: GZIPPED, headers: { "content-encoding": "gzip" } },
      "malformed",
      /no text/,
    ],
    ["a redirect", { status: 302, headers: { location: "http://10.0.0.1/" } }, "malformed", /answered 302/],
    ["a shield's 403 in JSON", { status: 403, body: '{"title":"blocked"}' }, "unavailable", /answered 403/],
    ["a proxy's 410", { status: 410, body: '<?xml version="1.0"?><!DOCTYPE html>' }, "unavailable", /answered 410/],
    ["a 400 of nobody", { status: 400 }, "unavailable", /answered 400/],
    ["a shield's 403", { status: 403, body: "<html>blocked</html>" }, "unavailable", /answered 403/],
    [
      "another unit",
      jsonText({ unix_seconds: [AT, AT + 900], price: [1, 2], unit: "EUR / kWh" }),
      "malformed",
      /another unit/,
    ],
    ["texts", jsonText({ unix_seconds: [AT], price: ["12"], unit: UNIT }), "malformed", /something else at price\.0/],
    [
      "more prices than times",
      jsonText({ unix_seconds: [AT], price: [1, 2], unit: UNIT }),
      "malformed",
      /more times than prices/,
    ],
    [
      "no price at all",
      jsonText({ unix_seconds: [AT, AT + 900], price: [1e9, 1], unit: UNIT }),
      "malformed",
      /nobody can mean/,
    ],
    [
      "half seconds",
      jsonText({ unix_seconds: [AT, AT + 900.5], price: [1, 2], unit: UNIT }),
      "malformed",
      /something else/,
    ],
    [
      "odd seconds",
      jsonText({ unix_seconds: [AT + 7, AT + 907], price: [1, 2], unit: UNIT }),
      "malformed",
      /no span of time/,
    ],
    ["a prototype", { body: '{"__proto__":{"price":[1]},"unit":"EUR/MWh"}' }, "malformed", /something else/],
  ])("%s", async (_what, answer, kind, text) => {
    const { world, keeper, book, process, asked } = await knowing(answer);
    await world.clock.advance(6 * HOUR);
    expect(shown(keeper, MIDNIGHT, MIDNIGHT + 2 * DAY)).toEqual(truth(book, "2026-11-20"));
    expect(keeper.status().problem).toMatchObject({ kind, text: expect.stringMatching(text) });
    expect(keeper.covers()).toBe(true);
    expect(process.log.texts("warn").filter((text) => text === "no market prices for now").length).toBeLessThan(3);
    expect(asked()).toBeGreaterThan(3);
    expect(asked()).toBeLessThan(40);
  });

  test("prices with holes between them keep their holes, whatever order they come in", async () => {
    const seconds = [AT + 3_600, AT, AT + 900];
    const { world, keeper } = await knowing(jsonText({ unix_seconds: seconds, price: [3, -1.5, null], unit: UNIT }));
    await world.clock.advance(6 * HOUR);
    expect(keeper.consumer(MIDNIGHT + DAY, MIDNIGHT + 2 * DAY)).toEqual([
      { fromMs: AT * 1_000, toMs: (AT + 900) * 1_000, cost: "-0.0015" },
      { fromMs: (AT + 3_600) * 1_000, toMs: (AT + 4_500) * 1_000, cost: "0.003" },
    ]);
  });
});

describe("a source that refuses", () => {
  test("is not asked again before the next start, and what was known stays", async () => {
    const { world, keeper, book, process, asked } = await knowing({ status: 400, body: "{}" });
    await world.clock.advance(3 * DAY);
    expect(asked()).toBe(1);
    expect(shown(keeper, ...TODAY)).toEqual(truth(book, "2026-11-20"));
    expect(keeper.status()).toMatchObject({
      nextFetchAtMs: null,
      problem: { kind: "refused", text: "api.energy-charts.info answered 400" },
    });
    expect(keeper.covers()).toBe(false);
    expect(process.log.texts("error")).toEqual(["the price source refuses; look at the configuration"]);
  });

  test("is asked again after a start", async () => {
    const house = makeMarketHouse(MORNING);
    const { twin, world, book } = house;
    const serve = twin.serve.bind(twin);
    twin.serve = () => ({ status: 400, body: "{}" });
    const first = await house.start();
    await world.clock.advance(HOUR);
    expect(first.keeper.covers()).toBe(false);
    await first.close();
    twin.serve = serve;
    const { keeper } = await house.start();
    await world.clock.advance(MINUTE);
    expect(shown(keeper, ...TODAY)).toEqual(truth(book, "2026-11-20"));
  });
});

test("a source that wants fewer requests is left alone for as long as it says", async () => {
  const { world, asked } = await knowing({ status: 429, headers: { "retry-after": "7200" } });
  // The publication is 4 hours after the start of the test, and up to ten minutes more by chance.
  await world.clock.advance(5.9 * HOUR);
  expect(asked()).toBe(1);
  await world.clock.advance(30 * MINUTE);
  expect(asked()).toBe(2);
});

test("nothing is asked while the clock is not set", async () => {
  const house = makeMarketHouse(MORNING);
  house.world.clock.setQuality("unset");
  const { keeper } = await house.start();
  await house.world.clock.advance(HOUR);
  expect(house.twin.asked).toEqual([]);
  expect(keeper.status()).toMatchObject({ lastFetchedAtMs: null, problem: { kind: "clock-not-set" } });
  house.world.clock.setQuality("synced");
  await house.world.clock.advance(MINUTE);
  expect(keeper.status()).toMatchObject({ lastFetchedAtMs: expect.any(Number), problem: null });
});

test("what the process holds of the world is nothing after a stop", async () => {
  const house = makeMarketHouse(MORNING);
  const { process, close } = await house.start();
  await house.world.clock.advance(15_000);
  await close();
  expect(process.held).toEqual({ streams: 0, listeners: 0, timers: 0 });
});

test("a name that leads into the house is not followed", async () => {
  const house = makeMarketHouse(MORNING);
  house.world.web.name("api.energy-charts.info", ["192.168.1.10"]);
  const { keeper } = await house.start();
  await house.world.clock.advance(HOUR);
  expect(house.world.web.connects).toEqual([]);
  expect(keeper.status().problem?.text).toContain("the address is private");
});

test.each([
  [{ source: "nobody" }, "pricing.market: there is no price source nobody"],
  [{ zone: "XX" }, "pricing.market: no such bidding zone"],
])("a gateway with %o does not start", async (change, problem) => {
  await expect(makeMarketHouse(MORNING).start(change)).rejects.toThrow(problem);
});
