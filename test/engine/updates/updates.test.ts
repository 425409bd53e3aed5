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

function openService(settings: object, refusal: Error | null = null, disk = new Disk(), version = "1.0.0") {
  const clock = new VirtualClock({ startMs: Date.UTC(2026, 5, 21) });
  const log = new TestLog();
  const requests: string[] = [];
  const service = openUpdates({
    store: disk,
    version,
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
  const { service } = openService({}, null, disk);
  expect(service.rolledBack()).toBeNull();
  await service.report({ outcome: "rolled-back", from: "1.0.0", to: "1.1.0", reason: "not ready" });
  await service.report({ outcome: "available", from: "1.0.0", to: "1.1.0" });
  const again = openService({}, null, disk).service;
  expect([again.rolledBack(), again.available()]).toEqual(["1.1.0", null]);
  await again.report({ outcome: "available", from: "1.0.0", to: "1.2.0" });
  expect([again.rolledBack(), again.available()?.version]).toEqual(["1.1.0", "1.2.0"]);
  expect(openService({}, null, disk, "1.1.0").service.rolledBack()).toBeNull();
  await again.report({ outcome: "kept", from: "1.0.0", to: "1.2.0" });
  expect([again.rolledBack(), again.available()]).toEqual([null, null]);
});

describe("a later version that was found", () => {
  const FOUND = { outcome: "available", from: "1.0.0", to: "1.1.0" } as const;

  test("is available over a restart, until it runs", async () => {
    const disk = new Disk();
    await openService({}, null, disk).service.report(FOUND);
    expect(openService({}, null, disk).service.available()).toEqual({ version: "1.1.0", isAutomatic: false });
    const withWindow = openService({ window: "30 3 * * *" }, null, disk).service;
    expect(withWindow.available()).toEqual({ version: "1.1.0", isAutomatic: true });
    expect(openService({}, null, disk, "1.1.0").service.available()).toBeNull();
  });

  test.each([
    [{ outcome: "kept", from: "1.0.0", to: "1.1.0" } as const, null],
    [{ outcome: "rolled-back", from: "1.0.0", to: "1.1.0", reason: "not ready" } as const, null],
    [{ outcome: "failed", reason: "no space" } as const, "1.1.0"],
    [{ outcome: "available", from: "1.0.0", to: "1.2.0" } as const, "1.2.0"],
  ])("is %j later", async (report, version) => {
    const { service } = openService({});
    expect(service.available()).toBeNull();
    await service.report(FOUND);
    await service.report(report);
    expect(service.available()?.version ?? null).toBe(version);
  });
});
