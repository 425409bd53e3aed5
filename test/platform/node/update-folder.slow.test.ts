import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linkTree } from "../../../src/platform/node/files/link-tree.ts";
import { lockState, nodeDisk } from "../../../src/platform/node/files/node-disk.ts";
import { stagingFolder } from "../../../src/platform/node/files/restore-swap.ts";
import { controlOf } from "../../../src/platform/node/updates/debian-package.ts";
import {
  nodeUpdateRequests,
  takeUpdateRequests,
  updateRequestsOf,
} from "../../../src/platform/node/updates/node-update-requests.ts";
import { UpdateFolder } from "../../../src/platform/node/updates/update-folder.ts";
import { temporaryPlace } from "../../cli/backup/house-state.ts";

/** A state folder, a program, and the folder of updates beside them. */
function openPlace(root: string) {
  const places = { folder: join(root, "updates"), state: join(root, "state"), program: join(root, "program") };
  mkdirSync(join(places.program, "bin"), { recursive: true });
  writeFileSync(join(places.program, "bin", "node"), "the program of 1.0.0", { mode: 0o755 });
  mkdirSync(join(places.state, "profiles"), { recursive: true });
  writeFileSync(join(places.state, "profiles", "own.yaml"), "profile of 1.0.0");
  return { ...places, updates: new UpdateFolder(places) };
}

async function writeValue(state: string, value: string): Promise<void> {
  const database = await nodeDisk({ stateFolder: state }).open("critical");
  await database.put("key", Buffer.from(value));
  // Makes a table of it, as a day of work does.
  await database.close();
}

async function readValue(state: string): Promise<string> {
  const database = await nodeDisk({ stateFolder: state }).open("critical");
  const value = await database.get("key");
  await database.close();
  return Buffer.from(value ?? "").toString("utf8");
}

async function begin({ updates }: ReturnType<typeof openPlace>, record = "{}"): Promise<void> {
  const prepared = await updates.makePrepared();
  writeFileSync(join(prepared, "previous.deb"), "package of 1.0.0");
  await updates.keepProgram(prepared);
  await updates.begin(prepared, record);
}

test("the state comes back as it was, and what the new version made of it is put aside", async () => {
  using root = temporaryPlace();
  const place = openPlace(root.path);
  const { updates, state } = place;
  for (const value of ["one", "two", "of 1.0.0"]) await writeValue(state, value);
  await begin(place);
  await updates.copyState();
  for (const value of ["of 1.1.0", "more of 1.1.0"]) await writeValue(state, value);
  writeFileSync(join(state, "profiles", "own.yaml"), "profile of 1.1.0");
  mkdirSync(join(state, "adapters"));
  await updates.restoreState(new Date(Date.UTC(2026, 10, 28)));
  expect(await readValue(state)).toBe("of 1.0.0");
  expect(readFileSync(join(state, "profiles", "own.yaml"), "utf8")).toBe("profile of 1.0.0");
  expect(existsSync(join(state, "adapters"))).toBe(false);
  const aside = join(state, "before-restore-20261128T000000Z");
  expect(readdirSync(aside).toSorted()).toEqual(["adapters", "critical", "critical.exists", "profiles"]);
  // It can be done again, from the same copy.
  await writeValue(state, "later");
  await updates.restoreState(new Date(Date.UTC(2026, 10, 29)));
  expect(await readValue(state)).toBe("of 1.0.0");
});

test("a restore of the state that a power cut interrupted before it was decided is done from the beginning", async () => {
  using root = temporaryPlace();
  const place = openPlace(root.path);
  const { updates, state } = place;
  await writeValue(state, "of 1.0.0");
  await begin(place);
  await updates.copyState();
  await writeValue(state, "of 1.1.0");
  const staged = await stagingFolder(state);
  mkdirSync(join(staged, "critical"));
  writeFileSync(join(staged, "critical", "CURRENT"), "half");
  await updates.restoreState(new Date(0));
  expect(await readValue(state)).toBe("of 1.0.0");
});

test("a copy of the state that a power cut interrupted is made again", async () => {
  using root = temporaryPlace();
  const place = openPlace(root.path);
  await writeValue(place.state, "of 1.0.0");
  await begin(place);
  mkdirSync(place.updates.current("state.part"));
  writeFileSync(place.updates.current("state.part/critical"), "half");
  await place.updates.copyState();
  await place.updates.copyState();
  expect(await readValue(place.updates.current("state"))).toBe("of 1.0.0");
});

test("the state of a gateway that runs is not copied", async () => {
  using root = temporaryPlace();
  const place = openPlace(root.path);
  await writeValue(place.state, "of 1.0.0");
  await begin(place);
  await using _gateway = await lockState(place.state);
  await expect(place.updates.copyState()).rejects.toMatchObject({ kind: "locked" });
  expect(existsSync(place.updates.current("state"))).toBe(false);
});

test("the program is kept when an installation replaces its files, and the kept one does not change with it", async () => {
  using root = temporaryPlace();
  const place = openPlace(root.path);
  const program = join(place.program, "bin", "node");
  await begin(place);
  const kept = place.updates.current("program/bin/node");
  expect(statSync(kept).ino).toBe(statSync(program).ino);
  // As dpkg does it: another file takes the name.
  writeFileSync(`${program}.dpkg-new`, "the program of 1.1.0");
  renameSync(`${program}.dpkg-new`, program);
  expect(readFileSync(kept, "utf8")).toBe("the program of 1.0.0");
  expect(readFileSync(place.updates.current("resume"), "utf8")).toContain(`${place.folder}/current/program/bin/node`);
  expect(statSync(place.updates.current("resume")).mode & 0o111).toBe(0o111);
});

test("files that are written again are copied, so that what is written later does not reach the copy", async () => {
  using root = temporaryPlace();
  const from = join(root.path, "from");
  mkdirSync(from);
  writeFileSync(join(from, "000001.ldb"), "table");
  writeFileSync(join(from, "000002.log"), "log");
  await linkTree(from, join(root.path, "to"), (path) => path.endsWith(".ldb"));
  appendFileSync(join(from, "000002.log"), " and more");
  expect(readFileSync(join(root.path, "to", "000002.log"), "utf8")).toBe("log");
  expect(statSync(join(root.path, "to", "000001.ldb")).nlink).toBe(2);
});

test("only one update goes on at a time, and the one that ended can be taken back until the next", async () => {
  using root = temporaryPlace();
  const place = openPlace(root.path);
  const { updates } = place;
  expect(await updates.read("current")).toBe(null);
  await writeValue(place.state, "of 1.0.0");
  await begin(place, `{"update":1}`);
  await expect(begin(place)).rejects.toThrow("another update goes on");
  await updates.copyState();
  expect(await updates.canReopenLast()).toBe(false);
  await updates.end(true);
  expect([await updates.read("current"), await updates.read("last")]).toEqual([null, `{"update":1}`]);
  expect(readdirSync(join(place.folder, "last")).toSorted()).toEqual(["previous.deb", "state", "update.json"]);
  expect(await updates.canReopenLast()).toBe(true);
  await updates.reopenLast();
  expect(existsSync(updates.current("program/bin/node"))).toBe(true);
  await updates.end(false);
  expect(await updates.canReopenLast()).toBe(false);
  expect(readdirSync(join(place.folder, "last"))).toEqual(["update.json"]);
});

test("what a preparation that was killed has left is removed by the next one", async () => {
  using root = temporaryPlace();
  const { updates, folder } = openPlace(root.path);
  mkdirSync(join(folder, "prepared.4000001"), { recursive: true });
  const prepared = await updates.makePrepared();
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([prepared]);
});

test("an update that has no space says how much there is and how much it takes", async () => {
  using root = temporaryPlace();
  const { updates } = openPlace(root.path);
  await updates.requireRoom(1);
  await expect(updates.requireRoom(1e15)).rejects.toThrow(/has \d+ MB free, 3000000000 MB are needed/u);
});

test("a request of the gateway is taken once, and one that nobody takes is an error at the next time", async () => {
  using root = temporaryPlace();
  const { state } = openPlace(root.path);
  const requests = nodeUpdateRequests(state);
  await requests.request("install");
  await expect(requests.request("install")).rejects.toThrow("hemgate-update-request.path");
  expect(await takeUpdateRequests(state)).toEqual(["install"]);
  expect(await takeUpdateRequests(state)).toEqual([]);
  await requests.request("install");
});

test("the control file of the package that is made again has nothing that dpkg has added", () => {
  const status = `Package: hemgate
Status: install ok installed
Version: 1.0.0
Conffiles:
 /etc/hemgate/gateway.yaml 0123456789abcdef0123456789abcdef
Description: home-energy gateway
 One documented API.
`;
  expect(controlOf(status)).toBe(
    "Package: hemgate\nVersion: 1.0.0\nDescription: home-energy gateway\n One documented API.\n",
  );
});

test("only the installed package asks for updates, with the state folder that root's unit watches", () => {
  expect(updateRequestsOf("/usr/lib/hemgate", "/var/lib/hemgate")).toBeDefined();
  expect(updateRequestsOf("/usr/lib/hemgate", "/var/lib/private/hemgate")).toBeDefined();
  expect(updateRequestsOf("/usr/lib/hemgate", "/home/anna/.local/state/hemgate")).toBeUndefined();
  expect(updateRequestsOf("/opt/hemgate", "/var/lib/hemgate")).toBeUndefined();
});
