import { expect, test } from "vitest";
import { startSandboxHome } from "../../../adapters/simulated/sandbox-home.ts";
import { followHeat } from "../../../src/cli/sandbox/sandbox-heat.ts";
import type { PointValue } from "../../../src/points/points.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { World } from "../../../src/testing/world.ts";

test("what made-up heat pumps draw is on the sandbox's meter", async () => {
  const world = new World({ seed: 1 });
  const { clock, random } = world.boot("home", new MemoryDisk()).platform;
  const nothing = { [Symbol.asyncDispose]: async () => undefined };
  const startMs = Date.parse("2026-06-20T13:45:00Z");
  await using home = await startSandboxHome({ clock, random, serve: async () => nothing, startMs });
  let heatW: PointValue | null = null;
  const device = (adapter: string, value: PointValue | null) => ({
    adapter,
    points: [{ point: "hvac.power" as const, value, atMs: 0 }],
  });
  const end = new AbortController();
  const devices = () => [device("simulated", heatW), device("modbus", 9_000)];
  const following = followHeat({ devices, home, clock }, end.signal);
  const loadWith = async (powerW: PointValue | null): Promise<number> => {
    heatW = powerW;
    await world.clock.advance(2_000);
    const { gridW, loadW, carW, secondCarW, heaterW, acW } = home.truth();
    expect(gridW).toBeCloseTo(loadW + carW + secondCarW + heaterW - acW, 6);
    return loadW;
  };
  const before = await loadWith(null);
  expect((await loadWith(2_000)) - before).toBeGreaterThan(1_500);
  expect(Math.abs((await loadWith(0)) - before)).toBeLessThan(500);
  end.abort();
  await world.clock.resolve(following, 5_000);
});
