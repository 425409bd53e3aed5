import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  bashCompletion,
  declaredCommands,
  fishCompletion,
  manualPage,
  places,
  zshCompletion,
} from "../../scripts/command-texts.ts";

const ALL = places(declaredCommands());
const OPTIONS = [...new Set(ALL.flatMap(({ command }) => command.options.flatMap(({ long }) => long ?? [])))];
const PAGE = manualPage({ version: "1.2.3", date: "2026-11-27" });

/** What bash offers for the last of the words. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `compopt() { :; }
${bashCompletion()}
COMP_WORDS=(hemgate "$@") COMP_CWORD=$#
_hemgate
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter((word) => word !== "");
}

test("the program has commands below commands, so that the texts have something to leave out", () => {
  expect(ALL.length).toBeGreaterThan(20);
  expect(ALL.filter(({ path }) => path.length > 1).length).toBeGreaterThan(10);
});

test("each command takes --json and --verbose", () => {
  const run = ALL.filter(
    ({ path, command }) => path.length > 0 && (command.commands.length === 0 || command.options.length > 0),
  );
  const without = (flag: string) =>
    run.filter(({ command }) => !command.options.some(({ long }) => long === flag)).map(({ path }) => path.join(" "));
  expect(without("--verbose")).toEqual([]);
  expect(without("--json")).toEqual([]);
});

test("bash completes each command and each option where it belongs", () => {
  for (const { path, command } of ALL) {
    const words = [...command.commands.map((each) => each.name()), ...command.options.map(({ long }) => long ?? "")];
    expect(offered(...path, "")).toEqual([...words, "--help"]);
  }
}, 60_000);

test("bash takes the value of an option for no command", () => {
  expect(offered("--state", "client", "ch")).toEqual(["checks", "check-config"]);
  expect(offered("client", "create", "--name", "list", "--vers")).toEqual(["--version"]);
  expect(offered("client", "create", "--name", "")).toEqual([]);
});

test.each([
  ["zsh", zshCompletion()],
  ["fish", fishCompletion()],
  ["the manual page", PAGE.replaceAll("\\-", "-")],
])("%s has each command and each option", (_name, text) => {
  const commands = ALL.filter(({ command }) => command.commands.length === 0).map(({ path }) => path.join(" "));
  const names = commands.flatMap((path) => path.split(" "));
  const missing = [...names, ...OPTIONS.map((option) => option.slice(2))].filter((word) => !text.includes(word));
  expect(missing).toEqual([]);
  expect(commands.filter((path) => !text.includes(path))).toEqual([]);
});

// Not on every machine; test/peers/setup.sh installs both.
const SHELLS = (
  [
    ["zsh", zshCompletion()],
    ["fish", fishCompletion()],
  ] as const
).filter(([shell]) => spawnSync(shell, ["-c", "true"]).error === undefined);
test.skipIf(SHELLS.length === 0).each(SHELLS)("%s reads its completion without an error", (shell, text) => {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-completion-"));
  const file = join(folder, "hemgate");
  writeFileSync(file, text);
  const { stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe("");
});

test("no line of the manual page is taken for a request of troff by mistake", () => {
  const requests = PAGE.split("\n").flatMap((line) => /^[.'](\S*)/u.exec(line)?.[1] ?? []);
  expect(new Set(requests)).toEqual(new Set(["TH", "SH", "SS", "TP", "B", "I", "BR"]));
});
