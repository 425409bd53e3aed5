import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { backupConfig } from "../../../src/config/backup-config.ts";
import { openBackups } from "../../../src/engine/backup/open-backups.ts";
import { nodeBackupFiles } from "../../../src/platform/node/node-backup-files.ts";
import { StorageError } from "../../../src/platform/ports/storage-error.ts";
import { decodeBackupEntries } from "../../../src/store/backup/backup-entries.ts";
import { openBackup } from "../../../src/store/backup/backup-file.ts";
import { StoreDump } from "../../../src/store/dump.ts";
import type { NewJournalEntry } from "../../../src/store/store.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { SimCron } from "../../../src/testing/sim-cron.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { PASSPHRASE, temporaryPlace } from "../../cli/backup/house-state.ts";

const DAY_MS = 86_400_000;
const Settings = backupConfig(() => undefined);

/** The service on a real folder, by a clock that the test moves. */
async function openService(stateFolder: string, settings: object) {
  const clock = new VirtualClock({ startMs: Date.UTC(2026, 5, 21) });
  const random = new SeededRandom(3);
  const log = new TestLog();
  const journal: NewJournalEntry[] = [];
  const database = await new MemoryDisk().open("critical");
  await database.put("record!client!c1", Buffer.from("value"));
  let refusal: Error | null = null;
  const store = {
    dump: async () => {
      if (refusal !== null) throw refusal;
      return new StoreDump([{ name: "critical", database }]);
    },
    commit: async (_writes: unknown, entries: readonly NewJournalEntry[]) => void journal.push(...entries),
  };
  const service = openBackups({
    ...{ store, clock, random, log, cron: new SimCron(clock), software: "1.0", secretKeys: [Buffer.alloc(32, 1)] },
    backups: nodeBackupFiles({ stateFolder }),
    config: { backup: Settings.parse(settings), site: { name: "Home", owner: "home", timezone: "UTC" } },
  });
  if (service === null) throw new Error("no service");
  const refuse = (error: Error | null): void => {
    refusal = error;
  };
  return { service, clock, log, journal, random, refuse };
}

/** Lets the clock pass one day, and the real disk write what was due. */
async function nextDay({ clock, service }: Awaited<ReturnType<typeof openService>>): Promise<void> {
  await clock.advance(DAY_MS);
  await service.settled();
}

describe("scheduled backups", () => {
  test("are made at their time with the configured passphrase, and the oldest of them are removed", async () => {
    using root = temporaryPlace();
    const folder = join(root.path, "disk");
    mkdirSync(folder);
    writeFileSync(join(folder, "other.hgbackup"), "of somebody else");
    const set = await openService(root.path, { schedule: "40 2 * * *", folder, passphrase: PASSPHRASE, keep: 2 });
    using service = set.service;
    for (let day = 0; day < 4; day++) await nextDay(set);
    expect(readdirSync(folder).toSorted()).toEqual([
      "hemgate-20260623T024000Z.hgbackup",
      "hemgate-20260624T024000Z.hgbackup",
      "other.hgbackup",
    ]);
    const file = await service.read("hemgate-20260624T024000Z.hgbackup");
    const kinds: string[] = [];
    for await (const entry of decodeBackupEntries(openBackup(file, { passphrase: PASSPHRASE, random: set.random }))) {
      kinds.push(entry.kind === "record" ? entry.key : entry.kind);
    }
    expect(kinds).toEqual(["manifest", "file", "record!client!c1"]);
  });

  test("that fail are logged and journaled, leave no file, and are tried again at the next time", async () => {
    using root = temporaryPlace();
    const set = await openService(root.path, { schedule: "40 2 * * *", passphrase: PASSPHRASE });
    using service = set.service;
    set.refuse(new StorageError("refused", "the disk refuses writes of the telemetry database"));
    await nextDay(set);
    expect(service.failure).toContain("the disk refuses writes");
    expect(set.journal).toEqual([{ event: "system:backup:failed", payload: { reason: service.failure } }]);
    expect(set.log.texts("error")).toEqual([expect.stringContaining("the scheduled backup was not made")]);
    expect(existsSync(join(root.path, "backups"))).toBe(false);
    set.refuse(null);
    await nextDay(set);
    expect(service.failure).toBeNull();
    expect(readdirSync(join(root.path, "backups"))).toHaveLength(1);
  });

  test("need a passphrase in the configuration", () => {
    const { error } = Settings.safeParse({ schedule: "40 2 * * *" });
    expect(error?.issues).toMatchObject([
      { path: ["passphrase"], message: expect.stringContaining("needs a passphrase") },
    ]);
    expect(Settings.safeParse({ passphrase: "too short" }).success).toBe(false);
    expect(Settings.safeParse({ folder: "relative" }).success).toBe(false);
  });
});

describe("a backup on request", () => {
  test("is refused without a passphrase, with a short one, and while another is written", async () => {
    using root = temporaryPlace();
    const set = await openService(root.path, {});
    using service = set.service;
    await expect(service.create(null)).rejects.toThrow("Name a passphrase");
    await expect(service.create("short")).rejects.toThrow("at least 12 characters");
    const first = service.create(PASSPHRASE);
    await expect(service.create(PASSPHRASE)).rejects.toThrow("Another backup is being written");
    expect(await service.list()).toEqual([]);
    expect(await first).toMatchObject({ name: "hemgate-20260621T000000Z.hgbackup" });
    await expect(service.read("../house.key")).rejects.toThrow("There is no backup of this name");
  });
});
