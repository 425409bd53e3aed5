/** Secrets that are typed at the wrong place of a command line, or stand in a file that it reads: none is repeated. */
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { found, makeCanary } from "./canary.ts";
import { temporaryFolder } from "./hemgate-process.ts";
import { sayingOf } from "./saying.ts";

const MODBUS = ["profile", "test", "deye-3p", "--host", "127.0.0.1", "--port", "1"];

async function expectUnrepeated(words: readonly string[], secret: string, environment = {}): Promise<string> {
  const said = await sayingOf(words, environment);
  expect(said).not.toBe("");
  expect(said).not.toContain("this is a bug");
  expect(found(new Map([["it", secret]]), Buffer.from(said)), said).toEqual([]);
  return said;
}

test.each<readonly [string, (secret: string) => readonly string[]]>([
  ["the value of an unknown option", (secret) => ["devices", `--password=${secret}`]],
  ["the value of an unknown option of the program", (secret) => [`--token=${secret}`]],
  ["a word in place of a command", (secret) => [secret]],
  ["a link in place of a command of cloud", (secret) => ["cloud", `https://cloud.example/#${secret}`]],
  ["a word in place of a command of profile", (secret) => ["profile", secret]],
  ["a word in place of a command of secrets", (secret) => ["secrets", secret]],
  ["an argument too many", (secret) => ["secrets", "rotate", secret]],
  ["an unknown option of secrets", (secret) => ["secrets", "rotate", `--key=${secret}`]],
  ["a setting that is no number", (secret) => [...MODBUS, "--setting", `password=${secret}`]],
  ["a setting without a name", (secret) => [...MODBUS, "--setting", secret]],
  ["a write to an unknown control", (secret) => [...MODBUS, "--write", `password=${secret}`, "--yes"]],
  ["a write without a control", (secret) => [...MODBUS, "--write", secret, "--yes"]],
  ["a write of a wrong value", (secret) => [...MODBUS, "--write", `battery.mode=${secret}`, "--yes"]],
  ["a port that is no number", (secret) => [...MODBUS, "--port", secret, "--unit", secret]],
  ["a framing that there is not", (secret) => [...MODBUS, "--framing", secret, "--parity", secret]],
  ["a host with a password", (secret) => [...MODBUS, "--host", `http://u:${secret}@127.0.0.1:1`]],
  ["a host with a password and no scheme", (secret) => [...MODBUS, "--host", `u:${secret}@127.0.0.1`]],
  ["the URL of a profile to test", (secret) => ["profile", "test", `https://u:${secret}@b.example/p.yaml`]],
  ["the URL of a profile to check", (secret) => ["profile", "check", `https://u:${secret}@b.example/p.yaml`]],
  ["the URL of a profile to show", (secret) => ["profile", "show", `https://u:${secret}@b.example/p.yaml`]],
  ["the URL of a profile to begin from", (secret) => ["profile", "init", "--from", `https://u:${secret}@b.example/`]],
  ["the URL of a profile to write", (secret) => ["profile", "init", "--out", `https://u:${secret}@b.example/`]],
  ["the URL of a configuration", (secret) => ["check-config", `https://u:${secret}@b.example/g.yaml`]],
])("%s is not repeated", async (_what, words) => {
  const secret = makeCanary("typed");
  await expectUnrepeated(words(secret), secret);
});

test.each([
  ["an unknown key", (secret: string) => `id: a\npassword: ${secret}\n`],
  ["an unknown list", (secret: string) => `id: a\ntoken: [${secret}]\n`],
  ["an unknown map", (secret: string) => `id: a\nsecret: { a: ${secret} }\n`],
  ["a key of a point", (secret: string) => `id: a\npoints: [{ password: ${secret} }]\n`],
  ["a URL", (secret: string) => `id: "https://u:${secret}@host.example/"\n`],
  ["a setting", (secret: string) => `id: a\nsettings: { password: ${secret}, token: [${secret}] }\n`],
  ["a text in place of a map", (secret: string) => `id: a\nlimits: "password:${secret}"\n`],
  ["a whole file that is text", (secret: string) => `"${secret}"\n`],
  ["a quote that does not end", (secret: string) => `id: a\npassword: "${secret}\n`],
  ["an alias", (secret: string) => `id: a\npassword: *${secret}\n`],
])("a secret in a profile, as %s, is not repeated", async (_what, text) => {
  using folder = temporaryFolder();
  const secret = makeCanary("profile");
  const file = join(folder.path, "a.yaml");
  writeFileSync(file, text(secret));
  for (const words of [
    ["profile", "check", file],
    ["profile", "check", file, "--json"],
    ["profile", "show", file],
    ["profile", "test", file, "--host", "127.0.0.1", "--port", "1"],
    ["profile", "init", "--from", file],
  ]) {
    await expectUnrepeated(words, secret);
  }
});

test.each([
  ["in hex", randomBytes(32).toString("hex")],
  ["in base64", randomBytes(32).toString("base64")],
])("a key %s in place of the file with it is refused and not repeated", async (_form, key) => {
  using folder = temporaryFolder();
  const state = join(folder.path, "state");
  for (const [words, environment] of [
    [["secrets", "rotate", "--key-file", key, "--state", state], {}],
    [["secrets", "rotate", "--state", state], { HEMGATE_KEY_FILE: key }],
    [["client", "create", "--name", "app", "--key-file", key, "--state", state], {}],
  ] as const) {
    const said = await expectUnrepeated(words, key, environment);
    expect(said).toMatch(
      /(--key-file|HEMGATE_KEY_FILE) is a key itself; write the key into a file and name that file$/,
    );
  }
  expect(existsSync(key)).toBe(false);
});

test.each([
  ["another form", (secret: string) => `${secret}\n`],
  [
    "a key that is cut off",
    (secret: string) => `# a comment\n${Buffer.from(secret).toString("base64").slice(0, 40)}\n`,
  ],
  ["JSON", (secret: string) => `{ "keys": ["${secret}"] }\n`],
])("a key file with %s is not repeated", async (_what, text) => {
  using folder = temporaryFolder();
  const secret = makeCanary("key");
  const file = join(folder.path, "hemgate.key");
  writeFileSync(file, text(secret));
  const said = await expectUnrepeated(["secrets", "rotate", "--key-file", file, "--state", `${folder.path}/s`], secret);
  expect(said).toContain(`${file}:`);
});
