/** What becomes of a webhook whose receiver fails, or whose gateway does. */
import { describe, expect, test } from "vitest";
import { RETRY_PAUSES_MS, retryPauseMs } from "../../src/sync/webhooks/retry-ladder.ts";
import type { WebhookOptions } from "../../src/sync/webhooks/webhook-service.ts";
import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { CLIENT, HookWorld, type Receiver } from "./webhook-world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NUMBERS = (from: number, to: number) => Array.from({ length: to - from }, (_unused, at) => from + at);

const TAKING: SimWebAnswer = { status: 200 };
const FAILING: SimWebAnswer = { status: 500 };

/** A gateway that runs, with one webhook, whose receiver answers everything alike until it is told otherwise. */
async function openHouse(
  answer: SimWebAnswer,
  options: Partial<WebhookOptions> = {},
): Promise<{ readonly house: HookWorld; readonly receiver: Receiver; readonly id: string }> {
  const house = new HookWorld(1, options);
  const receiver = house.receiver();
  receiver.answer = () => answer;
  await house.start();
  const { id } = await house.create();
  return { house, receiver, id };
}

test("the ladder has 17 attempts over a day, each pause within a tenth", () => {
  const random = new SeededRandom(1);
  expect(RETRY_PAUSES_MS).toHaveLength(16);
  const totalMs = RETRY_PAUSES_MS.reduce((sum, ms) => sum + ms, 0);
  expect(totalMs / HOUR).toBeCloseTo(24.1, 1);
  for (const [at, pauseMs] of RETRY_PAUSES_MS.entries()) {
    for (let times = 0; times < 100; times += 1) {
      const actual = retryPauseMs(at + 1, random) ?? 0;
      expect(actual).toBeGreaterThanOrEqual(pauseMs * 0.9);
      expect(actual).toBeLessThanOrEqual(pauseMs * 1.1);
    }
  }
  expect(retryPauseMs(17, random)).toBeNull();
});

describe("a webhook that fails", () => {
  test.each([
    ["500", { status: 500 }],
    ["302", { status: 302, headers: { location: "http://169.254.169.254/" } }],
    ["404", { status: 404 }],
    ["no answer", { fault: "hang" }],
    ["an answer after 5 seconds", { delayMs: 6 * SECOND }],
    ["a broken connection", { fault: "break" }],
  ] as const)("by %s gets the same batch again, then what came meanwhile", async (_name, failure) => {
    const { house, receiver } = await openHouse(failure);
    await house.tellMany(3);
    await house.pass(8 * SECOND);
    expect(receiver.requests).toHaveLength(1);
    await house.tellMany(2);
    await house.pass(MINUTE);
    receiver.answer = () => TAKING;
    await house.pass(2 * MINUTE);
    const ids = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
    const attempts = receiver.deliveries.slice(0, -1);
    for (const events of attempts) expect(events.map(({ n }) => n)).toEqual([0, 1, 2]);
    expect(new Set(ids.slice(0, -1)).size).toBe(1);
    expect(receiver.deliveries.at(-1)?.map(({ n }) => n)).toEqual([3, 4]);
    expect(ids.at(-1)).not.toBe(ids[0]);
    expect(new Set(house.world.web.connects.map(({ address }) => address))).toEqual(new Set(["93.184.216.34"]));
    await house.stop();
  });

  test("is tried 17 times over a day, then deactivated, its backlog deleted", async () => {
    const { house, receiver, id } = await openHouse(FAILING);
    await house.tellMany(5);
    await house.pass(30 * HOUR);
    expect(receiver.requests).toHaveLength(17);
    for (const [at, pauseMs] of RETRY_PAUSES_MS.entries()) {
      const waitedMs = (receiver.requests[at + 1]?.atMs ?? 0) - (receiver.requests[at]?.atMs ?? 0);
      expect(waitedMs).toBeGreaterThanOrEqual(pauseMs * 0.9);
      expect(waitedMs).toBeLessThanOrEqual(pauseMs * 1.1 + SECOND);
    }
    expect(house.run.webhooks.get(CLIENT, id)).toMatchObject({ isActive: false });
    await house.tellMany(5);
    await house.pass(10 * HOUR);
    expect(receiver.requests).toHaveLength(17);
    await house.stop();
  });

  test.each(["PATCH", "test"] as const)("and is inactive is active again after a %s, from then on", async (by) => {
    const { house, receiver, id } = await openHouse(FAILING);
    await house.tellMany(5);
    await house.pass(30 * HOUR);
    await house.tellMany(5);
    receiver.answer = () => TAKING;
    const before = receiver.requests.length;
    if (by === "PATCH") await house.resolve(house.run.webhooks.update(CLIENT, id, {}));
    else await house.resolve(house.run.webhooks.test(CLIENT, id));
    expect(house.run.webhooks.get(CLIENT, id)).toMatchObject({ isActive: true });
    await house.pass(MINUTE);
    await house.tellMany(2);
    await house.pass(MINUTE);
    const numbers = receiver.deliveries
      .slice(before)
      .flat()
      .flatMap(({ n }) => (n === undefined ? [] : [n]));
    expect(numbers).toEqual([10, 11]);
    await house.stop();
  });

  test("and is inactive stays so over a restart", async () => {
    const { house, receiver, id } = await openHouse(FAILING);
    await house.tell();
    await house.pass(30 * HOUR);
    house.kill();
    await house.start();
    await house.pass(HOUR);
    expect(receiver.requests).toHaveLength(17);
    expect(house.run.webhooks.get(CLIENT, id)).toMatchObject({ isActive: false });
    await house.stop();
  });

  test("goes on with its backlog at once after a PATCH or a test while it is still active", async () => {
    const { house, receiver, id } = await openHouse(FAILING);
    await house.tellMany(3);
    await house.pass(2 * HOUR);
    receiver.answer = () => TAKING;
    const before = receiver.requests.length;
    await house.resolve(house.run.webhooks.test(CLIENT, id));
    await house.pass(SECOND);
    const sent = receiver.deliveries.slice(before).flat();
    const names = sent.map(({ event, n }) => n ?? event);
    expect(names.filter((name) => name !== "system:heartbeat")).toEqual(["service:webhook:test", 0, 1, 2]);
    await house.stop();
  });

  test("goes on with the ladder after a restart, and does not start it anew", async () => {
    const { house, receiver } = await openHouse(FAILING);
    await house.tellMany(3);
    await house.pass(2 * HOUR);
    const before = receiver.requests.length;
    await house.stop();
    await house.start();
    await house.pass(30 * HOUR);
    expect(receiver.requests).toHaveLength(17);
    expect(before).toBeLessThan(17);
    await house.stop();
  });

  test("keeps the newest events within the bound, and the next heartbeat counts those that were dropped", async () => {
    const { house, receiver } = await openHouse(FAILING, { limits: { events: 50, bytes: 1_000_000 } });
    await house.tellMany(80);
    await house.pass(3 * MINUTE);
    const before = receiver.requests.length;
    receiver.answer = () => TAKING;
    await house.pass(12 * MINUTE);
    const acknowledged = receiver.deliveries.slice(before).flat();
    expect(acknowledged.flatMap(({ n }) => (n === undefined ? [] : [n]))).toEqual(NUMBERS(30, 80));
    expect(receiver.heartbeats[0]?.pendingEvents).toBe(30);
    await house.stop();
  });

  test("keeps within the bound of bytes too", async () => {
    const { house, receiver } = await openHouse(FAILING, { limits: { events: 1_000, bytes: 20_000 } });
    await house.tellMany(40, "x".repeat(1_000));
    await house.pass(MINUTE);
    receiver.answer = () => TAKING;
    await house.pass(3 * MINUTE);
    const numbers = receiver.deliveries.at(-1)?.map(({ n }) => n);
    expect(numbers?.at(-1)).toBe(39);
    expect(numbers?.length).toBeLessThanOrEqual(19);
    expect(numbers?.length).toBeGreaterThanOrEqual(15);
    await house.stop();
  });
});

describe("over a restart", () => {
  test("in order, nothing is delivered twice", async () => {
    const { house, receiver } = await openHouse(TAKING);
    await house.tellMany(5);
    await house.pass(SECOND);
    await house.stop();
    await house.start();
    await house.tellMany(5);
    await house.pass(SECOND);
    expect(receiver.numbers).toEqual(NUMBERS(0, 10));
    await house.stop();
  });

  test("by a power cut, nothing is lost, and what is told twice was told since the last commit", async () => {
    const { house, receiver } = await openHouse(TAKING);
    for (let times = 0; times < 5; times += 1) {
      await house.tell();
      await house.pass(SECOND);
    }
    house.kill();
    await house.start();
    await house.pass(MINUTE);
    // The position of an event goes to disk along with the next one.
    expect(receiver.numbers).toEqual([0, 1, 2, 3, 4, 4]);
    await house.stop();
  });

  test("of a delivery under way sends it again as the same delivery", async () => {
    const { house, receiver } = await openHouse({ fault: "hang" });
    await house.tellMany(3);
    await house.pass(SECOND);
    await house.stop();
    receiver.answer = () => TAKING;
    await house.start();
    await house.tellMany(2);
    await house.pass(SECOND);
    expect(receiver.deliveries.map((events) => events.map(({ n }) => n))).toEqual([
      [0, 1, 2],
      [0, 1, 2],
      [3, 4],
    ]);
    const [first, second] = receiver.requests;
    expect(second?.headers["x-service-delivery"]).toBe(first?.headers["x-service-delivery"]);
    await house.stop();
  });
});
