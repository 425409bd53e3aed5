import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { backupConfig } from "../../../src/config/backup-config.ts";
import { parseCron } from "../../../src/platform/cron.ts";
import { FIRST_MS, makeState, openState, PASSPHRASE, SAMPLES, say, temporaryPlace } from "./house-state.ts";

const PAGE = readFileSync(new URL("../../../docs/backup.md", import.meta.url), "utf8");

/** The code of the page in one language, block by block. */
function blocks(language: string): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, code = ""]) => code);
}

test("The commands of the page about backups run as they are written, one after another", async () => {
  using root = temporaryPlace();
  const state = join(root.path, "hemgate");
  const config = join(root.path, "gateway.yaml");
  const folder = join(root.path, "disk");
  await makeState(state, config);
  mkdirSync(folder);
  writeFileSync(join(root.path, "passphrase"), `${PASSPHRASE}\n`);
  const lines = blocks("sh").flatMap((code) => code.trim().split("\n"));
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    const [program, ...words] = line.replace("/var/lib/hemgate", state).replace("/mnt/backup", folder).split(" ");
    expect(program).toBe("hemgate");
    // A new box has nothing yet.
    if (words.includes("restore")) rmSync(state, { recursive: true });
    const environment = { HEMGATE_CONFIG: config };
    const { code, text } = await say(words, "", { workingFolder: root.path, environment });
    expect([line, code, text]).toEqual([line, 0, expect.any(String)]);
  }
  await using store = await openState(state);
  expect(await store.history("meter", FIRST_MS, FIRST_MS + SAMPLES * 5_000)).toHaveLength(SAMPLES);
});

test("The section of the configuration on the page about backups is valid", () => {
  const [section = ""] = blocks("yaml");
  const { backup } = parse(section.replace("…", PASSPHRASE));
  const settings = backupConfig((expression) => void parseCron(expression)).parse(backup);
  expect(settings).toMatchObject({ schedule: "40 2 * * *", folder: "/mnt/backup", keep: 14 });
});
