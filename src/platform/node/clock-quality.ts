import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import type { ClockQuality } from "../ports/ports.ts";

/** No clock that shows an earlier year than the one this was written in has been set. */
const BUILD_YEAR_MS = Date.UTC(2026, 0, 1);
/** systemd-timesyncd makes this file when it first sets the clock after a boot. */
const TIMESYNC_MARK = "/run/systemd/timesync/synchronized";
const SYSTEMD_RUNS = "/run/systemd/system";
/** How often the files are looked at: the quality is asked for many times a second. */
const LOOK_EVERY_MS = 1_000;
/** How often systemd is asked while it has not said yes, and how long it may take to answer. */
const ASK_EVERY_MS = 60_000;
const ANSWER_WITHIN_MS = 5_000;

/** With it a program of systemd that fails would report its failure as one of the gateway. */
function withoutNotifications(): NodeJS.ProcessEnv {
  const { NOTIFY_SOCKET: _, ...environment } = process.env;
  return environment;
}

/** What the quality is judged by; tests give their own. */
export interface ClockFacts {
  nowMs(): number;
  monotonicMs(): number;
  fileExists(path: string): boolean;
  /** Asks the kernel, through systemd's timedated, whether any time source keeps the clock (chrony does, too). */
  askKernel(answer: (isSynced: boolean) => void): void;
}

const MACHINE: ClockFacts = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  fileExists: existsSync,
  askKernel(answer) {
    const child = execFile(
      "timedatectl",
      ["show", "--property=NTPSynchronized", "--value"],
      { timeout: ANSWER_WITHIN_MS, env: withoutNotifications() },
      (error, stdout) => answer(error === null && stdout.trim() === "yes"),
    );
    child.unref();
  },
};

/**
 * Judges the wall clock:
 * - `unset`: it shows a year before this software existed.
 * - `synced`: timesyncd left its mark, or the kernel says that a time source keeps it, or there is no systemd at all: in
 *   a container the host keeps the clock and tells nobody.
 * - `restored`: it looks right, and no time source confirms it.
 * Once synced it stays so: a clock that was right keeps running when its source is gone.
 */
export function clockQuality(facts: ClockFacts = MACHINE): () => ClockQuality {
  let isSynced = false;
  let nextLookMs = Number.NEGATIVE_INFINITY;
  let nextQuestionMs = Number.NEGATIVE_INFINITY;
  const look = (nowMs: number): void => {
    nextLookMs = nowMs + LOOK_EVERY_MS;
    isSynced = facts.fileExists(TIMESYNC_MARK) || !facts.fileExists(SYSTEMD_RUNS);
    if (isSynced || nowMs < nextQuestionMs) return;
    nextQuestionMs = nowMs + ASK_EVERY_MS;
    facts.askKernel((isKernelSynced) => {
      isSynced ||= isKernelSynced;
    });
  };
  return () => {
    if (facts.nowMs() < BUILD_YEAR_MS) return "unset";
    if (!isSynced && facts.monotonicMs() >= nextLookMs) look(facts.monotonicMs());
    return isSynced ? "synced" : "restored";
  };
}
