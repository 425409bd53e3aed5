/** Which hours count as curtailed. */
import { expect, test } from "vitest";
import type { InverterView } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import { CurtailedHours } from "../../../src/engine/energy/plan/curtailed-hours.ts";
import type { CurtailedHoursRecord } from "../../../src/store/records/forecast.ts";
import type { Write } from "../../../src/store/records.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { makeInverter } from "../../domain/energy/makers.ts";
import { HOUR } from "./energy-house.ts";

function noted() {
  const clock = new VirtualClock();
  let record: CurtailedHoursRecord | null = null;
  let writes = 0;
  const store = {
    get: () => record,
    commitAlong: ([write]: readonly Write[]) => {
      if (write === undefined || !("put" in write) || write.table !== "curtailed-hours") return;
      record = write.put;
      writes += 1;
    },
  };
  const hours = new CurtailedHours({ clock, store: store as never });
  const show = (shown: Partial<InverterView>) => hours.note({ inverters: [makeInverter(), makeInverter(shown)] });
  return { clock, show, counted: () => record?.startsMs.length ?? 0, writes: () => writes };
}

test.each<readonly [string, Partial<InverterView>, number]>([
  ["at its limit", { limitPct: 60, powerW: 5_900 }, 1],
  ["above its limit", { limitPct: 60, powerW: 7_000 }, 1],
  ["far below its limit: the sun gives no more", { limitPct: 60, powerW: 3_000 }, 0],
  ["without a limit", { limitPct: 100, powerW: 9_900 }, 0],
  ["whose limit is not known", { limitPct: null, powerW: 9_900 }, 0],
  ["of an unknown rated power, limited", { limitPct: 60, powerW: 3_000, ratedW: null }, 1],
  ["at night, limited to nothing", { limitPct: 0, powerW: 0 }, 0],
  ["that is silent", { limitPct: 60, powerW: null }, 0],
])("An hour with an inverter %s", (_name, shown, counted) => {
  const house = noted();
  house.show(shown);
  expect(house.counted()).toBe(counted);
});

test("An hour is written once, and forgotten after two weeks", async () => {
  const { clock, show, counted, writes } = noted();
  for (let i = 0; i < 10; i += 1) show({ limitPct: 60, powerW: 6_000 });
  expect([counted(), writes()]).toEqual([1, 1]);
  for (let hour = 0; hour < 20 * 24; hour += 1) {
    await clock.advance(HOUR);
    show({ limitPct: 60, powerW: 6_000 });
  }
  expect(counted()).toBe(14 * 24 + 1);
});
