/** Backups go to lighttpd's WebDAV, as to a NAS. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { uploadBackup, uploadedBackups } from "../../src/engine/backup/backup-upload.ts";
import { nodeHttp } from "../../src/platform/node/http/node-http.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { freePort } from "../free-ports.ts";

const PIECE = Buffer.alloc(65_536, 0x5a);
const PIECES = 128;
const MAX_REQUEST_KB = 10_000;
const { signal } = new AbortController();

const root = mkdtempSync(join(tmpdir(), "hemgate-webdav-"));
const disk = join(root, "disk");
let port: number;
let server: ChildProcess;

async function start(): Promise<void> {
  server = spawn("/usr/sbin/lighttpd", ["-D", "-f", join(root, "lighttpd.conf")], { stdio: "ignore" });
  await vi.waitFor(
    async () => {
      const socket = createConnection({ port, host: "127.0.0.1" });
      await once(socket, "connect");
      socket.destroy();
    },
    { timeout: 10_000, interval: 50 },
  );
}

async function end(): Promise<void> {
  const over = once(server, "exit");
  server.kill("SIGKILL");
  await over;
}

beforeAll(async () => {
  port = await freePort();
  mkdirSync(disk);
  mkdirSync(join(root, "uploads"));
  writeFileSync(join(root, "accounts"), "anna:secret of the NAS\n");
  const conf = `
server.modules = ("mod_auth", "mod_authn_file", "mod_webdav")
server.document-root = "${disk}"
server.upload-dirs = ("${join(root, "uploads")}")
server.bind = "127.0.0.1"
server.port = ${port}
server.max-request-size = ${MAX_REQUEST_KB}
auth.backend = "plain"
auth.backend.plain.userfile = "${join(root, "accounts")}"
auth.require = ("" => ("method" => "basic", "realm" => "NAS", "require" => "valid-user"))
webdav.activate = "enable"
`;
  writeFileSync(join(root, "lighttpd.conf"), conf);
  await start();
});

afterAll(async () => {
  await end();
  rmSync(root, { recursive: true });
});

/** The pieces of a backup; `atPiece` is called before each. */
function fileOf(name: string, pieces = PIECES, atPiece: (at: number) => Promise<void> = async () => undefined) {
  const open = async () =>
    (async function* () {
      for (let at = 0; at < pieces; at += 1) {
        await atPiece(at);
        yield PIECE;
      }
    })();
  return { name, bytes: pieces * PIECE.length, open };
}

function partsFor(change: object = {}, sleep: () => Promise<void> = () => Promise.reject(new Error("it waits"))) {
  const account = { username: "anna", password: "secret of the NAS" };
  const webdav = { url: `http://127.0.0.1:${port}/house/cellar`, ...account, ...change };
  const timer = nodeClock(() => "synced").timer;
  return { webdav, keep: 2, http: nodeHttp(), log: new TestLog(), clock: { timer, sleep } };
}

test("Backups are uploaded into a new folder, listed with their sizes, and the oldest are removed", async () => {
  const parts = partsFor();
  for (const day of ["21", "22", "23"]) {
    await uploadBackup(parts, fileOf(`hemgate-202606${day}T024000Z.hgbackup`), signal);
  }
  const names = ["hemgate-20260623T024000Z.hgbackup", "hemgate-20260622T024000Z.hgbackup"];
  const bytes = PIECES * PIECE.length;
  expect(await uploadedBackups(parts, signal)).toEqual(names.map((name) => ({ name, bytes })));
  const folder = join(disk, "house/cellar");
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  expect(readFileSync(join(folder, names[0] ?? "")).equals(Buffer.concat(Array(PIECES).fill(PIECE)))).toBe(true);
});

test("A server that dies in the middle has no backup of that name, and has it whole after the next attempt", async () => {
  const name = "hemgate-20260624T024000Z.hgbackup";
  const folder = join(disk, "house/cellar");
  const pauses: string[][] = [];
  const parts = partsFor({}, async () => {
    pauses.push(readdirSync(folder));
    await start();
  });
  let isKilled = false;
  const file = fileOf(name, PIECES, async (at) => {
    if (at !== PIECES / 2 || isKilled) return;
    isKilled = true;
    await end();
  });
  await uploadBackup(parts, file, signal);
  expect(pauses).toHaveLength(1);
  expect(pauses.flat()).not.toContain(name);
  expect(statSync(join(folder, name)).size).toBe(file.bytes);
  expect(readdirSync(folder).filter((each) => each.endsWith(".part"))).toEqual([]);
  expect(parts.log.texts("warn")).toHaveLength(1);
});

test("Refusals say what to do: a wrong password, a file that is too large, and no WebDAV at all", async () => {
  const wrong = partsFor({ password: "another" });
  await expect(uploadBackup(wrong, fileOf("hemgate-20260625T024000Z.hgbackup"), signal)).rejects.toThrow(
    `127.0.0.1:${port} refuses the account (HTTP 401): check username and password`,
  );
  const large = fileOf("hemgate-20260625T024000Z.hgbackup", 200);
  await expect(uploadBackup(partsFor(), large, signal)).rejects.toThrow(
    "takes no file of 13.1 MB (HTTP 413): raise the largest upload",
  );
  expect(readdirSync(join(disk, "house/cellar"))).not.toContain(large.name);
});
