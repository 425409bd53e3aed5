import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { SourceProblemKind } from "../../../src/domain/source-problem.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import type { CloudTrouble } from "../../twins/clouds/cloud-twin.ts";
import { DAY, HOUR, MINUTE, makeMarketHome, shown, truth } from "./market-home.ts";

const MORNING = "2026-11-20T07:00Z";
const MIDNIGHT = Date.parse("2026-11-19T23:00Z");
const TODAY = [MIDNIGHT, MIDNIGHT + DAY] as const;

/** Starts a home that knows today's prices; from then on the source answers only `answer`. */
async function failingAfterToday(answer: SimWebAnswer | CloudTrouble) {
  const home = makeMarketHome(MORNING);
  const run = await home.start();
  await home.world.clock.advance(HOUR);
  const before = home.twin.asked.length;
  if (typeof answer === "string") home.twin.trouble = answer;
  let others = 0;
  if (typeof answer !== "string") {
    home.twin.serve = () => {
      others += 1;
      return answer;
    };
  }
  return { ...home, ...run, asked: () => home.twin.asked.length - before + others };
}

function jsonText(body: unknown): SimWebAnswer {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Tomorrow 00:00 in Berlin, s. */
const AT = (MIDNIGHT + DAY) / 1_000;
const GZIPPED = gzipSync(Buffer.alloc(10_000_000, 0x20));
const UNIT = "EUR / MWh";

describe("unusable answers of a price source", () => {
  test.each<[string, SimWebAnswer | CloudTrouble, SourceProblemKind, RegExp]>([
    ["a portal's page", "portal", "malformed", /a page instead of JSON/],
    ["a maintenance page", "down", "unavailable", /answered 503/],
    ["silence", "hang", "unreachable", /did not answer within 30 s/],
    ["a broken connection", "break", "unreachable", /broke/],
    ["an answer of 3 MB", { body: `[${"1,".repeat(1_500_000)}1]` }, "malformed", /more than 2097152 bytes/],
    ["an answer of 100 levels", { body: `${"[".repeat(100)}${"]".repeat(100)}` }, "malformed", /more than 16 levels/],
    ["half an answer", { body: '{"unix_seconds":[1,2' }, "malformed", /invalid or incomplete JSON/],
    ["bytes that are not text", { bytes: Uint8Array.of(0xff, 0xfe, 0x00) }, "malformed", /other than UTF-8/],
    ["unrequested gzip", { bytes: GZIPPED, headers: { "content-encoding": "gzip" } }, "malformed", /other than UTF-8/],
    ["a redirect", { status: 302, headers: { location: "http://10.0.0.1/" } }, "malformed", /answered 302/],
    [
      "a 403 in JSON from a protection service",
      { status: 403, body: '{"title":"blocked"}' },
      "unavailable",
      /answered 403/,
    ],
    ["a proxy's 410", { status: 410, body: '<?xml version="1.0"?><!DOCTYPE html>' }, "unavailable", /answered 410/],
    ["an empty 400", { status: 400 }, "unavailable", /answered 400/],
    [
      "a 403 page from a protection service",
      { status: 403, body: "<html>blocked</html>" },
      "unavailable",
      /answered 403/,
    ],
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
      "an implausible price",
      jsonText({ unix_seconds: [AT, AT + 900], price: [1e9, 1], unit: UNIT }),
      "malformed",
      /implausible price/,
    ],
    [
      "fractions of a second",
      jsonText({ unix_seconds: [AT, AT + 900.5], price: [1, 2], unit: UNIT }),
      "malformed",
      /something else/,
    ],
    [
      "times that are not whole minutes",
      jsonText({ unix_seconds: [AT + 7, AT + 907], price: [1, 2], unit: UNIT }),
      "malformed",
      /invalid time span/,
    ],
    ["a prototype", { body: '{"__proto__":{"price":[1]},"unit":"EUR/MWh"}' }, "malformed", /something else/],
  ])(
    "Known prices survive when the source sends %s, which is reported and retried",
    async (_what, answer, kind, text) => {
      const { world, service, book, process, asked } = await failingAfterToday(answer);
      await world.clock.advance(6 * HOUR);
      expect(shown(service, MIDNIGHT, MIDNIGHT + 2 * DAY)).toEqual(truth(book, "2026-11-20"));
      expect(service.status().problem).toMatchObject({ kind, text: expect.stringMatching(text) });
      expect(service.covers()).toBe(true);
      expect(
        process.log.texts("warn").filter((text) => text === "cannot fetch market prices; known prices are kept").length,
      ).toBeLessThan(3);
      expect(asked()).toBeGreaterThan(3);
      expect(asked()).toBeLessThan(40);
    },
  );

  test("Prices with gaps and in any order keep their gaps", async () => {
    const seconds = [AT + 3_600, AT, AT + 900];
    const { world, service } = await failingAfterToday(
      jsonText({ unix_seconds: seconds, price: [3, -1.5, null], unit: UNIT }),
    );
    await world.clock.advance(6 * HOUR);
    expect(service.consumer(MIDNIGHT + DAY, MIDNIGHT + 2 * DAY)).toEqual([
      { fromMs: AT * 1_000, toMs: (AT + 900) * 1_000, cost: "-0.0015" },
      { fromMs: (AT + 3_600) * 1_000, toMs: (AT + 4_500) * 1_000, cost: "0.003" },
    ]);
  });
});

describe("refusing price sources", () => {
  test("A source that refuses gets no further request before the next start, and known prices stay", async () => {
    const { world, service, book, process, asked } = await failingAfterToday({ status: 400, body: "{}" });
    await world.clock.advance(3 * DAY);
    expect(asked()).toBe(1);
    expect(shown(service, ...TODAY)).toEqual(truth(book, "2026-11-20"));
    expect(service.status()).toMatchObject({
      nextFetchAtMs: null,
      problem: { kind: "refused", text: "api.energy-charts.info answered 400" },
    });
    expect(service.covers()).toBe(false);
    expect(process.log.texts("error")).toEqual([
      "price source refuses the configuration; no prices are fetched until the next start",
    ]);
  });

  test("A source that refused gets a new request after a start", async () => {
    const home = makeMarketHome(MORNING);
    const { twin, world, book } = home;
    const serve = twin.serve.bind(twin);
    twin.serve = () => ({ status: 400, body: "{}" });
    const first = await home.start();
    await world.clock.advance(HOUR);
    expect(first.service.covers()).toBe(false);
    await first.close();
    twin.serve = serve;
    const { service } = await home.start();
    await world.clock.advance(MINUTE);
    expect(shown(service, ...TODAY)).toEqual(truth(book, "2026-11-20"));
  });
});

test("A price source that answers 429 gets no request for the time of Retry-After", async () => {
  const { world, asked } = await failingAfterToday({ status: 429, headers: { "retry-after": "7200" } });
  // The publication is 4 hours after the start of the test, plus a random delay of up to ten minutes.
  await world.clock.advance(5.9 * HOUR);
  expect(asked()).toBe(1);
  await world.clock.advance(30 * MINUTE);
  expect(asked()).toBe(2);
});

test("No prices are requested while the clock is not set", async () => {
  const home = makeMarketHome(MORNING);
  home.world.clock.setQuality("unset");
  const { service } = await home.start();
  await home.world.clock.advance(HOUR);
  expect(home.twin.asked).toEqual([]);
  expect(service.status()).toMatchObject({ lastFetchedAtMs: null, problem: { kind: "clock-not-set" } });
  home.world.clock.setQuality("synced");
  await home.world.clock.advance(MINUTE);
  expect(service.status()).toMatchObject({ lastFetchedAtMs: expect.any(Number), problem: null });
});

test("After a stop the market prices hold no sockets and timers", async () => {
  const home = makeMarketHome(MORNING);
  const { process, close } = await home.start();
  await home.world.clock.advance(15_000);
  await close();
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});

test("No connection is made if the source's name resolves to a private address", async () => {
  const home = makeMarketHome(MORNING);
  home.world.web.name("api.energy-charts.info", ["192.168.1.10"]);
  const { service } = await home.start();
  await home.world.clock.advance(HOUR);
  expect(home.world.web.connects).toEqual([]);
  expect(service.status().problem?.text).toContain("the address is private");
});

test.each([
  [{ source: "unknown" }, "pricing.market: there is no price source unknown"],
  [{ zone: "XX" }, "pricing.market: no such bidding zone"],
])("A gateway with the market configuration %o does not start", async (change, problem) => {
  await expect(makeMarketHome(MORNING).start(change)).rejects.toThrow(problem);
});
