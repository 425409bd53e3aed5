import { describe, expect, it } from "vitest";
import { FrozenWatch } from "../../firmware-bridges/kit/frozen-watch.ts";

/** Twenty rounds of 15 s; answers whether the point counts as frozen at the end. */
function atTheEnd(round: (watch: FrozenWatch, index: number, nowMs: number) => boolean): boolean {
  const watch = new FrozenWatch();
  let isFrozen = false;
  for (let index = 0; index < 20; index += 1) isFrozen = round(watch, index, index * 15_000);
  return isFrozen;
}

describe("a value that stands still", () => {
  it("is frozen while others move", () => {
    const isFrozen = atTheEnd((watch, index, nowMs) => {
      watch.isFrozen("meter.power.l2", 900 + index, nowMs);
      return watch.isFrozen("meter.power.l1", 812.3, nowMs);
    });
    expect(isFrozen).toBe(true);
  });

  it("is not frozen when nothing else moves", () => {
    const isFrozen = atTheEnd((watch, _index, nowMs) => {
      watch.isFrozen("meter.power.l2", 900, nowMs);
      return watch.isFrozen("meter.power.l1", 812.3, nowMs);
    });
    expect(isFrozen).toBe(false);
  });

  it.each([
    ["meter.power.l1", 0],
    ["meter.power.l1", 12],
    ["meter.voltage.l1", 230],
    ["meter.frequency", 50.01],
    ["meter.energyImport", 1_234_567],
    ["inverter.powerLimit", 100],
    ["battery.soc", 99.5],
    ["charger.state", "PLUGGED_IN:STOPPED"],
  ] as const)("%s %s may do so", (point, value) => {
    const isFrozen = atTheEnd((watch, index, nowMs) => {
      watch.isFrozen("meter.power.l2", 900 + index, nowMs);
      return watch.isFrozen(point, value, nowMs);
    });
    expect(isFrozen).toBe(false);
  });

  it("is no more when it moves", () => {
    const isFrozen = atTheEnd((watch, index, nowMs) => {
      watch.isFrozen("meter.power.l2", 900 + index, nowMs);
      return watch.isFrozen("meter.power.l1", index < 19 ? 812.3 : 812.4, nowMs);
    });
    expect(isFrozen).toBe(false);
  });
});
