/** Files that a command line names and that cannot be used: what is wrong, exit code 75, and no talk of a bug. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { runCli } from "../../src/cli/program.ts";
import { fileError } from "../../src/platform/node/files/text-file.ts";
import { temporaryFolder } from "./hemgate-process.ts";

async function passphraseFrom(file: string): Promise<{ code: number; err: string }> {
  const lines: string[] = [];
  const place = { environment: {}, home: "/nowhere", workingFolder: "/", pid: 1, isTerminal: false };
  const context = {
    ...place,
    stop: new AbortController().signal,
    out: () => {},
    err: (line: string) => lines.push(line),
  };
  const code = await runCli(["backup", "verify", "/no/such.hgbackup", "--passphrase-file", file], context);
  return { code, err: lines.join("\n") };
}

test.each([
  ["is not there", "missing", "does not exist"],
  ["is a folder", "folder", "is not a file"],
  ["is below a file", "latin/missing", "is, or goes through, something that is no folder"],
  ["is no text", "latin", "is not UTF-8 text"],
])("a file that %s is named with what is wrong, and the command ends with 75", async (_what, name, problem) => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "folder"));
  writeFileSync(join(folder.path, "latin"), Buffer.from([0xfc]));
  const file = join(folder.path, name);
  expect(await passphraseFrom(file)).toEqual({ code: EXIT.unavailable, err: `hemgate: ${file} ${problem}` });
});

// Root, whom tests may run as, is refused nothing.
test.each([
  ["EACCES", "may not be used by this user"],
  ["EPERM", "may not be used by this user"],
  ["EROFS", "is on a file system that cannot be written"],
  ["EIO", "cannot be used: the disk or the device reports a failure; it may be defective"],
])("a file that the system refuses with %s says so in a sentence", (code, problem) => {
  const refusal = Object.assign(new Error("open '/x'"), { code });
  expect(fileError("/x", refusal).message).toBe(`/x ${problem}`);
});
