import { expect, test } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { backupConfig } from "../../../src/config/backup-config.ts";
import { openBackups } from "../../../src/engine/backup/open-backups.ts";
import { readBackupContents } from "../../../src/store/backup/backup-summary.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { type Browser, ownerOf, personOf } from "../people/browser.ts";
import { getToken } from "../support/api-house.ts";
import { MemoryBackupFiles } from "../support/memory-backup-files.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const PASSPHRASE = "canary of the passphrase";
const CONFIGURED = "canary of the configured one";
const SETTINGS = { schedule: "5 2 * * *", passphrase: CONFIGURED, keep: 2 };
const URL = "/local/backups";
/** The house begins at midnight UTC, and the schedule is in Berlin. */
const UNTIL_SCHEDULED_MS = 5 * 60_000 + 1_000;

/** A house whose backups are in memory. */
async function openBackupHouse(settings: object = SETTINGS) {
  const log = new TestLog();
  const random = new SeededRandom(3);
  const made: { files: MemoryBackupFiles; service: NonNullable<ReturnType<typeof openBackups>> }[] = [];
  const house = await openRealHouse({
    backups: ({ process, store }) => {
      const { clock, cron, http } = process.platform;
      const files = new MemoryBackupFiles(clock);
      const config = {
        backup: backupConfig(() => undefined).parse(settings),
        site: { name: "Home", owner: "home", timezone: "Europe/Berlin" },
      };
      const service = openBackups({
        ...{ store, clock, cron, http, random, log, config, backups: files, software: "1.0", secretKeys: [] },
      });
      if (service === null) throw new Error("no service");
      made.push({ files, service });
      return service;
    },
  });
  const [only] = made;
  if (only === undefined) throw new Error("no service");
  return { house, log, random, ...only };
}

/** Lets the task that was begun end, and returns the list then. */
async function ended(house: RealHouse, browser: Browser) {
  await house.pass(1_000);
  return (await browser.get(URL)).json();
}

test("an owner makes a backup, leaves, finds the result again, and downloads a file that opens with the passphrase", async () => {
  const { house, files, random } = await openBackupHouse();
  await using _house = house;
  const { clock } = house.home.world;
  files.atPiece = () => clock.sleep(5_000, new AbortController().signal);
  const owner = await ownerOf(house);
  const begun = await owner.send("POST", URL, { passphrase: PASSPHRASE });
  const name = `hemgate-${new Date(clock.nowMs()).toISOString().replace(/[-:]|\.\d+/g, "")}.hgbackup`;
  expect([begun.statusCode, begun.json()]).toMatchObject([
    202,
    { kind: "create", isScheduled: false, name, step: "write", state: "running", endedAt: null, failure: null },
  ]);
  const again = await owner.send("POST", URL, { passphrase: PASSPHRASE });
  expect([again.statusCode, again.json().detail]).toEqual([409, expect.stringContaining("A backup is being made now")]);
  expect((await owner.get(URL)).json()).toMatchObject({ task: { state: "running" }, backups: [] });
  await house.pass(60_000);
  const other = await personOf(house, owner, "owner", "Ben");
  const list = (await other.get(URL)).json();
  expect(list).toMatchObject({
    ...{ folder: "/state/backups", keep: 2, hasPassphrase: true },
    schedule: { expression: "5 2 * * *", timeZone: "Europe/Berlin", last: null, nextAt: expect.any(String) },
    task: { state: "done", step: "read", failure: null, endedAt: expect.any(String) },
    backups: [{ name, bytes: list.task.doneBytes, verified: { failure: null, at: expect.any(String) } }],
  });
  files.atPiece = async () => undefined;
  const { rawPayload, headers } = await owner.get(`${URL}/${name}`);
  expect(headers).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${name}`,
    "content-length": String(list.backups[0].bytes),
    "cache-control": "no-store",
  });
  const file = async function* () {
    yield rawPayload;
  };
  const contents = await readBackupContents(file(), { passphrase: PASSPHRASE, random });
  expect(contents.software).toBe("1.0");
  expect(contents.records).toBeGreaterThan(0);
  const deeds = (await owner.get("/local/audit")).json();
  expect(JSON.stringify(deeds)).toContain(`"method":"GET","path":"${URL}/${name}"`);
});

test("a damaged backup and a wrong passphrase fail with what to do, and only the first says so about the file", async () => {
  const { house, files } = await openBackupHouse();
  await using _house = house;
  const owner = await ownerOf(house);
  await owner.send("POST", URL, {});
  const [{ name }] = (await ended(house, owner)).backups;
  const verify = async (body: object) => {
    expect((await owner.send("POST", `${URL}/${name}/verify`, body)).statusCode).toBe(202);
    return await ended(house, owner);
  };
  expect(await verify({ passphrase: PASSPHRASE })).toMatchObject({
    task: { kind: "verify", state: "failed", failure: expect.stringContaining("does not open with this passphrase") },
    backups: [{ verified: { failure: null } }],
  });
  files.damage(name);
  expect(await verify({})).toMatchObject({
    task: { state: "failed", failure: expect.stringContaining("was changed after it was written") },
    backups: [{ verified: { failure: expect.stringContaining("take another backup") } }],
  });
  expect((await owner.send("DELETE", `${URL}/${name}`)).statusCode).toBe(204);
  expect((await owner.get(URL)).json().backups).toEqual([]);
  for (const answer of [
    await owner.send("DELETE", `${URL}/${name}`),
    await owner.send("POST", `${URL}/${name}/verify`, {}),
    await owner.get(`${URL}/..%2Fhouse.key`),
  ]) {
    expect([answer.statusCode, answer.json().detail]).toEqual([404, expect.stringContaining("no backup of this name")]);
  }
});

test("the last scheduled backup that failed is a finding with what to do, until one is made; it cannot be confirmed", async () => {
  const { house, files } = await openBackupHouse();
  await using _house = house;
  const owner = await ownerOf(house);
  files.atPiece = async () => {
    throw new Error("there is no space left for /mnt/backup");
  };
  await house.pass(UNTIL_SCHEDULED_MS);
  const findings = async (): Promise<{ check: string }[]> => (await owner.get("/local/checks")).json();
  const finding = (await findings()).find(({ check }) => check === "backup");
  expect(finding).toMatchObject({
    ...{
      id: "backup-schedule",
      check: "backup",
      deviceId: null,
      assetType: null,
      assetId: null,
      fix: null,
      state: "OPEN",
    },
    measured: expect.stringMatching(/was not made: there is no space left .* "Back up now"/u),
  });
  const confirm = await owner.send("POST", "/local/checks/backup-schedule/confirm");
  expect([confirm.statusCode, confirm.json().detail]).toEqual([409, expect.stringContaining("Only a backup helps")]);
  const dismissed = await owner.send("POST", "/local/checks/backup-schedule/dismiss");
  expect([dismissed.statusCode, dismissed.json().state]).toEqual([200, "DISMISSED"]);
  expect((await owner.get("/local/setup/report")).json().findings).toContainEqual(dismissed.json());
  expect((await owner.get("/local/diagnostics")).json().checks).toMatchObject([{ check: "backup" }, {}]);
  files.atPiece = async () => undefined;
  await owner.send("POST", URL, {});
  await house.pass(1_000);
  expect((await findings()).map(({ check }) => check)).toEqual(["site"]);
});

test("nobody but owners, and programs with the scope, sees, makes, reads or removes a backup", async () => {
  const { house } = await openBackupHouse();
  await using _house = house;
  const owner = await ownerOf(house);
  await owner.send("POST", URL, {});
  const [{ name }] = (await ended(house, owner)).backups;
  const requests = [
    { method: "GET", url: URL },
    { method: "GET", url: `${URL}/${name}` },
    { method: "POST", url: URL, payload: {} },
    { method: "POST", url: `${URL}/${name}/verify`, payload: {} },
    { method: "DELETE", url: `${URL}/${name}` },
  ] as const;
  for (const role of ["installer", "member", "guest"]) {
    const person = await personOf(house, owner, role);
    for (const { method, url } of requests) {
      const { statusCode } = await person.send(method, url, method === "POST" ? {} : undefined);
      expect([role, method, url, statusCode]).toEqual([role, method, url, 403]);
    }
  }
  for (const request of requests) expect((await house.ask(request)).statusCode).toBe(403);
  const { store, process } = house.run;
  const { clock } = house.home.world;
  const client = await clock.resolve(
    createClient({ store, ...process.platform }, "keeper", undefined, ["people:manage"]),
    10_000,
  );
  const token = await clock.resolve(getToken(house.api, client), 10_000);
  const headers = { authorization: `Bearer ${token}` };
  const answers = [];
  for (const request of requests) {
    answers.push((await house.ask({ ...request, headers })).statusCode);
    await house.pass(1_000);
  }
  expect(answers).toEqual([200, 200, 202, 202, 204]);
});

test("what cannot be is refused with a reason, and no answer and no log line has a passphrase", async () => {
  const { house, log } = await openBackupHouse({});
  await using _house = house;
  const owner = await ownerOf(house);
  const bodies: string[] = [];
  for (const [body, reason] of [
    [{}, "Name a passphrase"],
    [{ passphrase: "canary" }, "at least 12 characters"],
    [{ passphrase: `canary${"x".repeat(1_000)}` }, ""],
    [{ passphrase: PASSPHRASE, canary: true }, ""],
  ] as const) {
    const answer = await owner.send("POST", URL, body);
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(reason)]);
    bodies.push(answer.body.replace('"canary"', ""));
  }
  bodies.push((await owner.send("POST", URL, { passphrase: PASSPHRASE })).body);
  await house.pass(1_000);
  const [{ name }] = (await owner.get(URL)).json().backups;
  bodies.push((await owner.send("POST", `${URL}/${name}/verify`, { passphrase: `${PASSPHRASE} wrong` })).body);
  await house.pass(1_000);
  for (const url of [URL, "/local/audit", "/local/configuration", "/local/checks"]) {
    bodies.push((await owner.get(url)).body);
  }
  expect(bodies.filter((body) => body.includes("canary of"))).toEqual([]);
  expect(JSON.stringify([log.lines, house.run.process.log.lines])).not.toContain("canary");
  await using other = await openRealHouse();
  expect((await (await ownerOf(other)).get(URL)).statusCode).toBe(503);
});

test("the backups on the WebDAV server are asked for, and without one the answer says which setting is missing", async () => {
  const { house } = await openBackupHouse();
  await using _house = house;
  const owner = await ownerOf(house);
  expect((await owner.get(URL)).json().webdav).toBeNull();
  const none = await owner.get(`${URL}/uploaded`);
  expect([none.statusCode, none.json().detail]).toEqual([404, expect.stringContaining("backup.webdav")]);
  const installer = await personOf(house, owner, "installer", "Ida");
  expect((await installer.get(`${URL}/uploaded`)).statusCode).toBe(403);
});
