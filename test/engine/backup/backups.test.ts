import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { backupConfig } from "../../../src/config/backup-config.ts";
import { measuredIn } from "../../../src/domain/checks/measured-text.ts";
import { openBackups } from "../../../src/engine/backup/open-backups.ts";
import { nodeBackupFiles } from "../../../src/platform/node/files/node-backup-files.ts";
import { StorageError } from "../../../src/platform/ports/storage-error.ts";
import { decodeBackupEntries } from "../../../src/store/backup/backup-entries.ts";
import { openBackup } from "../../../src/store/backup/backup-file.ts";
import { StoreDump } from "../../../src/store/dump.ts";
import type { BackupStateRecord } from "../../../src/store/records/backup.ts";
import type { Write } from "../../../src/store/records.ts";
import type { NewJournalEntry, OpenedStore } from "../../../src/store/store.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { SimWeb } from "../../../src/testing/network/sim-web.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { SimCron } from "../../../src/testing/sim-cron.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { PASSPHRASE, temporaryPlace } from "../../cli/backup/house-state.ts";
import { SimWebDav } from "./sim-webdav.ts";

const DAY_MS = 86_400_000;
const Settings = backupConfig(() => undefined);

/** The service on a real folder, by a clock that the test moves. */
async function openService(
  stateFolder: string,
  settings: object,
  { kept = null, startMs = Date.UTC(2026, 5, 21) }: { kept?: BackupStateRecord | null; startMs?: number } = {},
) {
  const clock = new VirtualClock({ startMs });
  const random = new SeededRandom(3);
  const web = new SimWeb(clock, random);
  const nas = new SimWebDav();
  web.name("nas.example", ["192.168.1.20"]);
  web.listen("192.168.1.20", 443, nas);
  const log = new TestLog();
  const journal: NewJournalEntry[] = [];
  const database = await new MemoryDisk().open("critical");
  await database.put("record!client!c1", Buffer.from("value"));
  let refusal: Error | null = null;
  let held: Promise<void> = Promise.resolve();
  let record = kept;
  const store = {
    get: (() => record) as unknown as OpenedStore["get"],
    dump: async () => {
      await held;
      if (refusal !== null) throw refusal;
      return new StoreDump([{ name: "critical", database }]);
    },
    commit: async (writes: readonly Write[], entries: readonly NewJournalEntry[]) => {
      for (const write of writes) if (write.table === "backup" && "put" in write) record = write.put;
      journal.push(...entries);
    },
  };
  const service = openBackups({
    ...{
      store,
      clock,
      random,
      log,
      http: web.host(),
      cron: new SimCron(clock),
      software: "1.0",
      secretKeys: [Buffer.alloc(32, 1)],
    },
    backups: nodeBackupFiles({ stateFolder }),
    config: { backup: Settings.parse(settings), site: { name: "Home", owner: "home", timezone: "UTC" } },
  });
  if (service === null) throw new Error("no service");
  const refuse = (error: Error | null): void => {
    refusal = error;
  };
  /** Holds what is begun after this; the returned function lets it go on. */
  const hold = (): (() => void) => {
    const gate = Promise.withResolvers<void>();
    held = gate.promise;
    return gate.resolve;
  };
  return { service, clock, log, journal, random, nas, refuse, hold, kept: () => record };
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
    await using service = set.service;
    for (let day = 0; day < 4; day++) await nextDay(set);
    expect(readdirSync(folder).toSorted()).toEqual([
      "hemgate-20260623T024000Z.hgbackup",
      "hemgate-20260624T024000Z.hgbackup",
      "other.hgbackup",
    ]);
    const { content } = await service.read("hemgate-20260624T024000Z.hgbackup");
    const kinds: string[] = [];
    for await (const entry of decodeBackupEntries(
      openBackup(content, { passphrase: PASSPHRASE, random: set.random }),
    )) {
      kinds.push(entry.kind === "record" ? entry.key : entry.kind);
    }
    expect(kinds).toEqual(["manifest", "file", "record!client!c1"]);
  });

  test("stay where a clock that ran ahead has named others later, and those go first", async () => {
    using root = temporaryPlace();
    const folder = join(root.path, "backups");
    mkdirSync(folder);
    for (const day of [1, 2]) writeFileSync(join(folder, `hemgate-2028010${day}T024000Z.hgbackup`), "ahead");
    const set = await openService(root.path, { schedule: "40 2 * * *", passphrase: PASSPHRASE, keep: 2 });
    await using _service = set.service;
    await nextDay(set);
    expect(readdirSync(folder).toSorted()).toEqual([
      "hemgate-20260621T024000Z.hgbackup",
      "hemgate-20280102T024000Z.hgbackup",
    ]);
    await nextDay(set);
    expect(readdirSync(folder).toSorted()).toEqual([
      "hemgate-20260621T024000Z.hgbackup",
      "hemgate-20260622T024000Z.hgbackup",
    ]);
  });

  test("remove what a power cut left of an earlier one, and nothing that is written now", async () => {
    using root = temporaryPlace();
    const folder = join(root.path, "backups");
    mkdirSync(folder);
    const names = ["hemgate-20260101T024000Z", "hemgate-20260102T024000Z", "other"];
    const [left = "", current = "", foreign = ""] = names.map((name) => join(folder, `${name}.hgbackup.part`));
    for (const path of [left, current, foreign]) writeFileSync(path, "half");
    for (const path of [left, foreign]) utimesSync(path, 1_767_225_600, 1_767_225_600);
    const set = await openService(root.path, { schedule: "40 2 * * *", passphrase: PASSPHRASE });
    await using service = set.service;
    await nextDay(set);
    expect(service.state().schedule?.last?.failure).toBeNull();
    expect([left, current, foreign].map((path) => existsSync(path))).toEqual([false, true, true]);
  });

  test("that fail are logged, journaled and a finding over restarts, leave no file, and are tried again at the next time", async () => {
    using root = temporaryPlace();
    const settings = { schedule: "40 2 * * *", passphrase: PASSPHRASE };
    const set = await openService(root.path, settings);
    await using service = set.service;
    expect(service.state().schedule).toMatchObject({ nextAtMs: Date.UTC(2026, 5, 21, 2, 40), last: null });
    set.refuse(new StorageError("refused", "the disk refuses writes of the telemetry database"));
    await nextDay(set);
    const failure = service.state().schedule?.last?.failure ?? "";
    expect(failure).toContain("the disk refuses writes");
    expect(set.journal).toEqual([{ event: "system:backup:failed", payload: { reason: failure } }]);
    expect(set.log.texts("error")).toEqual([expect.stringContaining("the backup was not made; the next one is tried")]);
    expect(existsSync(join(root.path, "backups"))).toBe(false);
    const restarted = await openService(root.path, settings, { kept: set.kept(), startMs: set.clock.nowMs() });
    await using second = restarted.service;
    expect(second.finding()).toMatchObject({
      id: "backup-schedule",
      text: expect.stringMatching(
        /2026-06-21T02:40:00.000Z was not made: the disk refuses .* There is none before it/u,
      ),
      state: "OPEN",
      sinceMs: Date.UTC(2026, 5, 21, 2, 40),
    });
    expect(await second.dismiss()).toMatchObject({ state: "DISMISSED" });
    expect(second.finding()?.state).toBe("DISMISSED");
    set.refuse(null);
    await nextDay(set);
    expect([service.finding(), service.state().schedule?.last?.failure]).toEqual([null, null]);
    expect(readdirSync(join(root.path, "backups"))).toHaveLength(1);
    await expect(service.dismiss()).rejects.toThrow('There is no finding "backup-schedule"');
  });

  test("are a finding when two were due while the gateway was off, until one is made by hand", async () => {
    using root = temporaryPlace();
    const settings = { schedule: "40 2 * * *", passphrase: PASSPHRASE };
    const set = await openService(root.path, settings);
    await using service = set.service;
    await nextDay(set);
    await service[Symbol.asyncDispose]();
    const kept = set.kept();
    const almost = await openService(root.path, settings, { kept, startMs: Date.UTC(2026, 5, 23, 2, 39) });
    expect(almost.service.finding()).toBeNull();
    await almost.service[Symbol.asyncDispose]();
    const late = await openService(root.path, settings, { kept, startMs: Date.UTC(2026, 5, 23, 2, 41) });
    await using third = late.service;
    expect(third.finding()).toMatchObject({
      text: expect.stringMatching(/Two scheduled .* 2026-06-23T02:40.* is of 2026-06-21T02:40/u),
      sinceMs: Date.UTC(2026, 5, 23, 2, 40),
    });
    third.create("another passphrase of mine");
    await third.settled();
    expect(third.finding()).not.toBeNull();
    await late.clock.advance(1_000);
    third.create(null);
    await third.settled();
    expect(third.finding()).toBeNull();
  });

  test("wait for what is under way, one of them however long it takes", async () => {
    using root = temporaryPlace();
    const set = await openService(root.path, { schedule: "40 2 * * *", passphrase: PASSPHRASE });
    await using service = set.service;
    const goOn = set.hold();
    service.create("another passphrase of mine");
    await set.clock.advance(3 * DAY_MS);
    goOn();
    await service.settled();
    const names = (await service.list()).map(({ name }) => name).toSorted();
    expect(names).toEqual(["hemgate-20260621T000000Z.hgbackup", expect.stringMatching(/^hemgate-202606\d\dT/u)]);
    expect(service.finding()).toBeNull();
  });

  test("that cannot be uploaded stay in the folder, are journaled and a finding over restarts, until one is uploaded", async () => {
    using root = temporaryPlace();
    const url = "https://nas.example/hemgate";
    const webdav = { url, username: "anna", password: "secret of the NAS" };
    const settings = { schedule: "40 2 * * *", passphrase: PASSPHRASE, keep: 2, webdav };
    const set = await openService(root.path, settings);
    await using service = set.service;
    set.nas.instead = ({ method }) => (method === "PUT" ? { status: 507 } : null);
    /** Uploads wait for the clock, and the disk for real time: short steps, or the time limit of a request passes. */
    const settled = async (of: typeof service) => {
      let isSettled = false;
      void of.settled().then(() => (isSettled = true));
      while (!isSettled) {
        await set.clock.advance(1);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await set.clock.advance(DAY_MS / 8);
    await settled(service);
    const failure =
      "the disk of nas.example, or what the account may use of it, is full (HTTP 507): remove files there, or lower backup.keep";
    expect(service.state()).toMatchObject({
      webdav: url,
      schedule: { last: { failure, isStored: true } },
      task: { step: "upload", state: "failed", failure },
    });
    expect(set.journal).toEqual([
      { event: "system:backup:failed", payload: { reason: `it was not uploaded: ${failure}` } },
    ]);
    expect(set.log.texts("error")).toEqual([expect.stringContaining("is in the folder, but was not uploaded")]);
    expect(readdirSync(join(root.path, "backups"))).toEqual(["hemgate-20260621T024000Z.hgbackup"]);
    const restarted = await openService(root.path, settings, { kept: set.kept(), startMs: set.clock.nowMs() });
    const finding = restarted.service.finding();
    expect(finding?.text).toMatch(/2026-06-21T02:40:00.000Z is in its folder, .*no space left/u);
    expect(measuredIn(finding!.words!, "de-DE")).toContain("nicht hochgeladen: es ist kein Platz mehr frei");
    await restarted.service[Symbol.asyncDispose]();
    set.nas.instead = () => null;
    service.create(null);
    await settled(service);
    expect([service.finding(), service.state().task?.failure]).toEqual([null, null]);
    const uploaded = await set.clock.resolve(service.listUploaded(), 60_000);
    expect(uploaded).toMatchObject([{ name: service.state().task?.name, bytes: service.state().task?.doneBytes }]);
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
    await using service = set.service;
    expect(() => service.create(null)).toThrow("Name a passphrase");
    expect(() => service.create("short")).toThrow("at least 12 characters");
    expect(service.create(PASSPHRASE)).toMatchObject({ state: "running", step: "write", endedAtMs: null });
    expect(() => service.create(PASSPHRASE)).toThrow("A backup is being made now");
    await service.settled();
    const [made] = await service.list();
    expect(made).toMatchObject({
      name: "hemgate-20260621T000000Z.hgbackup",
      verified: { atMs: Date.UTC(2026, 5, 21), failure: null },
    });
    expect(service.state().task).toMatchObject({ state: "done", step: "read", doneBytes: made?.bytes, failure: null });
    await expect(service.read("../house.key")).rejects.toThrow("There is no backup of this name");
  });

  test("that a stop cuts short leaves no file, and says so", async () => {
    using root = temporaryPlace();
    const { service } = await openService(root.path, {});
    service.create(PASSPHRASE);
    await service[Symbol.asyncDispose]();
    expect(service.state().task).toMatchObject({ state: "failed", failure: "the gateway stopped meanwhile" });
    expect(existsSync(join(root.path, "backups")) ? readdirSync(join(root.path, "backups")) : []).toEqual([]);
    expect(() => service.create(PASSPHRASE)).toThrow("The gateway is stopping");
  });
});
