/** Real processes: a gateway that is backed up while it writes, and commands that are killed in the middle. */
import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../../src/cli/exit-code.ts";
import { finishRestore } from "../../../src/platform/node/files/restore-swap.ts";
import { freePorts } from "../../free-ports.ts";
import { Hemgate, hemgate } from "../hemgate-process.ts";
import { CONFIG, FIRST_MS, makeState, openState, PASSPHRASE, SAMPLES, say, temporaryPlace } from "./house-state.ts";

const PATIENCE = { timeout: 120_000 };
const environment = { HEMGATE_BACKUP_PASSPHRASE: PASSPHRASE };

/** Kills a command when the n-th change in the folder is seen. Returns false if it ended before. */
async function killAtChange(words: readonly string[], folder: string, count: number): Promise<boolean> {
  await using command = new Hemgate(words, { environment });
  let seen = 0;
  const watcher = watch(folder, { recursive: true }, () => {
    seen += 1;
    if (seen === count) command.send("SIGKILL");
  });
  const { signal } = await command.finished();
  watcher.close();
  return signal === "SIGKILL";
}

describe("a backup of a gateway that runs", PATIENCE, () => {
  test("is made while it writes, opens on another box, and the gateway goes on", async () => {
    using root = temporaryPlace();
    const [port, ...twins] = await freePorts(6);
    const house = join(root.path, "house");
    const words = ["start", "--sandbox", "--state", house, "--port", String(port), "--twin-ports", twins.join(",")];
    await using gateway = new Hemgate(words);
    await gateway.output(/http:\/\/\S+/);
    const created = await hemgate(["client", "create", "--name", "app", "--state", house, "--json"]);
    const { id } = JSON.parse(created.out);
    const file = join(root.path, "one.hgbackup");
    const made = await hemgate(["backup", "create", file, "--state", house], { environment });
    expect(made).toMatchObject({ code: EXIT.ok });
    const refused = await say(["backup", "restore", file, "--as", "copy", "--state", house]);
    expect(refused).toEqual({
      code: EXIT.unavailable,
      text: expect.stringContaining("a gateway runs on the state folder"),
    });
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(204);

    const box = { state: join(root.path, "box"), config: join(root.path, "box.yaml") };
    const restored = await say([
      "backup",
      "restore",
      file,
      "--as",
      "copy",
      "--state",
      box.state,
      "--config",
      box.config,
    ]);
    expect(restored).toMatchObject({ code: EXIT.ok });
    expect(readFileSync(box.config, "utf8")).toContain("devices:");
    await using store = await openState(box.state);
    expect([store.recovered, store.locked]).toEqual([[], []]);
    expect(store.get("client", id)).toMatchObject({ name: "app" });
    expect(store.all("asset").length).toBeGreaterThan(3);
  });
});

describe("a command that is killed", PATIENCE, () => {
  test("while it makes a backup leaves no file that passes for one, and the state as it was", async () => {
    using root = temporaryPlace();
    const house = { state: join(root.path, "house"), config: join(root.path, "house.yaml") };
    await makeState(house.state, house.config);
    let kills = 0;
    for (const count of [1, 2, 4, 7, 11, 16]) {
      const file = join(root.path, `${count}.hgbackup`);
      const words = ["backup", "create", file, "--state", house.state, "--config", house.config];
      if (await killAtChange(words, root.path, count)) kills += 1;
      if (existsSync(file)) expect((await say(["backup", "verify", file])).code).toBe(EXIT.ok);
      const again = join(root.path, `${count}-again.hgbackup`);
      const next = await say(["backup", "create", again, "--state", house.state, "--config", house.config]);
      expect(next).toMatchObject({ code: EXIT.ok });
      await using store = await openState(house.state);
      expect([store.recovered, store.get("gateway", "this")]).toEqual([[], { id: "the-original" }]);
    }
    expect(kills).toBeGreaterThan(2);
  });

  test("while it restores leaves the state as it was, or the next start finishes it", async () => {
    using root = temporaryPlace();
    const house = { state: join(root.path, "house"), config: join(root.path, "house.yaml") };
    await makeState(house.state, house.config);
    const file = join(root.path, "one.hgbackup");
    await say(["backup", "create", file, "--state", house.state, "--config", house.config]);
    let kills = 0;
    for (const count of [1, 3, 8, 20, 35, 50, 65, 80, 95]) {
      const box = { state: join(root.path, `box-${count}`), config: join(root.path, `box-${count}.yaml`) };
      await makeState(box.state, box.config);
      writeFileSync(box.config, "site: {}\n");
      {
        await using store = await openState(box.state);
        await store.commit([{ table: "gateway", key: "this", put: { id: "the-present" } }], []);
      }
      const words = ["--as", "this-gateway", "--state", box.state, "--config", box.config];
      const isKilled = await killAtChange(["backup", "restore", file, ...words], box.state, count);
      if (isKilled) kills += 1;
      await finishRestore(box.state);
      const isRestored = readFileSync(box.config, "utf8") === CONFIG;
      if (!isKilled) expect(isRestored).toBe(true);
      await using store = await openState(box.state);
      expect([count, store.recovered, store.locked]).toEqual([count, [], []]);
      expect(store.get("gateway", "this")).toEqual({ id: isRestored ? "the-original" : "the-present" });
      expect(await store.history("meter", FIRST_MS, FIRST_MS + SAMPLES * 5_000)).toHaveLength(SAMPLES);
    }
    expect(kills).toBeGreaterThan(4);
  });
});
