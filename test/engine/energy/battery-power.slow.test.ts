/** A battery that is charged with a power from the grid: its records, its end in all cases, and somebody who interferes. */
import { expect, test } from "vitest";
import type { SiteConnection } from "../../../src/domain/energy/site/site-connection.ts";
import type { OperationMode } from "../../../src/points/points.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { batteryOptions, type Run } from "../home.ts";
import { type EnergyHouse, energyHouse, MINUTE, SECOND } from "./energy-house.ts";

const VOLTS = 230;
const MODES = ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS", "IDLE"] as const;

interface PowerHouse extends EnergyHouse {
  readonly battery: FakeDevice;
  /** What the plan wants. */
  readonly plan: { mode: OperationMode | null; watts: number | null };
}

function powerHouse(site: Partial<SiteConnection> = {}, holdMs: number | null = MINUTE): PowerHouse {
  const plan: PowerHouse["plan"] = { mode: "IMPORT_FOCUS", watts: 2_000 };
  const sources = { plannedMode: () => plan.mode, plannedPower: () => plan.watts };
  const house = energyHouse(site, sources, { isOn: false });
  house.world.isPlugged = false;
  const { values, controls: _modeOnly, ...options } = batteryOptions();
  const battery = house.home.add("battery", {
    ...options,
    values: { ...values, "battery.power": 0, "battery.powerSetpoint": 0 },
    controls: [
      { point: "battery.mode", values: MODES, holdMs, safeDefault: "SELF_RELIANCE" },
      { point: "battery.powerSetpoint", range: { min: -5_000, max: 5_000 }, holdMs: null, safeDefault: 0 },
    ],
  });
  return { ...house, battery, plan };
}

function shown({ battery }: PowerHouse): readonly unknown[] {
  return [battery.values["battery.mode"], battery.values["battery.powerSetpoint"]];
}

function leases(run: Run): readonly unknown[] {
  const records = run.store.all("lease").filter(({ point }) => point.startsWith("battery."));
  return records.map(({ point, revertTo, origin }) => [point, revertTo, origin]).toSorted();
}

function stateOf(run: Run) {
  const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
  return run.engine.services.energy.device(id);
}

const HELD = [
  ["battery.mode", "SELF_RELIANCE", "energy"],
  ["battery.powerSetpoint", 0, "energy"],
];

/** What was written since a moment, in order, without what was only renewed. */
function order({ calls }: FakeDevice, from = 0): readonly string[] {
  const writes = calls.slice(from).flatMap(({ point, value }) => (value === undefined ? [] : [`${point} ${value}`]));
  return writes.filter((write, i) => write !== writes[i - 1]);
}

test("A planned charge is written power first, with a record of each on disk, and /local/energy shows power and reason", async () => {
  const house = powerHouse();
  const run = await house.start();
  await house.advance(MINUTE);
  expect(shown(house)).toEqual(["IMPORT_FOCUS", 2_000]);
  expect(order(house.battery).slice(-2)).toEqual(["battery.powerSetpoint 2000", "battery.mode IMPORT_FOCUS"]);
  expect(house.battery.written("battery.powerSetpoint")).toEqual([2_000]);
  expect(leases(run)).toEqual(HELD);
  expect(stateOf(run)).toMatchObject({ setpointKw: 2, isControlled: true, reason: { code: "plan" } });
  await run.close();
  expect(shown(house)).toEqual(["SELF_RELIANCE", 0]);
});

test("A battery that stays still is not shown with the power that it was commanded", async () => {
  const house = powerHouse();
  house.battery.onWrite = (point, value) => {
    if (point === "battery.powerSetpoint") house.battery.show(point, value);
  };
  const run = await house.start();
  await house.advance(MINUTE);
  expect(house.battery.written("battery.mode")).toContain("IMPORT_FOCUS");
  expect(shown(house)[0]).not.toBe("IMPORT_FOCUS");
  expect(stateOf(run)).toMatchObject({ setpointKw: null });
  await run.close();
});

test("When the plan ends the mode is given back before the power, and no record is left", async () => {
  const house = powerHouse();
  const run = await house.start();
  await house.advance(MINUTE);
  const from = house.battery.calls.length;
  house.plan.mode = null;
  await house.advance(2 * MINUTE);
  expect(order(house.battery, from)).toEqual(["battery.mode SELF_RELIANCE", "battery.powerSetpoint 0"]);
  expect(leases(run)).toEqual([]);
  expect(stateOf(run)).toMatchObject({ setpointKw: null });
  await run.close();
});

test.each(["a stop", "the end of the plan", "a lapse and a restart"] as const)(
  "A number that somebody left on the battery does not stay behind either: after %s it is in SELF_RELIANCE with 0 W",
  async (how) => {
    const house = powerHouse();
    house.battery.show("battery.powerSetpoint", 3_100);
    const run = await house.start();
    await house.advance(MINUTE);
    expect(shown(house)).toEqual(["IMPORT_FOCUS", 2_000]);
    const from = house.battery.calls.length;
    house.plan.mode = null;
    if (how === "the end of the plan") await house.advance(2 * MINUTE);
    if (how === "a lapse and a restart") {
      run.process.kill();
      house.home.disk.crash();
      await house.advance(2 * MINUTE);
      const next = await house.start();
      await house.advance(5 * MINUTE);
      expect(leases(next)).toEqual([]);
      await next.close();
    } else await run.close();
    expect(shown(house)).toEqual(["SELF_RELIANCE", 0]);
    expect(order(house.battery, from).at(-1)).toBe("battery.powerSetpoint 0");
  },
);

test("A load that comes on lowers the power and not the mode, and a limit is what /local/energy says", async () => {
  const house = powerHouse({ importKw: 4 });
  const run = await house.start();
  // The meter of the house shows the battery too.
  const follow = (): void => {
    const isForced = house.battery.values["battery.mode"] === "IMPORT_FOCUS";
    const watts = isForced ? Number(house.battery.values["battery.powerSetpoint"]) : 0;
    house.battery.show("battery.power", watts);
    house.world.loadA = (loadW + watts) / 3 / VOLTS;
    house.home.world.clock.timer(SECOND, follow);
  };
  let loadW = 500;
  follow();
  await house.advance(MINUTE);
  expect(shown(house)).toEqual(["IMPORT_FOCUS", 2_000]);
  loadW = 3_000;
  const from = house.battery.calls.length;
  await house.advance(MINUTE);
  expect(shown(house)).toEqual(["IMPORT_FOCUS", 900]);
  expect(stateOf(run)).toMatchObject({ setpointKw: 0.9, reason: { code: "contract" } });
  // The mode is only renewed, as its timer asks for.
  const writes = order(house.battery, from).filter((write) => write !== "battery.mode IMPORT_FOCUS");
  expect(writes.length).toBeLessThanOrEqual(2);
  expect(writes.at(-1)).toBe("battery.powerSetpoint 900");
  house.meter.isUp = false;
  await house.advance(2 * MINUTE);
  expect(shown(house)).toEqual(["SELF_RELIANCE", 0]);
  await run.close();
});

test("After a crash the battery's own timer ends the charge, and the next start leaves no record of it", async () => {
  const house = powerHouse();
  const run = await house.start();
  await house.advance(MINUTE);
  run.process.kill();
  house.home.disk.crash();
  await house.advance(2 * MINUTE);
  expect(house.battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  house.plan.mode = null;
  const next = await house.start();
  await house.advance(5 * MINUTE);
  expect(shown(house)).toEqual(["SELF_RELIANCE", 0]);
  expect(leases(next)).toEqual([]);
  await next.close();
});

test("A battery without a timer that a crash left charging is given back by the next start, mode first", async () => {
  const house = powerHouse({}, null);
  const run = await house.start();
  await house.advance(MINUTE);
  run.process.kill();
  house.home.disk.crash();
  await house.advance(10 * MINUTE);
  expect(shown(house)).toEqual(["IMPORT_FOCUS", 2_000]);
  const from = house.battery.calls.length;
  house.plan.mode = null;
  const next = await house.start();
  await house.advance(5 * MINUTE);
  expect(order(house.battery, from)).toEqual(["battery.mode SELF_RELIANCE", "battery.powerSetpoint 0"]);
  expect(leases(next)).toEqual([]);
  await next.close();
});

test("A start whose plan still charges takes the charge up again, with its power", async () => {
  const house = powerHouse();
  const run = await house.start();
  await house.advance(MINUTE);
  run.process.kill();
  house.home.disk.crash();
  const next = await house.start();
  await house.advance(2 * MINUTE);
  expect(shown(house)).toEqual(["IMPORT_FOCUS", 2_000]);
  expect(leases(next)).toEqual(HELD);
  house.plan.mode = null;
  await house.advance(2 * MINUTE);
  expect(shown(house)).toEqual(["SELF_RELIANCE", 0]);
  expect(leases(next)).toEqual([]);
  await next.close();
});

test("A power that another manager sets stays: ours is let go, and it is told as a conflict", async () => {
  const house = powerHouse();
  const run = await house.start();
  await house.advance(MINUTE);
  house.battery.show("battery.powerSetpoint", 4_000);
  await house.advance(30 * SECOND);
  expect(house.battery.written("battery.powerSetpoint")).toEqual([2_000]);
  const conflicts = run.store.all("finding").filter(({ finding }) => finding.check === "control");
  expect(conflicts.map(({ finding }) => finding.change)).toMatchObject([
    { point: "battery.powerSetpoint", held: 2_000, found: 4_000 },
  ]);
  expect(leases(run)).not.toContainEqual(HELD[1]);
  house.plan.mode = null;
  await house.advance(2 * MINUTE);
  expect(house.battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  expect(house.battery.values["battery.powerSetpoint"]).toBe(4_000);
  expect(leases(run)).toEqual([]);
  await run.close();
});

test("A mode that another manager sets stays, and ours lets go of the power too, while the plan still wants to charge", async () => {
  const house = powerHouse({}, null);
  const run = await house.start();
  await house.advance(MINUTE);
  house.battery.show("battery.mode", "EXPORT_FOCUS");
  await house.advance(2 * MINUTE);
  expect(shown(house)).toEqual(["EXPORT_FOCUS", 0]);
  expect(leases(run)).toEqual([]);
  expect(stateOf(run)).toMatchObject({ setpointKw: null });
  await run.close();
  expect(shown(house)).toEqual(["EXPORT_FOCUS", 0]);
});

test("A battery that stays in a forced mode is written to until it leaves it: nobody else has set that mode", async () => {
  const house = powerHouse({}, null);
  const run = await house.start();
  await house.advance(MINUTE);
  expect(shown(house)[0]).toBe("IMPORT_FOCUS");
  const { onWrite } = house.battery;
  house.battery.onWrite = () => undefined;
  house.plan.mode = null;
  await house.advance(5 * MINUTE);
  expect(shown(house)[0]).toBe("IMPORT_FOCUS");
  house.battery.onWrite = onWrite;
  await house.advance(6 * MINUTE);
  expect(shown(house)).toEqual(["SELF_RELIANCE", 0]);
  expect(leases(run)).toEqual([]);
  await run.close();
});
