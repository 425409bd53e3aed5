import { describe, expect, test } from "vitest";
import { type UploadFile, uploadBackup, uploadedBackups } from "../../../src/engine/backup/backup-upload.ts";
import { SimWeb } from "../../../src/testing/network/sim-web.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { SimWebDav } from "./sim-webdav.ts";

const ADDRESS = "192.168.1.20";
const NAME = "hemgate-20260624T024000Z.hgbackup";
const FOLDER = "/dav/house/hemgate/";
const BYTES = Buffer.alloc(200_000, 0x5a);
const HOUR_MS = 3_600_000;

function openServer(change: object = {}) {
  const clock = new VirtualClock();
  const web = new SimWeb(clock, new SeededRandom(3));
  const nas = new SimWebDav();
  web.name("nas.example", [ADDRESS]);
  web.listen(ADDRESS, 443, nas);
  const log = new TestLog();
  const account = { username: "anna", password: "secret of the NAS" };
  const webdav = { url: `https://nas.example${FOLDER}`, ...account, ...change };
  const parts = { webdav, keep: 2, http: web.host(), clock, log };
  const stop = new AbortController();
  const file: UploadFile = {
    name: NAME,
    bytes: BYTES.length,
    open: async () =>
      (async function* () {
        for (let at = 0; at < BYTES.length; at += 65_536) yield BYTES.subarray(at, at + 65_536);
      })(),
  };
  const upload = (of = file) => clock.resolve(uploadBackup(parts, of, stop.signal), HOUR_MS);
  const list = () => clock.resolve(uploadedBackups(parts, stop.signal), HOUR_MS);
  /** The failure of an upload. */
  const refusal = async (of = file): Promise<string> => {
    const error: unknown = await upload(of).catch((reason: unknown) => reason);
    if (!(error instanceof Error)) throw new Error("it was uploaded");
    return error.message;
  };
  return { clock, web, nas, log, stop, file, upload, list, refusal };
}

describe("a backup on a WebDAV server", () => {
  test("is uploaded under another name into a folder that is made, and has its name when it is whole", async () => {
    const { nas, upload, list } = openServer();
    nas.folders.add("/dav/");
    expect(await list()).toEqual([]);
    nas.asked.length = 0;
    await upload();
    expect([...nas.files]).toEqual([[`${FOLDER}${NAME}`, BYTES]]);
    expect(nas.asked).toEqual([
      `PROPFIND ${FOLDER}`,
      `MKCOL ${FOLDER}`,
      "MKCOL /dav/house/",
      `MKCOL ${FOLDER}`,
      `PUT ${FOLDER}${NAME}.part`,
      `PROPFIND ${FOLDER}${NAME}.part`,
      `MOVE ${FOLDER}${NAME}.part`,
    ]);
    expect(await list()).toEqual([{ name: NAME, bytes: BYTES.length }]);
  });

  test("takes the place of the oldest beyond those to keep, and of none of somebody else", async () => {
    const { nas, upload } = openServer();
    nas.folders.add(FOLDER);
    const names = ["hemgate-20260621T024000Z.hgbackup", "hemgate-20260623T024000Z.hgbackup", "photo.jpg"];
    for (const name of [...names, `${NAME}.part`, "other.hgbackup.part"])
      nas.files.set(FOLDER + name, new Uint8Array(1));
    await upload();
    const left = [...nas.files.keys()].map((path) => path.slice(FOLDER.length)).toSorted();
    expect(left).toEqual(["hemgate-20260623T024000Z.hgbackup", NAME, "other.hgbackup.part", "photo.jpg"]);
  });

  test("is not there when the server kept a part of it, and is tried three times", async () => {
    const { nas, refusal, log, clock } = openServer();
    nas.folders.add(FOLDER);
    nas.instead = ({ method, path }) => {
      if (method !== "PUT") return null;
      nas.files.set(path, new Uint8Array(1_000));
      return { status: 201 };
    };
    expect(await refusal()).toBe(
      "nas.example has 1000 bytes after 200000 bytes were uploaded: look whether its disk is full",
    );
    expect(nas.files.size).toBe(0);
    expect(nas.asked.filter((line) => line.startsWith("PUT"))).toHaveLength(3);
    expect(clock.monotonicMs()).toBeGreaterThan(11 * 60_000);
    expect(log.texts("warn")).toHaveLength(2);
  });

  test("is uploaded once when only the answer to its last step was lost", async () => {
    const { nas, upload } = openServer();
    nas.folders.add(FOLDER);
    let isLost = false;
    nas.instead = (request) => {
      if (request.method !== "MOVE" || isLost) return null;
      isLost = true;
      nas.serve(request);
      return { fault: "break" };
    };
    await upload();
    expect([...nas.files.keys()]).toEqual([`${FOLDER}${NAME}`]);
    expect(nas.asked.filter((line) => line.startsWith("PUT"))).toHaveLength(1);
  });

  test("leaves what a server has of another gateway under the same name", async () => {
    const { nas, refusal } = openServer();
    nas.folders.add(FOLDER);
    nas.files.set(FOLDER + NAME, new Uint8Array(3));
    expect(await refusal()).toContain("give each gateway its own folder");
    expect([...nas.files]).toEqual([[FOLDER + NAME, new Uint8Array(3)]]);
  });

  test.each([
    [401, { "www-authenticate": "Digest realm=x" }, "let it allow Basic authentication"],
    [403, {}, "nas.example does not let the account list files (HTTP 403): allow it to write in /dav/house/hemgate/"],
    [301, { location: "https://other.example/dav/?token=canary" }, "(https://other.example/dav/)"],
    [405, {}, "does not speak WebDAV"],
    [200, {}, "answered HTTP 200 when it was to list files"],
  ])("that is answered with %i is refused with what to do, at once", async (status, headers, sentence) => {
    const { nas, refusal } = openServer();
    nas.instead = () => ({ status, headers });
    const message = await refusal();
    expect(message).toContain(sentence);
    expect(message).not.toContain("canary");
    expect(nas.asked).toHaveLength(1);
  });

  test("that the server's disk has no space for, or that is too large, says so and leaves nothing there", async () => {
    const { nas, refusal } = openServer();
    nas.folders.add(FOLDER);
    nas.quotaBytes = 1_000;
    expect(await refusal()).toContain("is full (HTTP 507): remove files there, or lower backup.keep");
    nas.instead = ({ method }) => (method === "PUT" ? { status: 413 } : null);
    expect(await refusal()).toContain("takes no file of 0.2 MB (HTTP 413)");
    expect(nas.files.size).toBe(0);
  });

  test.each([
    ["a wrong password", { password: "another" }, "refuses the account (HTTP 401): check username and password"],
    ["an unknown name", { url: "https://nowhere.example/a" }, "check the name in backup.webdav.url"],
    ["no server there", { url: `https://${ADDRESS}:8443/a` }, "check the port in backup.webdav.url"],
    ["another certificate", { fingerprint: "ab".repeat(32) }, "put the SHA-256 of it into backup.webdav.fingerprint"],
    ["plain http into the Internet", { url: "http://93.184.216.34/a" }, "use https outside of the house"],
    ["no folder at all", { url: "https://nas.example/gone/" }, "has no WebDAV folder at /gone/ (HTTP 404)"],
  ])("of %s says what to do, and shows no password", async (_what, change, sentence) => {
    const { nas, refusal } = openServer(change);
    if ("url" in change) nas.instead = () => ({ status: 404 });
    const message = await refusal();
    expect(message).toContain(sentence);
    expect(message).not.toMatch(/secret|another/u);
  });

  test("whose server falls silent is given up in time", async () => {
    const { nas, refusal } = openServer();
    nas.instead = () => ({ fault: "hang" });
    expect(await refusal()).toContain("nas.example did not answer in time: look whether it is on");
  });

  test("that cannot be read says what the disk says, and a stop ends all", async () => {
    const { nas, refusal, stop, file, upload } = openServer();
    nas.folders.add(FOLDER);
    const broken: UploadFile = {
      ...file,
      open: async () =>
        (async function* (): AsyncGenerator<Uint8Array> {
          yield BYTES.subarray(0, 10);
          throw new Error("the disk is gone");
        })(),
    };
    expect(await refusal(broken)).toBe("the disk is gone");
    stop.abort(new Error("the gateway stopped meanwhile"));
    await expect(upload()).rejects.toThrow("the gateway stopped meanwhile");
  });

  test("is not taken from an answer that is no list", async () => {
    const { nas, list } = openServer();
    for (const body of ["<html><br>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", ""]) {
      nas.instead = () => ({ status: 207, body });
      await expect(list()).rejects.toThrow(/backup\.webdav\.url has to be a WebDAV folder/u);
    }
  });
});
