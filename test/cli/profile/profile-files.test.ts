import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../../src/cli/exit-code.ts";
import { inUseText } from "../../../src/cli/profile/in-use.ts";
import { checkProfile, initProfile, listProfiles, showProfile } from "../../../src/cli/profile/profile-files.ts";
import { controlSocketPath } from "../../../src/cli/state-folder.ts";
import { loadProfile } from "../../../src/config/profile/load-profile.ts";
import { temporaryFolder } from "../hemgate-process.ts";

function printer() {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out,
    err,
    context: { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) },
  };
}

test("the profile to begin with is right as it stands, and is not written over another file", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "my-meter.yaml");
  const { context, out } = printer();
  expect(await initProfile({ out: file, folder: folder.path, isJson: false }, context)).toBe(EXIT.ok);
  expect(await checkProfile(file, { isJson: false }, context)).toBe(EXIT.ok);
  expect(out).toEqual([`${file}: right; my-meter reads 3 registers`]);
  await expect(initProfile({ out: file, folder: folder.path, isJson: false }, context)).rejects.toMatchObject({
    exitCode: EXIT.failed,
  });
  expect(readFileSync(file, "utf8")).toMatch(/^# A device with registers/);
});

test("what its comments show of a control is right, too", async () => {
  const { context, out } = printer();
  await initProfile({ folder: "/nonexistent", isJson: false }, context);
  const [before = "", commented = ""] = out.join("\n").split("# controls:");
  const text = `${before}controls:${commented.replaceAll(/^# /gm, "").replace("controls: []", "")}`;
  expect(loadProfile(text)).toMatchObject({ ok: true, profile: { controls: [{ point: "charger.maxCurrent" }] } });
});

test("a copy has a name of its own and is right", async () => {
  const { context, out } = printer();
  await initProfile({ from: "foxess-h3", folder: "/nonexistent", isJson: false }, context);
  expect(loadProfile(out.join("\n"))).toMatchObject({ ok: true, profile: { id: "my-foxess-h3" } });
  await initProfile({ from: "foxess-h3", folder: "/nonexistent", isJson: true }, context);
  expect(JSON.parse(out[1] ?? "").text.trimEnd()).toBe(out[0]);
});

test("a wrong file is told line by line", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "x.json");
  writeFileSync(file, "{}");
  const { context, err } = printer();
  expect(await checkProfile(file, { isJson: false }, context)).toBe(EXIT.failed);
  expect(err.join("\n").split("\n")).toContain(`${file}:1:1: points: missing; expected a list`);
});

test("the list has every profile and where it is from, and show prints one that can be read", async () => {
  const { context, out } = printer();
  expect(await listProfiles({ folder: "/nonexistent", isJson: true }, context)).toBe(EXIT.ok);
  const { profiles } = JSON.parse(out.join("")) as { profiles: { id: string; origin: string }[] };
  expect(profiles).toContainEqual(expect.objectContaining({ id: "keba-p30", origin: "built in" }));
  const shown = printer();
  await showProfile("keba-p30", { folder: "/nonexistent", isJson: false }, shown.context);
  expect(loadProfile(shown.out.join("\n"))).toMatchObject({ ok: true, profile: { id: "keba-p30" } });
});

test("a running gateway that reads the device is named before the device is asked", async () => {
  using folder = temporaryFolder();
  const configFile = join(folder.path, "gateway.yaml");
  writeFileSync(configFile, "devices:\n  - { id: cellar, adapter: modbus, host: Meter.lan }\n");
  const device = { id: "cellar", adapter: "modbus", vendor: null, identity: null, isReachable: true, lastError: null };
  const rest = { ageMs: 1, assets: [], points: [], takenOver: [] };
  const state = {
    version: "1",
    address: null,
    isReady: true,
    failures: [],
    checks: [],
    devices: [{ ...device, ...rest }],
  };
  const server = createServer((_request, response) => response.end(JSON.stringify(state)));
  await new Promise<void>((resolve) => void server.listen(controlSocketPath(folder.path), resolve));
  const asked = { folder: folder.path, configFile };
  const { signal } = new AbortController();
  expect(await inUseText({ ...asked, line: { host: "meter.lan" } }, signal)).toContain(
    'the running gateway reads "cellar"',
  );
  expect(await inUseText({ ...asked, line: { host: "other" } }, signal)).toContain("a gateway runs (cellar)");
  server.close();
  expect(await inUseText({ folder: "/nonexistent", configFile, line: { host: "meter.lan" } }, signal)).toBeNull();
});
