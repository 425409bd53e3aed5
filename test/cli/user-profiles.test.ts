import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { knownAdapters } from "../../src/cli/foreign-adapters.ts";
import { userProfiles } from "../../src/cli/user-profiles.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { PROFILE_STARTER } from "../../src/config/profile/starter.ts";
import { temporaryFolder } from "./hemgate-process.ts";

function stateWith(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  mkdirSync(join(folder.path, "profiles"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, "profiles", name), text);
  return folder;
}

function named(id: string): string {
  return PROFILE_STARTER.replace("id: my-meter ", `id: ${id} `);
}

test("without a folder there are no profiles of the user", async () => {
  using folder = temporaryFolder();
  expect(await userProfiles(folder.path)).toEqual({ profiles: [], broken: [], problems: [] });
});

test("files of the state folder are profiles; others are left alone", async () => {
  using folder = stateWith({ "my-meter.yaml": PROFILE_STARTER, "a.yml": named("a"), "notes.txt": "no profile" });
  const { profiles, broken, problems } = await userProfiles(folder.path);
  expect([profiles.map(({ id }) => id), broken, problems]).toEqual([["a", "my-meter"], [], []]);
});

test("what is wrong is told with its place, and shadows nothing", async () => {
  using folder = stateWith({
    "broken.yaml": PROFILE_STARTER.replace("type: int32", "type: in32"),
    "keba-p30.yaml": named("keba-p30"),
    "other.yaml": named("another"),
    "sunspec.yaml": named("sunspec"),
  });
  const { profiles, broken, problems } = await userProfiles(folder.path);
  expect(profiles).toEqual([]);
  expect(broken.map(({ id }) => id)).toEqual(["broken", "other"]);
  expect(problems).toEqual([
    expect.stringMatching(/profiles\/broken\.yaml:\d+:\d+: points\[0\]\.type: wrong value; .*did you mean "int32"\?$/),
    expect.stringMatching(/keba-p30\.yaml: id: a profile of this name is built in/),
    expect.stringMatching(/other\.yaml: id: the file's name says other, its id another/),
    expect.stringMatching(/sunspec\.yaml: id: a profile of this name is built in/),
  ]);
});

test("the configuration names them like others, and a broken one keeps nothing else from starting", async () => {
  using folder = stateWith({ "my-meter.yaml": PROFILE_STARTER, "broken.yaml": "id: 1" });
  const text = `devices:
  - { id: one, adapter: modbus, profile: my-meter, host: a }
  - { id: two, adapter: modbus, profile: broken, host: b }
`;
  const { adapters, problems } = await knownAdapters(text, folder.path);
  expect(loadConfig({ text, environment: {}, adapters })).toMatchObject({ ok: true });
  expect(problems.length).toBeGreaterThan(0);
});
