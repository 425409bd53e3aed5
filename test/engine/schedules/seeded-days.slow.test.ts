/** Days under a schedule in which anything may happen, from seeds. */
import { describe, expect, it } from "vitest";
import type { ChargeRule } from "../../../src/domain/schedules/schedule.ts";
import { SeededRandom } from "../../../src/testing/index.ts";
import { countedExpect } from "../../counted-expect.ts";
import { overrideBreaches } from "../../long-run/invariants/override-peace.ts";
import { seedsOf } from "../../long-run/seeds.ts";
import { makeChargeSchedule, ScheduleHouse } from "./schedule-house.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than every retry and every action's window. */
const CALM_MS = 40 * MINUTE_MS;
/** Around both changes of the clock. */
const STARTS = ["2026-03-27T09:00:00Z", "2026-10-23T09:00:00Z"];

const RULES: readonly ChargeRule[] = [
  { hourMinute: { from: "22:00", to: "06:00" }, shouldCharge: true },
  { hourMinute: { from: "02:15", to: "03:30" }, weekdays: [5, 6], shouldCharge: false },
  { hourMinute: { from: "12:00", to: "14:30" }, weekdays: [0, 1, 2, 3, 4], shouldCharge: true },
];

const EVENTS = [
  "plug",
  "unplug",
  "override",
  "end-override",
  "kill",
  "restart",
  "dead",
  "alive",
  "deaf",
  "by-hand",
] as const;
type Event = (typeof EVENTS)[number];

describe.each(seedsOf("SCHEDULE_SEEDS", "1,2"))("days of seed %i", (seed) => {
  it("come to rest as expected after whatever happens, with no command while overridden", {
    timeout: 60_000,
  }, async () => {
    const random = new SeededRandom(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random.next() * items.length)] as Item;
    const house = new ScheduleHouse(STARTS[seed % 2] ?? "", seed);
    const charger = house.addCharger("charger", { pollMs: 60_000 });
    const follow = charger.onWrite;
    await house.start();
    await using _ = house;
    const locationId = await house.locate("Europe/Berlin");
    const targetId = house.idOf("charger");
    await house.settled(house.run.engine.services.locations.assign("charger", targetId, locationId));
    const { id } = await house.create(makeChargeSchedule({ targetId, locationId, rules: [...RULES] }));

    const happen: Readonly<Record<Event, () => Promise<void> | void>> = {
      plug: () => {
        if (charger.values["charger.state"] === "UNPLUGGED") charger.show("charger.state", "PLUGGED_IN:STOPPED");
      },
      unplug: () => charger.show("charger.state", "UNPLUGGED"),
      override: async () => {
        const { smartOverrides } = house.run.engine.services;
        await house.settled(smartOverrides.start("charger", targetId).catch(() => null));
      },
      "end-override": async () => {
        await house.settled(house.run.engine.services.smartOverrides.end("charger", targetId));
      },
      kill: async () => {
        house.kill();
        await house.pass(random.next() * 3 * HOUR_MS);
        await house.start();
      },
      restart: async () => {
        await house.stop();
        await house.pass(random.next() * 3 * HOUR_MS);
        await house.start();
      },
      dead: () => {
        charger.isUp = false;
      },
      alive: () => {
        charger.isUp = true;
      },
      deaf: () => {
        charger.onWrite = () => undefined;
      },
      "by-hand": () => {
        if (charger.values["charger.state"] === "UNPLUGGED") return;
        follow("charger.enabled", charger.values["charger.enabled"] !== true);
      },
    };

    const expectAligned = countedExpect();
    for (let turn = 0; turn < 25; turn += 1) {
      const event = pick(EVENTS);
      await happen[event]();
      await house.pass(random.next() * 4 * HOUR_MS);
      // Whatever was broken works again, and stays so for a while.
      charger.isUp = true;
      charger.onWrite = follow;
      await house.pass(CALM_MS);
      await house.pass(untilQuiet(house, id));
      const status = house.chargeStatus(id);
      expect([status.state, `${seed}: ${event} at ${house.now}`]).toEqual([
        expect.stringMatching(/^(ALIGNED|INACTIVE:OVERRIDDEN)$/),
        expect.anything(),
      ]);
      const isCharging = charger.values["charger.state"] === "PLUGGED_IN:CHARGING";
      expect(status.isCharging).toBe(isCharging);
      if (status.state === "ALIGNED") expectAligned(isCharging).toBe(status.isChargingExpected);
    }
    expectAligned.wasCalled();
    const own = house.run.store.all("action").filter(({ origin }) => origin === "schedule");
    expect(own.length).toBeGreaterThan(2);
    expect(own.filter(({ action }) => action.state === "PENDING")).toEqual([]);
    const commands = own.map(({ action, createdAtMs }) => {
      const { id: actionId, targetId: target } = action;
      return { id: actionId, targetId: target, origin: "schedule", createdAtMs } as const;
    });
    const overrides = house.run.store.all("override").map(({ override }) => override);
    expect(overrideBreaches(commands, overrides)).toEqual([]);
  });
});

/** Past a transition that is due just now, ms. */
function untilQuiet(house: ScheduleHouse, id: string): number {
  const [next] = house.chargeStatus(id).upcomingTransitions;
  const leftMs = next === undefined ? HOUR_MS : Date.parse(next.at) - Date.parse(house.now);
  return leftMs < MINUTE_MS ? leftMs + 2 * MINUTE_MS : 0;
}
