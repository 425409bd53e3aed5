/** Reads that somebody waits for, of devices behind a cloud: through the engine, the kit and the simulated web. */
import { describe, expect, test } from "vitest";
import type { ReadFailure } from "../../../../src/engine/contracts/engine.ts";
import { linkedByForm, type Run } from "./linked-life.ts";
import { sunny } from "./sunny.ts";
import { type SunnyHouse, sunnyHouse } from "./sunny-house.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function chargerOf(run: Run): string {
  return run.engine.assets.list("charger")[0]?.asset.id ?? "";
}

function readNow(house: SunnyHouse, run: Run): Promise<ReadFailure | null> {
  return house.home.world.clock.resolve(run.engine.readNow("charger", chargerOf(run)), MINUTE);
}

/** Asks a thousand times in a minute, and answers what the answers were. */
async function hammer(house: SunnyHouse, run: Run): Promise<ReadonlySet<ReadFailure | null>> {
  const answers = new Set<ReadFailure | null>();
  for (let count = 0; count < 1_000; count += 1) {
    void run.engine.readNow("charger", chargerOf(run)).then((failure) => answers.add(failure));
    await house.pass(MINUTE / 1_000);
  }
  return answers;
}

/** A house with one charger, whose vendor allows so many requests a day. */
function limitedTo(limit: number): SunnyHouse {
  const [day] = sunny("form").budgets;
  return sunnyHouse("form", { budgets: [{ ...day!, limit, reserved: { command: 2, login: 1 } }] });
}

describe("a read of a device behind a cloud that somebody waits for", () => {
  test("shows what the vendor says now", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house, ["sunny:c-1"]);
    await house.pass(31_000);
    house.twin.chargers["c-1"]!.amps = 8;
    expect(await readNow(house, run)).toBeNull();
    expect(run.engine.assets.get("charger", chargerOf(run))?.chargeState.maxCurrent).toBe(8);
    await run.close();
  });

  test("asked for 1,000 times in a minute sends a few requests", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house, ["sunny:c-1"]);
    await house.pass(MINUTE);
    const before = house.twin.asked.length;
    expect(await hammer(house, run)).toEqual(new Set([null]));
    expect(house.twin.asked.length - before).toBeLessThanOrEqual(3);
    await run.close();
  });

  test("never sends more than the budget has for polls, and says that the vendor's limit is reached", async () => {
    const house = limitedTo(40);
    const run = await linkedByForm(house, ["sunny:c-1"]);
    const answers: (ReadFailure | null)[] = [];
    for (let asked = 0; asked < 6 * 60; asked += 1) {
      answers.push(await readNow(house, run));
      await house.pass(MINUTE);
    }
    await hammer(house, run);
    // What is kept for commands and the login stays.
    expect(house.twin.asked.length).toBeLessThanOrEqual(40 - 2);
    expect(new Set(answers)).toEqual(new Set([null, "rate-limited"]));
    await run.close();
  });

  test("that finds nothing left in the budget says so", async () => {
    const house = limitedTo(6);
    const run = await linkedByForm(house, ["sunny:c-1"]);
    await house.pass(12 * HOUR);
    const before = house.twin.asked.length;
    expect(await readNow(house, run)).toBe("rate-limited");
    expect(await hammer(house, run)).toEqual(new Set(["rate-limited"]));
    expect(house.twin.asked.length - before).toBeLessThanOrEqual(1);
    await run.close();
  });

  test.each([
    ["down", "unavailable"],
    ["limited", "rate-limited"],
    ["hang", "timeout"],
    ["portal", "unavailable"],
  ] as const)("of a vendor that is %s fails in bounded time, as %s, until it is well", async (trouble, failure) => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house, ["sunny:c-1"]);
    await house.pass(MINUTE);
    house.twin.trouble = trouble;
    // What was read half a minute ago is current.
    await house.pass(MINUTE);
    const answers: (ReadFailure | null)[] = [];
    for (let asked = 0; asked < 10; asked += 1) {
      const startMs = house.home.world.clock.monotonicMs();
      answers.push(await readNow(house, run));
      expect(house.home.world.clock.monotonicMs() - startMs).toBeLessThanOrEqual(20_000);
      await house.pass(MINUTE);
    }
    expect(new Set(answers)).toEqual(new Set([failure]));
    house.twin.trouble = null;
    await house.pass(HOUR);
    expect(await readNow(house, run)).toBeNull();
    await run.close();
  });

  test("of a login that was taken back is refused at once, and asks nothing", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house, ["sunny:c-1"]);
    house.twin.password = "rain";
    house.twin.desk.revokeAll();
    await house.pass(10 * MINUTE);
    const before = house.twin.asked.length;
    expect(await hammer(house, run)).toEqual(new Set(["unauthorized"]));
    expect(house.twin.asked.length - before).toBeLessThanOrEqual(2);
    await run.close();
  });
});
