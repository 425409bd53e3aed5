/** A battery that a person or the maker's app had forced before the plan took it gets that mode back, whatever ends the plan. */
import { expect, test } from "vitest";
import type { SiteConnection } from "../../../src/domain/energy/site/site-connection.ts";
import { DeviceError } from "../../../src/points/device-error.ts";
import type { OperationMode } from "../../../src/points/points.ts";
import { batteryOptions, type Run } from "../home.ts";
import { energyHouse, MINUTE, SECOND } from "./energy-house.ts";

const MODES = ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS", "IDLE"] as const;
const OWN_W = 3_100;

interface Forced {
  readonly found: OperationMode;
  readonly site?: Partial<SiteConnection>;
  readonly holdMs?: number | null;
}

function forcedHouse({ found, site = {}, holdMs = null }: Forced) {
  const plan: { mode: OperationMode | null } = { mode: null };
  const house = energyHouse(site, { plannedMode: () => plan.mode, plannedPower: () => 2_000 }, { isOn: false });
  house.world.isPlugged = false;
  const { values, controls: _modeOnly, ...options } = batteryOptions();
  const battery = house.home.add("battery", {
    ...options,
    values: { ...values, "battery.mode": found, "battery.power": 0, "battery.powerSetpoint": OWN_W },
    controls: [
      { point: "battery.mode", values: MODES, holdMs, safeDefault: "SELF_RELIANCE" },
      { point: "battery.powerSetpoint", range: { min: -5_000, max: 5_000 }, holdMs: null, safeDefault: 0 },
    ],
  });
  // As drivers do, which report more modes than they take.
  battery.onWrite = (point, value) => {
    const isMode = point !== "battery.mode" || MODES.some((mode) => mode === value);
    if (!isMode) throw new DeviceError("rejected", `the battery takes no mode ${value}`);
    battery.show(point, value);
  };
  const shown = () => [battery.values["battery.mode"], battery.values["battery.powerSetpoint"]];
  return { ...house, battery, plan, shown };
}

function leases(run: Run): readonly unknown[] {
  return run.store.all("lease").filter(({ point }) => point.startsWith("battery."));
}

const ENDS = [
  "a stop",
  "a stop while the plan ends",
  "the end of the plan",
  "a crash and a start without a plan",
] as const;
const FOUND = ["IMPORT_FOCUS", "EXPORT_FOCUS", "IDLE"] as const;
const PLANNED = ["IMPORT_FOCUS", "IDLE", "SELF_RELIANCE"] as const;
/** Modes that many batteries report and do not take. */
const REPORTED = ENDS.flatMap((end) =>
  (["TIME_OF_USE", "UNKNOWN"] as const).map((found) => ({ found, planned: "IMPORT_FOCUS", end }) as const),
);
const CASES = ENDS.flatMap((end) =>
  FOUND.flatMap((found) => PLANNED.flatMap((planned) => (planned === found ? [] : [{ found, planned, end }]))),
);

/** Returns what the battery shows after the end of a plan that had it in a mode. */
async function shownAfter({ found, planned, end }: (typeof CASES)[number] | (typeof REPORTED)[number]) {
  // A limit keeps the control cycle at work when the plan has ended.
  const house = forcedHouse({ found, site: { importKw: 20 } });
  house.plan.mode = planned;
  const run = await house.start();
  await house.advance(30 * SECOND);
  expect(house.battery.written("battery.mode")[0]).toBe(planned);
  expect(house.shown()[0]).toBe(planned);
  house.plan.mode = null;
  if (end === "a crash and a start without a plan") {
    run.process.kill();
    house.home.disk.crash();
    await house.advance(2 * MINUTE);
    const next = await house.start();
    await house.advance(2 * MINUTE);
    expect(leases(next)).toEqual([]);
    await next.close();
  } else {
    if (end === "a stop while the plan ends") await house.advance(2 * SECOND);
    if (end === "the end of the plan") await house.advance(2 * MINUTE);
    if (end === "the end of the plan" && found !== "TIME_OF_USE" && found !== "UNKNOWN")
      expect(leases(run)).toEqual([]);
    await run.close();
  }
  return house.shown();
}

test.each(CASES)(
  "A battery found in $found that a plan had in $planned is in $found again after $end",
  async (each) => {
    // No number stays behind that was written for a mode of the plan.
    const isLeft = each.found === "IDLE" && each.planned === "IMPORT_FOCUS";
    expect(await shownAfter(each)).toEqual([each.found, isLeft ? 0 : OWN_W]);
  },
);

test.each(REPORTED)(
  "A battery found in $found, which it only reports, decides by itself after $end of a forced charge",
  async (each) => {
    expect(await shownAfter(each)).toEqual(["SELF_RELIANCE", 0]);
  },
);

test("A forced mode that the device's own timer ended while the gateway was down is given back by the next start", async () => {
  const house = forcedHouse({ found: "EXPORT_FOCUS", holdMs: MINUTE });
  house.plan.mode = "IMPORT_FOCUS";
  const run = await house.start();
  await house.advance(30 * SECOND);
  house.plan.mode = null;
  run.process.kill();
  house.home.disk.crash();
  await house.advance(2 * MINUTE);
  expect(house.shown()[0]).toBe("SELF_RELIANCE");
  const next = await house.start();
  await house.advance(80 * SECOND);
  expect(house.shown()).toEqual(["EXPORT_FOCUS", OWN_W]);
  expect(leases(next)).toEqual([]);
  await next.close();
});

test("A start under a limit writes nothing to a battery that somebody forces, before the meter is read and after", async () => {
  const house = forcedHouse({ found: "EXPORT_FOCUS", site: { importKw: 20 } });
  house.meter.isUp = false;
  const run = await house.start();
  await house.advance(5 * SECOND);
  house.meter.isUp = true;
  await house.advance(MINUTE);
  expect(house.battery.written("battery.mode")).toEqual([]);
  await run.close();
  expect(house.shown()).toEqual(["EXPORT_FOCUS", OWN_W]);
});

test("A mode that was set while the device was away is what it gets back, not the one that was read before", async () => {
  const house = forcedHouse({ found: "SELF_RELIANCE" });
  const run = await house.start();
  await house.advance(10 * SECOND);
  house.battery.isUp = false;
  await house.advance(5 * SECOND);
  house.battery.show("battery.mode", "EXPORT_FOCUS");
  house.plan.mode = "IMPORT_FOCUS";
  await house.advance(10 * SECOND);
  house.battery.isUp = true;
  await house.advance(2 * MINUTE);
  expect(house.shown()[0]).toBe("IMPORT_FOCUS");
  await run.close();
  expect(house.shown()).toEqual(["EXPORT_FOCUS", OWN_W]);
});
