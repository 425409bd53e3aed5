/** Rule 15 of the outbox: figures by which a fleet is watched. Each is made to happen, and read as a scraper reads it. */
import { describe, expect, test } from "vitest";
import { cloudMetrics } from "../../../src/api/metrics/cloud-metrics.ts";
import { metricsText } from "../../../src/api/metrics/metrics-text.ts";
import type { Http } from "../../../src/platform/ports/http-port.ts";
import { outboxKey } from "../../../src/store/keys.ts";
import { OwnersCloudLink } from "../../../src/sync/identity/cloud-link.ts";
import { EnrolmentService } from "../../../src/sync/identity/enrolment-service.ts";
import { Identities } from "../../../src/sync/identity/identities.ts";
import { Box, SyncWorld } from "./sync-world.ts";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

/** What `/metrics` says of the link, by name and labels. */
async function figures({ world, random, run }: Box): Promise<ReadonlyMap<string, number>> {
  const { store, cloud, clock, log } = run;
  const http: Http = {
    open: () => {
      throw new Error("nobody is to be asked");
    },
  };
  const service = new EnrolmentService({ clock, http, software: "hemgate/test" });
  const identities = new Identities({ store, clock, random, log, service });
  const uplink = { lastContactMs: null, sent: new Map(), transports: [] };
  const session = () => ({ progress: cloud, uplink });
  const link = new OwnersCloudLink({ store, clock, identities, configured: null, session });
  const text = metricsText(cloudMetrics(link.figures(), await world.resolve(link.streams()), clock));
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(samples.map((line) => [line.slice("hemgate_cloud_".length, line.lastIndexOf(" ")), sampleOf(line)]));
}

function sampleOf(line: string): number {
  return Number(line.slice(line.lastIndexOf(" ") + 1));
}

async function started(options: ConstructorParameters<typeof Box>[2] = {}) {
  const world = new SyncWorld(1);
  const box = new Box(world, undefined, options);
  await box.start();
  await world.clock.advance(MINUTE);
  return { world, box };
}

/** A meter that is read once a minute. */
async function measure({ run, world }: Box, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    const atMs = world.clock.nowMs();
    run.store.record({ deviceId: "meter", atMs, values: [{ point: "meter.power", value: minute % 7 }] });
    await world.clock.advance(MINUTE);
  }
}

describe("2.2, rule 15: figures", () => {
  test("of what waits: how much, and how old the oldest is, by stream", async () => {
    const { world, box } = await started();
    const before = await figures(box);
    expect(before.get('oldest_unacked_age_seconds{stream="event"}')).toBe(0);
    world.net.cut(true);
    await box.tell("a");
    await world.clock.advance(QUARTER + 7 * MINUTE);
    await box.tell("b");
    const toldMs = world.told[0]!.trueMs;
    const during = await figures(box);
    expect(during.get('waiting_numbers{stream="event"}')).toBe(2);
    expect(during.get('waiting_bytes{stream="event"}')).toBeGreaterThan(0);
    expect(during.get('oldest_unacked_age_seconds{stream="event"}')).toBe((world.trueMs - toldMs) / 1_000);
    await world.clock.advance(MINUTE + QUARTER);
    const later = await figures(box);
    expect(later.get('oldest_unacked_age_seconds{stream="event"}')).toBe((world.trueMs - toldMs) / 1_000);
    expect(later.get('waiting_numbers{stream="telemetry"}')).toBe(2);
    // The first quarter of an hour of the telemetry is over since then.
    expect(later.get('oldest_unacked_age_seconds{stream="telemetry"}')).toBe(
      (world.clock.nowMs() - (Math.floor(toldMs / QUARTER) + 1) * QUARTER) / 1_000,
    );
    expect(later.has('waiting_bytes{stream="telemetry"}')).toBe(false);
    world.net.cut(false);
    await world.settle(box);
    expect((await figures(box)).get('oldest_unacked_age_seconds{stream="event"}')).toBe(0);
  });

  test("of age have no sample while the clock is not set", async () => {
    const world = new SyncWorld(1, { quality: "unset" });
    const box = new Box(world);
    await box.start();
    await box.tell("a");
    const shown = await figures(box);
    expect(shown.get('waiting_numbers{stream="event"}')).toBe(1);
    expect(shown.has('oldest_unacked_age_seconds{stream="event"}')).toBe(false);
  });

  test("of acknowledgements: how long they take, and what was sent again because none came", async () => {
    const { world, box } = await started();
    expect((await figures(box)).has("ack_latency_seconds")).toBe(false);
    await box.tell("a");
    await world.settle(box);
    const before = await figures(box);
    world.twin.failNext("after-commit");
    await box.tell("a");
    await world.clock.advance(30_000);
    expect((await figures(box)).get("replays_total")).toBe(0);
    await world.settle(box);
    const after = await figures(box);
    expect(after.get("replays_total")).toBe(1);
    expect(after.get("acked_batches_total")).toBeGreaterThan(before.get("acked_batches_total")!);
    const took = after.get("ack_seconds_total")! - before.get("ack_seconds_total")!;
    expect(took).toBeGreaterThan(0);
    // Two ways of at most 80 ms each; the one whose word was lost is not in it.
    expect(after.get("ack_latency_seconds")).toBeLessThanOrEqual(0.2);
  });

  test("of what will never come: once each, however often it is told, with its reason", async () => {
    const { world, box } = await started();
    world.net.cut(true);
    await box.tell("a", 3);
    const { epoch } = box.run.store.outbox.meta!;
    await box.stop();
    box.disk.contents("critical").set(outboxKey({ stream: "event", epoch, seq: 2 }), Uint8Array.of(1));
    await box.start();
    expect([...(await figures(box)).keys()].filter((name) => name.startsWith("dropped_total"))).toEqual([]);
    world.twin.failNext("after-commit");
    world.net.cut(false);
    await world.settle(box);
    const shown = await figures(box);
    expect(world.effects).toEqual([1, 3]);
    expect(shown.get("replays_total")).toBe(1);
    expect(shown.get('dropped_total{stream="event",reason="damaged"}')).toBe(1);
    expect([...shown.keys()].filter((name) => name.startsWith("gap_seconds_total"))).toEqual([]);
  });

  test("of what a lost database took along: as many as the cloud service hears of", async () => {
    const { world, box } = await started();
    world.net.cut(true);
    await box.tell("a", 4);
    box.disk.failWrites("lost");
    const { meta } = box.run.store.outbox;
    box.disk.damage("critical");
    await box.tell("b");
    await world.clock.advance(MINUTE);
    expect(box.run.store.outbox.meta!.epoch).not.toBe(meta!.epoch);
    world.net.cut(false);
    await world.settle(box);
    const shown = await figures(box);
    expect(shown.get('dropped_total{stream="event",reason="lost"}')).toBe(4);
  });

  test("of telemetry that had no room: in quarters of an hour, and in seconds", async () => {
    const { world, box } = await started({ maxTelemetryBytes: 2_000 });
    await measure(box, 30 * 60);
    await world.clock.advance(10 * MINUTE);
    const before = await figures(box);
    world.net.cut(true);
    await measure(box, 24 * 60);
    world.net.cut(false);
    await world.settleTelemetry(box);
    const after = await figures(box);
    const since = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const gone = since('dropped_total{stream="telemetry",reason="dropped"}');
    const told = world.memory.gaps.map(({ gap }) => gap);
    expect(gone).toBeGreaterThan(0);
    expect(after.get('dropped_total{stream="telemetry",reason="dropped"}')).toBe(
      told.reduce((sum, { from, through }) => sum + through - from + 1, 0),
    );
    expect(since('gap_seconds_total{stream="telemetry",reason="dropped"}')).toBe(gone * 900);
  });

  test("of the epoch: the one in which numbers run, in the place of the one before", async () => {
    const { world, box } = await started();
    await box.tell("a", 2);
    await world.settle(box);
    const epochOf = async (): Promise<readonly string[]> => {
      const names = [...(await figures(box)).keys()];
      return names.filter((name) => name.startsWith('epoch_info{stream="event"'));
    };
    const { epoch } = box.run.store.outbox.meta!;
    expect(await epochOf()).toEqual([`epoch_info{stream="event",epoch="${epoch}"}`]);
    await box.stop();
    box.disk.damage("critical");
    await box.start();
    await box.tell("a");
    await world.settle(box);
    const renewed = box.run.store.outbox.meta!.epoch;
    expect(renewed).not.toBe(epoch);
    expect(await epochOf()).toEqual([`epoch_info{stream="event",epoch="${renewed}"}`]);
  });
});
