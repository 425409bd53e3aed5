import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { declaredCommands, places } from "../../../scripts/command-texts.ts";
import { updateConfig } from "../../../src/config/update-config.ts";
import { parseCron } from "../../../src/platform/cron.ts";
import { sayingOf } from "../saying.ts";

const PAGE = readFileSync(new URL("../../../docs/update.md", import.meta.url), "utf8");
const COMMANDS = new Map(places(declaredCommands()).map(({ path, command }) => [path.join(" "), command]));

function blocks(language: string): string {
  const found = PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"));
  return [...found].map(([, code = ""]) => code).join("");
}

/** The command that the words name, and its options among them. */
function parsed(words: readonly string[]): {
  readonly command: Command | undefined;
  readonly options: readonly string[];
} {
  const [first = "", second = ""] = words;
  const command = COMMANDS.get(`${first} ${second}`) ?? COMMANDS.get(first);
  return { command, options: words.filter((word) => word.startsWith("--")) };
}

test("each command of the page about updates is there, with its options", () => {
  const inline = [...PAGE.matchAll(/`(?:sudo )?hemgate (update[^`]*)`/gu)].map(([, text = ""]) => text);
  const lines = [...blocks("sh").matchAll(/^sudo hemgate ([^#\n]+)/gmu)].map(([, text = ""]) => text.trim());
  expect(lines).toHaveLength(5);
  for (const line of [...lines, ...inline]) {
    const { command, options } = parsed(line.split(" "));
    expect([line, command?.options.map(({ long }) => long)]).toEqual([line, expect.arrayContaining([...options])]);
  }
});

test("the times of the page about updates are valid", () => {
  const { update } = parse(blocks("yaml"));
  const settings = updateConfig((expression) => void parseCron(expression)).parse(update);
  expect(settings).toEqual({ check: "0 20 * * *", window: "30 3 * * 2" });
});

test("hemgate update of a checkout says that it is for the package, and where the steps of a checkout are", async () => {
  for (const words of [["--check"], [], ["status"], ["rollback", "--yes"]]) {
    expect(await sayingOf(["update", ...words])).toMatch(/is for the Debian package.*UPGRADING\.md/u);
  }
});

test("a time of the update that is no number is refused with the name of its option", async () => {
  expect(await sayingOf(["update", "--settle", "soon"])).toBe('hemgate: --settle takes a number above 0, not "soon"');
});

test("a time to settle that the window never leaves is refused", async () => {
  expect(await sayingOf(["update", "--settle", "60", "--ready-within", "1"])).toContain("shorter than --ready-within");
});
