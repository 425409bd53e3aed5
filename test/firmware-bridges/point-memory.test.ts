import { describe, expect, it } from "vitest";
import { PointMemory } from "../../firmware-bridges/kit/point-memory.ts";

const NEVER = (): number => Number.NEGATIVE_INFINITY;

function live(nowMs: number): { isRetained: boolean; nowMs: number } {
  return { isRetained: false, nowMs };
}

describe("the memory of points", () => {
  it("answers news once, and all when all is asked for", () => {
    const memory = new PointMemory({ everyMs: 5_000 });
    memory.tell("meter.power", 5, live(0));
    expect(memory.readings("due", 0, NEVER)).toEqual([{ point: "meter.power", value: 5 }]);
    expect(memory.readings("due", 1_000, NEVER)).toEqual([]);
    expect(memory.readings("all", 1_000, NEVER)).toEqual([{ point: "meter.power", value: 5 }]);
    memory.tell("meter.power", 5, live(2_000));
    expect(memory.readings("due", 2_000, NEVER)).toEqual([{ point: "meter.power", value: 5 }]);
  });

  it("tells once that a point is too old, three periods of its own after it came", () => {
    const memory = new PointMemory({ everyMs: 5_000, pointEveryMs: { "meter.energyImport": 60_000 } });
    memory.tell("meter.power", 5, live(0));
    memory.tell("meter.energyImport", 100, live(0));
    memory.readings("due", 0, NEVER);
    expect(memory.readings("due", 15_000, NEVER)).toEqual([]);
    expect(memory.readings("due", 15_001, NEVER)).toEqual([{ point: "meter.power", value: null }]);
    expect(memory.readings("due", 16_000, NEVER)).toEqual([]);
    expect(memory.readings("due", 180_001, NEVER)).toEqual([{ point: "meter.energyImport", value: null }]);
    memory.tell("meter.power", 6, live(181_000));
    expect(memory.readings("due", 181_000, NEVER)).toEqual([{ point: "meter.power", value: 6 }]);
  });

  it("does not let the broker's memory take the place of what came live", () => {
    const memory = new PointMemory({ everyMs: null });
    memory.tell("meter.power", 5, live(0));
    memory.tell("meter.power", 900, { isRetained: true, nowMs: 1_000 });
    expect(memory.readings("all", 1_000, NEVER)).toEqual([{ point: "meter.power", value: 5 }]);
  });

  it("gives no value from before a write for the point that was written", () => {
    const memory = new PointMemory({ everyMs: null });
    memory.tell("inverter.powerLimit", 100, live(1_000));
    memory.tell("inverter.power", 400, live(1_000));
    const sinceMs = (point: string): number => (point === "inverter.powerLimit" ? 2_000 : Number.NEGATIVE_INFINITY);
    expect(memory.readings("all", 3_000, sinceMs)).toEqual([{ point: "inverter.power", value: 400 }]);
    memory.tell("inverter.powerLimit", 40, live(4_000));
    expect(memory.readings("due", 4_000, sinceMs)).toEqual([{ point: "inverter.powerLimit", value: 40 }]);
  });
});
