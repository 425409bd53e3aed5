import { describe, expect, test } from "vitest";
import { Box, SyncWorld } from "./sync-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The virtual clock begins at a full quarter of an hour. */
const QUARTERS_AN_HOUR = 4;

/** A meter that shows its minute, W, for some hours. */
async function measure(box: Box, hours: number): Promise<void> {
  const { clock } = box.world;
  for (let minute = 0; minute < hours * 60; minute += 1) {
    const atMs = clock.nowMs();
    const power = Math.floor(atMs / MINUTE) % 60;
    box.run.store.record({ deviceId: "meter", atMs, values: [{ point: "meter.power", value: power }] });
    await clock.advance(MINUTE);
  }
}

interface Quarter {
  readonly fromMs: number;
  readonly resolution: string;
  readonly devices: readonly { readonly points: Readonly<Record<string, readonly unknown[]>> }[];
}

function quarters({ memory }: SyncWorld): readonly Quarter[] {
  return memory.telemetry.map(({ payload }) => payload as Quarter);
}

describe("telemetry", () => {
  test("arrives a quarter at a time, all that was measured, once, over a power cut and a day offline", async () => {
    const world = new SyncWorld(1);
    const box = new Box(world);
    await box.start();
    await measure(box, 2);
    world.net.cut(true);
    await measure(box, 1);
    await world.clock.advance(10 * MINUTE);
    box.kill();
    await box.start();
    await world.clock.advance(24 * HOUR);
    world.net.cut(false);
    await world.clock.advance(2 * HOUR);
    const told = quarters(world);
    expect(told).toHaveLength(3 * QUARTERS_AN_HOUR);
    expect(new Set(told.map(({ fromMs }) => fromMs)).size).toBe(told.length);
    for (const { fromMs, resolution, devices } of told) {
      const first = Math.floor(fromMs / MINUTE) % 60;
      const values = Array.from({ length: 15 }, (_, index) => first + index);
      expect([resolution, devices[0]?.points]).toEqual(["full", { "meter.power": values }]);
    }
  });

  test("2.2, rule 5: what has no room is thinned to means, then left out with a gap that says when", async () => {
    const world = new SyncWorld(1);
    const box = new Box(world, undefined, { maxTelemetryBytes: 2_000 });
    await box.start();
    // The estimates of a quarter's size begin high; they are learned first.
    await measure(box, 30);
    await world.clock.advance(10 * MINUTE);
    world.net.cut(true);
    await measure(box, 24);
    const before = quarters(world).length;
    world.net.cut(false);
    await world.clock.advance(HOUR);
    const later = quarters(world).slice(before);
    const kinds = later.map(({ resolution }) => resolution);
    const firstFull = kinds.indexOf("full");
    expect(firstFull).toBeGreaterThan(0);
    expect(new Set(kinds.slice(0, firstFull))).toEqual(new Set(["quarter-hour"]));
    const mean = later[0]!.devices[0]!.points["meter.power"];
    expect(mean).toEqual([(Math.floor(later[0]!.fromMs / MINUTE) % 60) + 7]);
    const gap = world.memory.gaps.at(-1)!.gap as { from: number; through: number; fromMs: number; throughMs: number };
    expect(gap).toMatchObject({ reason: "dropped" });
    expect(gap.throughMs - gap.fromMs).toBe((gap.through - gap.from + 1) * 15 * MINUTE);
  });

  test("that was lost with its database is a hole, and what nobody measured is none", async () => {
    const world = new SyncWorld(1);
    const box = new Box(world);
    await box.start();
    world.net.cut(true);
    const fromMs = Math.floor(world.clock.nowMs() / MINUTE) * MINUTE;
    await measure(box, 2);
    const lostMs = world.clock.nowMs();
    box.kill();
    box.disk.damage("telemetry");
    await box.start();
    await world.clock.advance(HOUR);
    await measure(box, 1);
    world.net.cut(false);
    await world.clock.advance(HOUR);
    const lost = world.memory.gaps.map(({ gap }) => gap.fromMs ?? 0);
    expect(lost).toEqual(Array.from({ length: lost.length }, (_, index) => fromMs + index * 15 * MINUTE));
    expect(lost.at(-1)).toBeGreaterThanOrEqual(lostMs - 15 * MINUTE);
    expect(lost.at(-1)).toBeLessThanOrEqual(lostMs);
    expect(quarters(world)).toHaveLength(QUARTERS_AN_HOUR);
  });

  test("of an epoch before is told again when the cloud service lost it", async () => {
    const world = new SyncWorld(1);
    const box = new Box(world);
    await box.start();
    const restore = world.twin.backup();
    await measure(box, 2);
    const card = box.image();
    await measure(box, 1);
    await world.clock.advance(10 * MINUTE);
    box.kill();
    box.disk = card;
    await box.start();
    await world.clock.advance(HOUR);
    restore();
    world.net.cut(true);
    world.net.cut(false);
    await world.clock.advance(2 * HOUR);
    const kept = new Set(quarters(world).map(({ fromMs }) => fromMs));
    expect(kept.size).toBeGreaterThanOrEqual(2 * QUARTERS_AN_HOUR - 1);
  });

  test("is told again by a history that is longer than the cloud service's memory", async () => {
    const world = new SyncWorld(1);
    const box = new Box(world);
    await box.start();
    await measure(box, 1);
    const restore = world.twin.backup();
    await measure(box, 2);
    await world.clock.advance(10 * MINUTE);
    restore();
    world.net.cut(true);
    world.net.cut(false);
    await world.clock.advance(HOUR);
    const told = new Set(quarters(world).map(({ fromMs }) => fromMs));
    expect(told.size).toBe(3 * QUARTERS_AN_HOUR);
  });
});
