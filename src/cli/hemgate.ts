#!/usr/bin/env -S node --max-semi-space-size=4
import { homedir } from "node:os";
import { mapStacks } from "../platform/node/source-maps.ts";
import type { CliContext } from "./context.ts";
import { EXIT } from "./exit-code.ts";
import { runCli } from "./program.ts";

/** What a shell shows for a program that a signal ended: 128 and the signal's number. */
const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const;

// As a bundle. The sources run as they are.
if (import.meta.url.endsWith(".js")) mapStacks(new URL("../../", import.meta.url).href);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // The first asks, the second does not wait for the answer.
    if (stop.signal.aborted) process.exit(SIGNAL_EXIT[signal]);
    stop.abort(new Error(`stopped by ${signal}`));
  });
}
// `hemgate devices | head` closes the pipe before everything is written; that is the reader's right.
process.stdout.on("error", () => process.exit(EXIT.ok));

const context: CliContext = {
  environment: process.env,
  home: homedir(),
  workingFolder: process.cwd(),
  pid: process.pid,
  isTerminal: process.stdout.isTTY === true,
  stop: stop.signal,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
};
process.exit(await runCli(process.argv.slice(2), context));
