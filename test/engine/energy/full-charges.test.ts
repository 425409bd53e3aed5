/** When a battery counts as full, and since when its days are counted. */
import { expect, test } from "vitest";
import type { BatteryView } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import { FullCharges } from "../../../src/engine/energy/plan/full-charges.ts";
import type { FullChargeRecord } from "../../../src/store/records/energy.ts";
import type { Write } from "../../../src/store/records.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { makeBattery, makeMeter } from "../../domain/energy/makers.ts";
import { HOUR, MINUTE } from "./energy-house.ts";

const DAY = 24 * HOUR;
const ID = "battery";

function counted() {
  const clock = new VirtualClock();
  const records = new Map<string, FullChargeRecord>();
  const store = {
    get: (_table: string, key: string) => records.get(key) ?? null,
    all: () => [...records.values()],
    commitAlong: (writes: readonly Write[]) => {
      for (const write of writes)
        if ("put" in write && write.table === "full-charge") records.set(write.key, write.put);
    },
  };
  const charges = new FullCharges({ clock, store: store as never });
  const show = (shown: Partial<BatteryView>, gridW = 500) => {
    charges.note({ batteries: [makeBattery({ id: ID, ...shown })], grid: makeMeter({ powerW: gridW }) });
  };
  const isDue = () => charges.dueBy(ID) !== null;
  return { clock, charges, show, isDue };
}

test("The days of a battery count from its first reading, and again from each full charge", async () => {
  const { clock, show, isDue } = counted();
  show({ soc: null });
  await clock.advance(11 * DAY);
  expect(isDue()).toBe(false);
  show({ soc: 50 });
  await clock.advance(10 * DAY - MINUTE);
  expect(isDue()).toBe(false);
  await clock.advance(MINUTE);
  expect(isDue()).toBe(true);
  show({ soc: 98.9 });
  expect(isDue()).toBe(true);
  show({ soc: 99 });
  expect(isDue()).toBe(false);
  await clock.advance(10 * DAY);
  expect(isDue()).toBe(true);
});

test("A battery that takes no power from 97 % on is full by its own measure, and one that stops lower is let go for a day", async () => {
  const { clock, show, isDue } = counted();
  show({ soc: 50 });
  await clock.advance(10 * DAY);
  const stopsAt = async (soc: number, shown: Partial<BatteryView>, gridW?: number) => {
    show({ soc, ...shown }, gridW);
    await clock.advance(10 * MINUTE);
    show({ soc, ...shown }, gridW);
  };
  await stopsAt(97.5, { mode: "SELF_RELIANCE", powerW: 0 }, -50);
  await stopsAt(97.5, { mode: "IMPORT_FOCUS", powerW: 1_000 });
  expect(isDue()).toBe(true);
  await stopsAt(95, { mode: "IMPORT_FOCUS", powerW: 0 });
  expect(isDue()).toBe(false);
  await clock.advance(DAY);
  expect(isDue()).toBe(true);
  show({ soc: 97.5, mode: "IDLE", powerW: 0 });
  await stopsAt(97.5, { mode: "SELF_RELIANCE", powerW: 0 }, -2_000);
  await clock.advance(2 * DAY);
  expect(isDue()).toBe(false);
});

test("A clock that is not right counts no days, and a count of the future begins again", async () => {
  const { clock, show, isDue } = counted();
  clock.setQuality("unset");
  show({ soc: 50 });
  clock.setQuality("synced");
  await clock.advance(11 * DAY);
  expect(isDue()).toBe(false);
  clock.setWallMs(clock.nowMs() + 400 * DAY);
  show({ soc: 50 });
  clock.setWallMs(clock.nowMs() - 400 * DAY);
  show({ soc: 50 });
  await clock.advance(10 * DAY);
  expect(isDue()).toBe(true);
});

test("The count of a battery goes with the battery", () => {
  const { charges, show } = counted();
  show({ soc: 50 });
  const removed = (id: string) => charges.forget({ kind: "assets", assetIds: new Set([id]) });
  expect(removed("another")).toEqual([]);
  expect(removed(ID)).toEqual([{ table: "full-charge", key: ID, remove: true }]);
});
