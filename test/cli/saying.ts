import { runCli } from "../../src/cli/program.ts";

/** Runs a command line in the process of the test; resolves with what it printed. */
export async function sayingOf(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const said: string[] = [];
  const out = (text: string) => void said.push(text);
  const { signal: stop } = new AbortController();
  const place = { home: "/nowhere", workingFolder: "/", pid: 1, isTerminal: false };
  await runCli(words, { environment, ...place, stop, out, err: out });
  return said.join("\n");
}
