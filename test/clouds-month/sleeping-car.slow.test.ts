/** A car that sleeps at its plug, behind its maker's cloud: the gateway lets it rest, and still has it. */
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../src/domain/duration.ts";
import { World } from "../../src/testing/world.ts";
import { field } from "../long-run/json-fields.ts";
import { TeslaTwin } from "../twins/clouds/tesla-twin.ts";
import { cloudBox } from "./cloud-box.ts";
import { teslaEstate } from "./estates/oauth.ts";
import { Homeowner } from "./homeowner.ts";
import { Internet } from "./internet.ts";
import { assetOf } from "./shown.ts";
import { Vendor } from "./vendor.ts";

const CAR = { kind: "vehicle" } as const;

/** What changes seldom, and costs as much as a reading. */
function isFoundOut(path: string): boolean {
  return /\/(?:region|products|fleet_status)$/.test(path);
}

/** Plugged in and paused, and asleep for an hour; linked when it was awake, or when it slept. */
async function atRest({ wasAwake = true } = {}) {
  const world = new World({ seed: 1 });
  const vendor = new Vendor(teslaEstate(world.clock, world.random.fork("estate")), world.clock);
  new Internet(world.web, world.webSockets).join(vendor);
  const { twin } = vendor.estate;
  const car = twin instanceof TeslaTwin ? twin.vehicles[0] : undefined;
  if (car === undefined || !(twin instanceof TeslaTwin)) throw new Error("the estate has no car");
  Object.assign(car, { chargingState: "Stopped", level: 57 });
  if (wasAwake) twin.wake(car);
  const box = cloudBox(world);
  const owner = new Homeowner(world, box);
  await box.start();
  await owner.join();
  await owner.link(vendor);
  await world.clock.advance(90 * MINUTE_MS);
  expect(car.power).toBe("asleep");
  return {
    car,
    world,
    shown: () => assetOf(box.running!.gateway.engine, vendor, CAR)!,
    asked: () => twin.asked.splice(0).map(({ url }) => url.pathname),
    wakes: () => twin.asked.filter(({ url }) => url.pathname.endsWith("/wake_up")).length,
    tell: (path: string, body: object, id: string) => owner.command(vendor, { ...CAR, path, body }, id),
    action: async (id: string) => field((await owner.ask("GET", `/vehicles/actions/${id}`))?.body, "state"),
    async restart(): Promise<void> {
      await box.stop();
      await box.start();
      await world.clock.advance(5 * MINUTE_MS);
    },
  };
}

test("a sleeping car is in reach after a restart, with what it told before it fell asleep", async () => {
  const { car, shown, restart, wakes } = await atRest();
  const told = { batteryLevel: 57, isPluggedIn: true, isCharging: false, maxCurrent: 10 };
  const before = shown();
  expect(before).toMatchObject({ isReachable: true, chargeState: told });
  await restart();
  expect(shown()).toMatchObject({ isReachable: true, chargeState: told });
  const [toldAtMs, shownAtMs] = [before, shown()].map((asset) => {
    return Date.parse(String(field(asset, "chargeState", "lastUpdated")));
  });
  expect(Math.abs(Number(shownAtMs) - Number(toldAtMs))).toBeLessThan(1_000);
  expect([car.power, wakes()]).toEqual(["asleep", 0]);
});

test("a sleeping car is opened after a restart with what was found out before it", async () => {
  const { asked, restart } = await atRest();
  expect(asked().filter(isFoundOut)).not.toEqual([]);
  await restart();
  const since = asked();
  expect(since.filter(isFoundOut)).toEqual([]);
  expect(since).not.toEqual([]);
});

test("a car that has slept since it was linked is in reach, and nothing is known of it", async () => {
  const { car, shown, wakes } = await atRest({ wasAwake: false });
  expect(shown()).toMatchObject({ isReachable: true, chargeState: { batteryLevel: null, isPluggedIn: null } });
  expect([car.power, wakes()]).toEqual(["asleep", 0]);
});

test.each([
  ["before", false],
  ["after", true],
])("a sleeping car is woken by a command %s a restart, and charges", async (_when, isRestarted) => {
  const { car, world, shown, restart, tell, action, wakes } = await atRest();
  if (isRestarted) await restart();
  const id = await tell("charging", { action: "START" }, shown().id);
  await world.clock.advance(2 * MINUTE_MS);
  expect([await action(id ?? ""), car.chargingState, wakes()]).toEqual(["CONFIRMED", "Charging", 1]);
});
