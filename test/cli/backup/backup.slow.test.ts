import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../../src/cli/exit-code.ts";
import {
  CONFIG,
  FIRST_MS,
  makeState,
  openState,
  PASSPHRASE,
  SAMPLES,
  SECRET,
  say,
  temporaryPlace,
} from "./house-state.ts";

/** A house, its backup, and the place of another box. */
async function backedUp(root: string) {
  const house = { state: join(root, "house"), config: join(root, "house.yaml") };
  const box = { state: join(root, "box"), config: join(root, "box.yaml") };
  const file = join(root, "one.hgbackup");
  await makeState(house.state, house.config);
  const made = await say(["backup", "create", file, "--state", house.state, "--config", house.config]);
  expect(made).toMatchObject({ code: EXIT.ok });
  const restore = (as: string, passphrase?: string) =>
    say(["backup", "restore", file, "--as", as, "--state", box.state, "--config", box.config], passphrase);
  return { house, box, file, made, restore };
}

/** What is in a folder, file by file. */
function contentOf(folder: string): ReadonlyMap<string, string> {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return new Map(
    files.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? [[path, readFileSync(path, "base64")] as const] : [];
    }),
  );
}

describe("hemgate backup create and verify", () => {
  test("write one file that only its owner reads, and say what is in it, without any secret", async () => {
    using root = temporaryPlace();
    const { file, made, house } = await backedUp(root.path);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(root.path)).toEqual(["house", "house.key", "house.yaml", "one.hgbackup"]);
    const { code, text } = await say(["backup", "verify", file, "--json"]);
    expect(code).toBe(EXIT.ok);
    expect(JSON.parse(text)).toMatchObject({
      ...{ file, hasConfiguration: true, hasKeys: true, bytes: statSync(file).size },
      files: ["state/adapters/mine/index.js", "state/profiles/meter.yaml"],
    });
    expect((await say(["backup", "verify", file])).text).toMatch(
      /whole\nmade {7}.*\ncontains {3}the configuration, keys, 2/,
    );
    const bytes = readFileSync(file);
    const [key = ""] = readFileSync(`${house.state}.key`, "utf8").trim().split("\n").slice(-1);
    for (const secret of [SECRET, PASSPHRASE, key, "Haus am See"]) {
      expect(bytes.includes(secret)).toBe(false);
      expect(`${made.text}${text}`).not.toContain(secret);
    }
  });

  test("change nothing of the state, and replace no file", async () => {
    using root = temporaryPlace();
    const { file, house } = await backedUp(root.path);
    const before = readFileSync(file);
    const again = await say(["backup", "create", file, "--state", house.state, "--config", house.config]);
    expect(again).toEqual({ code: EXIT.unavailable, text: `hemgate: ${file} exists already; name another file` });
    expect(readFileSync(file).equals(before)).toBe(true);
    await using store = await openState(house.state);
    expect(store.recovered).toEqual([]);
    expect(store.get("action", "pending")?.isDoubtful).toBeUndefined();
  });

  test.each([
    ["a short passphrase", ["/x.hgbackup"], "short", EXIT.usage, "at least 12 characters"],
    ["another ending", ["/x.bin"], PASSPHRASE, EXIT.usage, "has to end with .hgbackup"],
    ["no passphrase", ["/x.hgbackup"], "", EXIT.usage, "--passphrase-file, or set HEMGATE_BACKUP_PASSPHRASE"],
    ["no state", ["/x.hgbackup", "--state", "/nowhere/at/all"], PASSPHRASE, EXIT.failed, "no state of a gateway"],
  ])("refuse %s", async (_name, words, passphrase, code, text) => {
    const said = await say(["backup", "create", ...words], passphrase);
    expect(said).toEqual({ code, text: expect.stringContaining(text) });
  });

  test("do not make a backup that nobody could open, where the key is elsewhere", async () => {
    using root = temporaryPlace();
    const { house } = await backedUp(root.path);
    const words = ["--state", house.state, "--config", house.config, "--key-file", join(root.path, "none")];
    const said = await say(["backup", "create", join(root.path, "two.hgbackup"), ...words]);
    expect(said.code).toBe(EXIT.unavailable);
    expect(existsSync(join(root.path, "two.hgbackup"))).toBe(false);
  });

  test("list the backups of a folder, newest first", async () => {
    using root = temporaryPlace();
    const { file } = await backedUp(root.path);
    expect((await say(["backup", "list", root.path])).text).toMatch(/^NAME +SIZE +WRITTEN\none\.hgbackup +[\d.]+ kB/);
    const { text } = await say(["backup", "list", root.path, "--json"]);
    expect(JSON.parse(text)).toEqual([{ file, bytes: statSync(file).size, writtenAt: expect.any(String) }]);
    expect((await say(["backup", "list", join(root.path, "house")])).text).toContain("there is no backup in");
  });
});

describe("hemgate backup restore", () => {
  test("gives a new box the same readings, people's records, secrets, files and configuration, under its own key", async () => {
    using root = temporaryPlace();
    const { box, restore } = await backedUp(root.path);
    const said = await restore("this-gateway");
    expect(said).toMatchObject({ code: EXIT.ok });
    expect(said.text).toContain("It is the gateway now: do not start the other box again.");
    expect(readFileSync(box.config, "utf8")).toBe(CONFIG);
    expect(readFileSync(join(box.state, "profiles", "meter.yaml"), "utf8")).toBe("id: meter\n");
    expect(readFileSync(join(box.state, "adapters", "mine", "index.js"), "utf8")).toContain("adapter");
    expect(readdirSync(box.state).filter((name) => name.includes("restore"))).toEqual([]);
    await using store = await openState(box.state);
    expect([store.recovered, store.locked]).toEqual([[], []]);
    expect(store.all("client")).toHaveLength(1);
    expect(store.get("webhook", "w1")).toMatchObject({ secret: SECRET, isActive: true });
    expect(store.get("gateway", "this")).toEqual({ id: "the-original" });
    const samples = await store.history("meter", FIRST_MS, FIRST_MS + SAMPLES * 5_000);
    expect(samples.map(({ values }) => values[0]?.value)).toEqual(
      Array.from({ length: SAMPLES }, (_, index) => (index % 10 === 9 ? null : index)),
    );
  });

  test("lets no command run again: what was pending is ended, and the journal goes on in an epoch that nobody used", async () => {
    using root = temporaryPlace();
    const { box, house, restore } = await backedUp(root.path);
    await restore("this-gateway");
    await using original = await openState(house.state);
    await using store = await openState(box.state);
    expect(store.get("action", "pending")).toMatchObject({ isDoubtful: true });
    expect(store.get("action", "done")?.isDoubtful).toBeUndefined();
    expect(store.get("lease", "charger")).toMatchObject({ state: "released" });
    expect(store.get("lease", "other")?.state).toBeUndefined();
    expect(store.get("cloud-command", "cmd")).toMatchObject({ expiresAtMs: 0 });
    expect(store.epoch).toBeGreaterThan(original.epoch + 1_000_000);
  });

  test("makes a copy another gateway: no id, no leases, no cloud service, and its webhooks are paused", async () => {
    using root = temporaryPlace();
    const { box, restore } = await backedUp(root.path);
    expect(await restore("copy")).toMatchObject({ code: EXIT.ok });
    expect(readFileSync(box.config, "utf8")).toBe("# the house of the tests\nsite:\n  name: Haus am See\n");
    await using store = await openState(box.state);
    expect([store.all("gateway"), store.all("lease"), store.all("cloud-command")]).toEqual([[], [], []]);
    expect(store.get("webhook", "w1")).toMatchObject({ secret: SECRET, isActive: false });
    expect(store.get("action", "pending")).toMatchObject({ isDoubtful: true });
    expect(store.all("client")).toHaveLength(1);
  });

  test("keeps what it replaces, and leaves the present key as it is", async () => {
    using root = temporaryPlace();
    const { box, restore } = await backedUp(root.path);
    await makeState(box.state, box.config);
    writeFileSync(box.config, "site: {}\n");
    const key = readFileSync(`${box.state}.key`, "utf8");
    const { text, code } = await restore("this-gateway");
    expect(code).toBe(EXIT.ok);
    const [aside = ""] = readdirSync(box.state).filter((name) => name.startsWith("before-restore-"));
    expect(readdirSync(join(box.state, aside)).toSorted()).toEqual(
      ["adapters", "copy", "critical", "critical.exists", "profiles", "telemetry", "telemetry.exists"].toSorted(),
    );
    expect(text).toContain(join(box.state, aside));
    const [config = ""] = readdirSync(root.path).filter((name) => name.startsWith("box.yaml.before-restore"));
    expect(readFileSync(join(root.path, config), "utf8")).toBe("site: {}\n");
    expect(readFileSync(`${box.state}.key`, "utf8")).toBe(key);
  });

  test("asks which of the two boxes is the gateway now", async () => {
    const said = await say(["backup", "restore", "/x.hgbackup"]);
    expect(said).toEqual({
      code: EXIT.usage,
      text: expect.stringContaining("which of the two boxes is the gateway now?"),
    });
  });

  test.each([
    ["a wrong passphrase", (_file: string) => undefined, "another passphrase", "does not open with this passphrase"],
    ["a cut file", (file: string) => truncateSync(file, statSync(file).size - 9), PASSPHRASE, "its end is missing"],
    ["a changed byte", (file: string) => flip(file, 2_000), PASSPHRASE, "was changed after it was written"],
    ["a newer version", (file: string) => flip(file, 8), PASSPHRASE, "a newer hemgate wrote this backup"],
    ["another file", (file: string) => writeFileSync(file, "site: {}\n"), PASSPHRASE, "is no backup of hemgate"],
  ])("refuses %s, and changes nothing", async (_name, damage, passphrase, text) => {
    using root = temporaryPlace();
    const { box, file, restore } = await backedUp(root.path);
    await makeState(box.state, box.config);
    damage(file);
    const before = contentOf(box.state);
    const said = await restore("this-gateway", passphrase);
    expect(said).toEqual({ code: EXIT.failed, text: expect.stringContaining(text) });
    expect(contentOf(box.state)).toEqual(before);
    expect((await say(["backup", "verify", file], passphrase)).text).toContain(text);
  });
});

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 2;
  writeFileSync(file, bytes);
}
