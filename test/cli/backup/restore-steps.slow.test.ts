import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { backupRestore } from "../../../src/cli/backup/restore.ts";
import { EXIT } from "../../../src/cli/exit-code.ts";
import { keySource } from "../../../src/cli/secret-keys.ts";
import { finishRestore } from "../../../src/platform/node/files/restore-swap.ts";
import { CONFIG, FIRST_MS, makeState, openState, PASSPHRASE, SAMPLES, say, temporaryPlace } from "./house-state.ts";

describe("a restore", () => {
  test("that is interrupted before any step leaves the state as it was, or is finished by the next start", async () => {
    using root = temporaryPlace();
    const house = { state: join(root.path, "house"), config: join(root.path, "house.yaml") };
    const file = join(root.path, "one.hgbackup");
    await makeState(house.state, house.config);
    const made = await say(["backup", "create", file, "--state", house.state, "--config", house.config]);
    expect(made).toMatchObject({ code: EXIT.ok });
    const seen = new Set<string>();
    for (let stopAt = 0; ; stopAt++) {
      const box = { state: join(root.path, `box-${stopAt}`), config: join(root.path, `box-${stopAt}.yaml`) };
      await makeState(box.state, box.config);
      writeFileSync(box.config, "site: {}\n");
      {
        await using store = await openState(box.state);
        await store.commit([{ table: "gateway", key: "this", put: { id: "the-present" } }], []);
      }
      const interrupted = await restoreUntil(stopAt, file, box);
      if (interrupted === null) break;
      seen.add(interrupted.step);
      const isFinished = await finishRestore(box.state);
      expect(isFinished).toBe(interrupted.isDecided);
      const names = readdirSync(box.state).filter((name) => name.startsWith("restore."));
      expect(names).toEqual([]);
      expect(readFileSync(box.config, "utf8")).toBe(isFinished ? CONFIG : "site: {}\n");
      await using store = await openState(box.state);
      expect([interrupted.step, store.recovered, store.locked]).toEqual([interrupted.step, [], []]);
      expect(store.get("gateway", "this")).toEqual({ id: isFinished ? "the-original" : "the-present" });
      const samples = await store.history("meter", FIRST_MS, FIRST_MS + SAMPLES * 5_000);
      expect(samples).toHaveLength(SAMPLES);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(["decide", "move critical aside", "place critical", "remove the plan"]),
    );
    expect(seen.size).toBeGreaterThan(15);
  });
});

class Cut extends Error {}

/** Ends a restore before its n-th step as a crash does: nothing is cleaned up after it was decided. */
async function restoreUntil(
  stopAt: number,
  file: string,
  box: { readonly state: string; readonly config: string },
): Promise<{ readonly step: string; readonly isDecided: boolean } | null> {
  let count = 0;
  let at: { step: string; isDecided: boolean } | null = null;
  let isDecided = false;
  const onStep = (step: string): void => {
    if (count++ === stopAt) {
      at = { step, isDecided };
      throw new Cut(step);
    }
    if (step === "decide") isDecided = true;
  };
  const keys = keySource(undefined, box.state, { environment: {}, workingFolder: "/" });
  const options = { file, as: "this-gateway", folder: box.state, keys, config: box.config } as const;
  const environment = { HEMGATE_BACKUP_PASSPHRASE: PASSPHRASE };
  const context = { environment, workingFolder: "/", out: () => undefined, stop: new AbortController().signal };
  await backupRestore({ ...options, passphraseFile: undefined, isJson: true, onStep }, context).catch(
    (error: unknown) => {
      if (!(error instanceof Cut)) throw error;
    },
  );
  return at;
}
