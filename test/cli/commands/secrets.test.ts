import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { rotateSecrets } from "../../../src/cli/commands/secrets.ts";
import type { CliContext } from "../../../src/cli/context.ts";
import { EXIT } from "../../../src/cli/exit-code.ts";
import { endRotation, keySource, presentKeys, startKeys } from "../../../src/cli/secret-keys.ts";
import { readKeyFile, readOrMakeKeyFile } from "../../../src/platform/node/files/secret-key-file.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { temporaryFolder } from "../hemgate-process.ts";

const HERE = { environment: {}, workingFolder: "/here" };
const KEY = "11".repeat(32);

function makeContext(environment: CliContext["environment"] = {}) {
  const told: string[] = [];
  const context: CliContext = {
    environment,
    home: "/home/a",
    workingFolder: "/here",
    pid: 1,
    isTerminal: false,
    stop: new AbortController().signal,
    out: (text) => told.push(text),
    err: (text) => told.push(text),
  };
  return { context, told };
}

describe("the key file", () => {
  test.each([
    ["the option", "k", { HEMGATE_KEY_FILE: "/e" }, { path: "/here/k", kind: "named" }],
    ["the environment", undefined, { HEMGATE_KEY_FILE: "/e" }, { path: "/e", kind: "named" }],
    ["beside the state folder", undefined, { CREDENTIALS_DIRECTORY: "/nowhere" }, { path: "/s.key", kind: "default" }],
  ])("is %s", (_name, option, environment, source) => {
    expect(keySource(option, "/s", { ...HERE, environment })).toEqual(source);
  });

  test.each(["/var/lib/hemgate", "/var/lib/private/hemgate/"])(
    "of the service's memory %s is the service's, so that what a restore seals opens for it",
    (folder) => {
      expect(keySource(undefined, folder, HERE)).toEqual({ path: "/etc/hemgate/hemgate.key", kind: "named" });
      expect(keySource("/k", folder, HERE)).toEqual({ path: "/k", kind: "named" });
    },
  );

  test("is systemd's credential when there is one, unless another is named", () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "hemgate-key");
    writeFileSync(path, KEY);
    const environment = { CREDENTIALS_DIRECTORY: folder.path, HEMGATE_KEY_FILE: "/e" };
    expect(keySource(undefined, "/s", { ...HERE, environment })).toEqual({ path, kind: "credential" });
    expect(keySource("/k", "/s", { ...HERE, environment })).toEqual({ path: "/k", kind: "named" });
  });

  test.each(["/s/k", "/s", "/s/a/../b"])("is not in the state folder: %s", (path) => {
    expect(() => keySource(path, "/s", HERE)).toThrow("is in the state folder");
  });

  test("is made by the first start only where nobody named it, for its owner alone", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "state.key");
    const advice = "does not exist. Name the file with --key-file, or put its copy back";
    await expect(startKeys({ path, kind: "named" })).rejects.toThrow(advice);
    await expect(presentKeys({ path, kind: "named" })).rejects.toThrow(advice);
    expect(await presentKeys({ path, kind: "default" })).toEqual([]);
    const keys = await startKeys({ path, kind: "default" });
    expect(keys).toHaveLength(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await startKeys({ path, kind: "default" })).toEqual(keys);
  });

  test("is explained where systemd had nothing to hand over", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "hemgate-key");
    // As the unit's SetCredential makes it.
    writeFileSync(path, "#");
    const { kind } = keySource(undefined, "/s", { ...HERE, environment: { CREDENTIALS_DIRECTORY: folder.path } });
    const advice = "has no key in it. systemd found no key at the source that the unit names, /etc/hemgate/hemgate.key";
    await expect(startKeys({ path, kind })).rejects.toThrow(advice);
    await expect(startKeys({ path, kind })).rejects.toThrow("secrets rotate --key-file /etc/hemgate/hemgate.key");
  });

  test("is one and the same for gateways that make it at the same time", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "state.key");
    const made = await Promise.all(Array.from({ length: 8 }, () => readOrMakeKeyFile(path)));
    for (const keys of made) expect(keys).toEqual(made[0]);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });

  test.each([
    ["", "has no key in it"],
    ["# only words\n", "has no key in it"],
    ["c2hvcnQ=\n", ":1: no key; expected 32 bytes in base64 or hex"],
    [`${KEY}\nnone`, ":2: no key; expected 32 bytes in base64 or hex"],
  ])("is refused as %j, without a word of what is in it", async (text, problem) => {
    using folder = temporaryFolder();
    const path = join(folder.path, "k");
    writeFileSync(path, text);
    await expect(readKeyFile(path)).rejects.toThrow(`${path}${problem.startsWith(":") ? "" : " "}${problem}`);
  });
});

describe("hemgate secrets rotate", () => {
  test("puts a new key first, and the next start takes the old one out", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "k");
    writeFileSync(path, `${KEY}\n`);
    const { context, told } = makeContext();
    const options = { folder: "/s", keyFile: path, isJson: true };
    expect(await rotateSecrets(options, context)).toBe(EXIT.ok);
    const keys = await readKeyFile(path);
    expect(keys.map((key) => Buffer.from(key).toString("hex"))).toEqual([expect.not.stringMatching(KEY), KEY]);
    expect(told.join("")).not.toContain(Buffer.from(keys[0] ?? []).toString("base64"));

    const log = new TestLog();
    const source = { path, kind: "named" } as const;
    const locked = [{ table: "device", key: "d", reason: "its key is missing" }];
    await endRotation(source, { keys, store: { locked }, log });
    expect(await readKeyFile(path)).toEqual(keys);
    await endRotation({ ...source, kind: "credential" }, { keys, store: { locked: [] }, log });
    expect(await readKeyFile(path)).toEqual(keys);
    await endRotation(source, { keys, store: { locked: [] }, log });
    expect(await readKeyFile(path)).toEqual(keys.slice(0, 1));
    expect(readFileSync(path, "utf8")).toMatch(/^# Seals/);
  });

  test("does not take a key out that was added while the gateway started", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "k");
    writeFileSync(path, `${KEY}\n${"22".repeat(32)}\n`);
    const keys = await readKeyFile(path);
    await rotateSecrets({ folder: "/s", keyFile: path, isJson: false }, makeContext().context);
    await endRotation({ path, kind: "named" }, { keys, store: { locked: [] }, log: new TestLog() });
    expect(await readKeyFile(path)).toHaveLength(3);
  });

  test("makes a file that is named, and none that is not", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "k");
    const { context } = makeContext();
    await expect(
      rotateSecrets({ folder: join(folder.path, "s"), keyFile: undefined, isJson: false }, context),
    ).rejects.toMatchObject({ exitCode: EXIT.unavailable });
    await rotateSecrets({ folder: "/s", keyFile: path, isJson: false }, context);
    expect(await readKeyFile(path)).toHaveLength(1);
  });

  test("tells whoever names the service's own copy to name its source", async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "hemgate-key"), KEY);
    const { context } = makeContext({ CREDENTIALS_DIRECTORY: folder.path });
    await expect(rotateSecrets({ folder: "/s", keyFile: undefined, isJson: false }, context)).rejects.toMatchObject({
      exitCode: EXIT.usage,
    });
  });
});
