import { describe, expect, test } from "vitest";
import { updateConfig } from "../../../src/config/update-config.ts";
import { openUpdates } from "../../../src/engine/updates/open-updates.ts";
import type { UpdateRequest } from "../../../src/platform/ports/update-requests-port.ts";
import type { Write } from "../../../src/store/records.ts";
import type { NewJournalEntry } from "../../../src/store/store.ts";
import { encodeWrite, MemoryTables } from "../../../src/store/tables.ts";
import { SimCron } from "../../../src/testing/sim-cron.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const HOUR_MS = 3_600_000;
const Settings = updateConfig(() => undefined);

/** The state folder of a gateway: it stays when another version starts with it. */
class Disk {
  readonly tables = new MemoryTables();
  readonly journal: NewJournalEntry[] = [];
  readonly get: MemoryTables["get"] = (table, key) => this.tables.get(table, key);

  async commit(writes: readonly Write[], entries: readonly NewJournalEntry[]): Promise<void> {
    for (const write of writes) this.tables.apply(encodeWrite(write));
    this.journal.push(...entries);
  }
}

const START_MS = Date.UTC(2026, 5, 21);

function openService(
  settings: object,
  refusal: Error | null = null,
  { disk = new Disk(), version = "1.0.0", startMs = START_MS } = {},
) {
  const clock = new VirtualClock({ startMs });
  const log = new TestLog();
  const requests: string[] = [];
  const service = openUpdates({
    store: disk,
    version,
    clock,
    cron: new SimCron(clock),
    log,
    updates: {
      request: async (what: UpdateRequest) => {
        requests.push(`${what} at ${new Date(clock.nowMs()).toISOString()}`);
        if (refusal !== null) throw refusal;
      },
    },
    config: { update: Settings.parse(settings), site: { name: "Home", owner: "home", timezone: "Europe/Berlin" } },
  });
  return { service, clock, log, journal: disk.journal, requests };
}

test("a look and an installation are asked for at their times in the zone of the house, until the service is closed", async () => {
  const { service, clock, requests } = openService({ check: "0 20 * * *", window: "30 3 * * *" });
  await clock.advance(24 * HOUR_MS);
  expect(requests).toEqual(["install at 2026-06-21T01:30:00.000Z", "check at 2026-06-21T18:00:00.000Z"]);
  service[Symbol.dispose]();
  await clock.advance(24 * HOUR_MS);
  expect(requests).toHaveLength(2);
});

test("without times nothing is asked for", async () => {
  const { clock, requests } = openService({});
  await clock.advance(48 * HOUR_MS);
  expect(requests).toEqual([]);
});

test("a request that cannot be made is logged, and asked for again at the next time", async () => {
  const { clock, log, requests } = openService({ window: "30 3 * * *" }, new Error("the last request is still there"));
  await clock.advance(48 * HOUR_MS);
  expect(requests).toHaveLength(2);
  expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(2);
});

test("each outcome of an update is journaled as an event with versions and reason", async () => {
  const { service, journal, log } = openService({});
  await service.report({ outcome: "available", from: "1.0.0", to: "1.1.0" });
  await service.report({ outcome: "kept", from: "1.0.0", to: "1.1.0" });
  await service.report({ outcome: "rolled-back", from: "1.0.0", to: "1.1.0", reason: "the API does not listen" });
  await service.report({ outcome: "failed", reason: "no space" });
  expect(journal).toEqual([
    { event: "system:update:available", payload: { from: "1.0.0", to: "1.1.0" } },
    { event: "system:update:kept", payload: { from: "1.0.0", to: "1.1.0" } },
    {
      event: "system:update:rolled-back",
      payload: { from: "1.0.0", to: "1.1.0", reason: "the API does not listen" },
    },
    { event: "system:update:failed", payload: { reason: "no space" } },
  ]);
  expect(log.lines.map(({ level }) => level)).toEqual(["info", "info", "warn", "error"]);
});

test("a version that was rolled back is known until another one stays, and not offered by each look", async () => {
  const disk = new Disk();
  const { service } = openService({}, null, { disk });
  expect(service.rolledBack()).toBeNull();
  await service.report({ outcome: "rolled-back", from: "1.0.0", to: "1.1.0", reason: "not ready" });
  await service.report({ outcome: "available", from: "1.0.0", to: "1.1.0" });
  const again = openService({}, null, { disk }).service;
  expect([again.rolledBack(), again.available()]).toEqual(["1.1.0", null]);
  await again.report({ outcome: "available", from: "1.0.0", to: "1.2.0" });
  expect([again.rolledBack(), again.available()?.version]).toEqual(["1.1.0", "1.2.0"]);
  expect(openService({}, null, { disk, version: "1.1.0" }).service.rolledBack()).toBeNull();
  await again.report({ outcome: "kept", from: "1.0.0", to: "1.2.0" });
  expect([again.rolledBack(), again.available()]).toEqual([null, null]);
});

describe("a later version that was found", () => {
  const FOUND = { outcome: "available", from: "1.0.0", to: "1.1.0" } as const;

  test("is available over a restart, until it runs", async () => {
    const disk = new Disk();
    await openService({}, null, { disk }).service.report(FOUND);
    expect(openService({}, null, { disk }).service.available()).toEqual({ version: "1.1.0", isAutomatic: false });
    const withWindow = openService({ window: "30 3 * * *" }, null, { disk }).service;
    expect(withWindow.available()).toEqual({ version: "1.1.0", isAutomatic: true });
    expect(openService({}, null, { disk, version: "1.1.0" }).service.available()).toBeNull();
  });

  test.each([
    [{ outcome: "kept", from: "1.0.0", to: "1.1.0" } as const, null],
    [{ outcome: "rolled-back", from: "1.0.0", to: "1.1.0", reason: "not ready" } as const, null],
    [{ outcome: "newest", from: "1.0.0" } as const, null],
    [{ outcome: "failed", reason: "no space" } as const, "1.1.0"],
    [{ outcome: "skipped", reason: "another update goes on" } as const, "1.1.0"],
    [{ outcome: "available", from: "1.0.0", to: "1.2.0" } as const, "1.2.0"],
  ])("is %j later", async (report, version) => {
    const { service } = openService({});
    expect(service.available()).toBeNull();
    await service.report(FOUND);
    await service.report(report);
    expect(service.available()?.version ?? null).toBe(version);
  });
});

describe("what is done about updates", () => {
  const STARTED = { kind: "install", isScheduled: false, beganAtMs: START_MS, endedAtMs: null, outcome: null };

  test("is one thing at a time, and goes on over the restart with the later version, to its end", async () => {
    const disk = new Disk();
    const before = openService({}, null, { disk });
    expect(before.service.task()).toBeNull();
    expect(await before.service.begin("install")).toEqual({
      ...{ ...STARTED, step: "requested", from: null, to: null, reason: null },
    });
    expect(before.requests).toEqual(["install at 2026-06-21T00:00:00.000Z"]);
    await expect(before.service.begin("check")).rejects.toMatchObject({ slug: "conflict" });
    await before.service.report({ outcome: "prepared", from: "1.0.0", to: "1.1.0" });
    expect(before.service.task()).toMatchObject({ ...STARTED, step: "prepared", from: "1.0.0", to: "1.1.0" });
    // A time of the configuration comes meanwhile: it is not the end of the update.
    await before.service.report({ outcome: "skipped", reason: "another update goes on" });
    const after = openService({}, null, { disk, version: "1.1.0", startMs: START_MS + 60_000 });
    expect(after.service.task()).toMatchObject({ ...STARTED, step: "installed", from: "1.0.0", to: "1.1.0" });
    await after.service.report({ outcome: "kept", from: "1.0.0", to: "1.1.0" });
    const ended = { step: "installed", outcome: "kept", endedAtMs: START_MS + 60_000, reason: null };
    expect(after.service.task()).toMatchObject(ended);
    expect(openService({}, null, { disk, version: "1.1.0" }).service.task()).toMatchObject(ended);
    expect(await after.service.begin("check")).toMatchObject({ kind: "check", step: "requested", endedAtMs: null });
  });

  test("of a version that is taken back says why, also where the command line began it", async () => {
    const { service } = openService({});
    await service.report({ outcome: "prepared", from: "1.0.0", to: "1.1.0" });
    expect(service.task()).toMatchObject({ ...STARTED, step: "prepared" });
    await service.report({ outcome: "rolled-back", from: "1.0.0", to: "1.1.0", reason: "the API does not listen" });
    expect(service.task()).toMatchObject({
      outcome: "rolled-back",
      step: "prepared",
      reason: "the API does not listen",
    });
  });

  test("fails with what to do if it cannot be asked for, or if nobody reports about it", async () => {
    const refused = openService({}, new Error("the last request is still there"));
    const failed = { outcome: "failed", endedAtMs: START_MS, reason: "the last request is still there" };
    expect(await refused.service.begin("check")).toMatchObject(failed);
    const { service, clock } = openService({});
    await service.begin("check");
    await clock.advance(HOUR_MS / 2 - 1);
    expect(service.task()).toMatchObject({ outcome: null, endedAtMs: null });
    await clock.advance(1);
    expect(service.task()).toMatchObject({
      ...{ outcome: "failed", endedAtMs: START_MS + HOUR_MS / 2 },
      reason: expect.stringContaining("systemctl status hemgate-update-request.path"),
    });
    await service.report({ outcome: "newest", from: "1.0.0" });
    expect(service.task()).toMatchObject({ outcome: "newest", from: "1.0.0", reason: null });
  });

  test("at a time of the configuration is known as such", async () => {
    const { service, clock } = openService({ check: "0 20 * * *" });
    await clock.advance(24 * HOUR_MS);
    expect(service.task()).toMatchObject({ kind: "check", isScheduled: true, outcome: "failed" });
  });
});
