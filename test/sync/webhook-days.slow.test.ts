/** Hours in a simulated world: receivers that fail in every way, a gateway that stops and loses power meanwhile. */
import { describe, expect, test } from "vitest";
import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import { seedsOf } from "../long-run/seeds.ts";
import { HookWorld, type Receiver } from "./webhook-world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const ANSWER_WITHIN_MS = 5_000;
/** `WEBHOOK_HOURS=24` lives through a whole day. */
const HOURS = Number(process.env["WEBHOOK_HOURS"] ?? 8);

interface Acknowledged {
  readonly n: number;
  readonly atMs: number;
  /** The receiver took it and said so too late. */
  readonly isLate: boolean;
}

/** A receiver that fails by chance, and notes what it took. */
function watch(receiver: Receiver, random: SeededRandom, isGood: () => boolean): readonly Acknowledged[] {
  const taken: Acknowledged[] = [];
  receiver.answer = (request) => {
    const answer = isGood() ? { status: 200 } : moody(random);
    const { delayMs = 0 } = answer;
    const isTaken = answer.fault === undefined && (answer.status ?? 200) < 300;
    const isLate = delayMs > ANSWER_WITHIN_MS - 200;
    if (isTaken) for (const n of numbersOf(request.body)) taken.push({ n, atMs: request.atMs, isLate });
    return answer;
  };
  return taken;
}

function moody(random: SeededRandom): SimWebAnswer {
  const answers: readonly [() => SimWebAnswer, ...(() => SimWebAnswer)[]] = [
    () => ({ status: 200 }),
    () => ({ status: 204, delayMs: random.between(0, 4_500) }),
    () => ({ status: 200, delayMs: random.between(5_500, 20_000) }),
    () => ({ status: 500 }),
    () => ({ status: 302, headers: { location: "https://169.254.169.254/" } }),
    () => ({ status: 404 }),
    () => ({ fault: "hang" }),
    () => ({ fault: "break" }),
  ];
  return random.pick(answers)();
}

function numbersOf(body: string): number[] {
  const events: readonly { readonly n?: number }[] = JSON.parse(body);
  return events.flatMap(({ n }) => (n === undefined ? [] : [n]));
}

/**
 * Each event was taken, in order, and again only after a late answer or an end of the gateway.
 * Returns how often one was taken again.
 */
function check(taken: readonly Acknowledged[], sent: number, endsMs: readonly number[]): number {
  const last = new Map<number, Acknowledged>();
  let next = 0;
  for (const one of taken) {
    const before = last.get(one.n);
    if (before === undefined) {
      expect(one.n, "in order, without a gap").toBe(next);
      next += 1;
    } else {
      const isExplained = before.isLate || endsMs.some((endMs) => endMs >= before.atMs && endMs <= one.atMs);
      expect(isExplained, `event ${one.n} was told at ${before.atMs} and again at ${one.atMs}`).toBe(true);
    }
    last.set(one.n, one);
  }
  expect(next, "every event").toBe(sent);
  return taken.length - next;
}

describe.each(seedsOf("WEBHOOK_SEEDS", "1"))(`${HOURS} hours with seed %i`, (seed) => {
  test("tells each webhook every event in order, and twice only what a timeout or an end explains", async () => {
    const house = new HookWorld(seed);
    const random = house.world.random.fork("day");
    const endMs = house.clock.monotonicMs() + HOURS * HOUR;
    let isGood = false;
    const receivers = ["a", "b", "c"].map((name, at) => house.receiver(`${name}.example`, `93.184.216.${at + 1}`));
    const taken = receivers.map((receiver, at) => watch(receiver, random.fork(`receiver ${at}`), () => isGood));
    const ends: number[] = [];
    let kills = 0;
    await house.start();
    for (const name of ["a", "b", "c"]) await house.create({ url: `https://${name}.example/` });
    while (house.clock.monotonicMs() < endMs) {
      await house.pass(random.between(10, 8 * MINUTE));
      if (random.isChance(0.15)) await house.tellMany(random.below(150));
      else await house.tell();
      // At awkward moments: as the commit is acknowledged, as a delivery is under way.
      if (!random.isChance(0.1)) continue;
      await house.pass(random.pick([0, 1, 20, 60, 200, 3_000]));
      if (random.isChance(0.5)) {
        house.kill();
        kills += 1;
      } else await house.stop();
      ends.push(house.clock.monotonicMs());
      await house.pass(random.pick([100, 10 * SECOND, 10 * MINUTE]));
      await house.start();
    }
    isGood = true;
    await house.pass(5 * HOUR);
    expect(kills).toBeGreaterThan(0);
    const repeats = taken.reduce((sum, one) => sum + check(one, house.sent, ends), 0);
    expect(repeats).toBeGreaterThan(0);
    for (const receiver of receivers) {
      for (const events of receiver.deliveries) expect(events.length).toBeLessThanOrEqual(100);
    }
    expect(house.run.process.resources.timers).toBeLessThan(50);
    await house.stop();
  });
});

test("a backlog beyond the bound is delivered from its newest 10,000 events on", async () => {
  const house = new HookWorld();
  const receiver = house.receiver();
  receiver.answer = () => ({ status: 503 });
  await house.start();
  await house.create();
  for (let times = 0; times < 12; times += 1) await house.tellMany(1_000);
  await house.pass(10 * MINUTE);
  const before = receiver.requests.length;
  receiver.answer = () => ({ status: 200 });
  await house.pass(HOUR);
  const numbers = receiver.deliveries
    .slice(before)
    .flat()
    .flatMap(({ n }) => (n === undefined ? [] : [n]));
  expect(numbers).toHaveLength(10_000);
  expect([numbers[0], numbers.at(-1)]).toEqual([2_000, 11_999]);
  expect(numbers.every((n, at) => at === 0 || n === (numbers[at - 1] ?? 0) + 1)).toBe(true);
  await house.stop();
});

test("events that the journal itself had to let go are counted, and the rest is told", async () => {
  const house = new HookWorld();
  const receiver = house.receiver();
  receiver.answer = () => ({ status: 503 });
  await house.start();
  await house.create({ events: ["user:charger:updated"] });
  await house.tell("user:charger:updated");
  // Twice the size that the journal may have; it is compressed, so the filler is one that cannot be.
  const filler = Array.from({ length: 120 }, () => house.world.random.uuid()).join("");
  for (let times = 0; times < 14; times += 1) await house.tellMany(1_000, filler);
  const last = await house.tell("user:charger:updated");
  await house.pass(10 * MINUTE);
  receiver.answer = () => ({ status: 200 });
  await house.pass(HOUR);
  expect(receiver.numbers.at(-1)).toBe(last);
  expect(receiver.heartbeats.some(({ pendingEvents = 0 }) => pendingEvents > 5_000)).toBe(true);
  await house.stop();
}, 300_000);
