/**
 * The steps of an update, from the stop of the old version to the new one that is kept, or the old one with the state as it
 * was. A power cut may come at any moment: the record says what was done, and what follows it is done again.
 */
import type { Clock } from "../../platform/ports/ports.ts";
import { isEnded, type UpdateRecord } from "./update-record.ts";

const LOOK_EVERY_MS = 2_000;
/** Starts of the new version that power cuts may interrupt before it is given up. */
const MAX_STARTS = 3;
/** Ends of its process within the window. */
const MAX_ENDS = 5;

export interface InstalledPackage {
  readonly version: string;
  /** False between the first and the last file of an installation, and if a file is not as packed. */
  readonly isWhole: boolean;
}

/** The gateway as it is seen from outside. */
export interface SeenGateway {
  readonly version: string;
  /** The API answers at its address. */
  readonly isListening: boolean;
  /** What it reports as not in order itself. */
  readonly failures: readonly string[];
  /** Ids of the devices that answer. */
  readonly answering: readonly string[];
  /** Id of the process. */
  readonly process: number;
}

/** The box that is updated: its packages, its gateway and its disk. Every call may be cut by a power cut, and be made again. */
export interface UpdateBox {
  readonly clock: Pick<Clock, "sleep" | "nowMs" | "monotonicMs">;
  /** Aborts when the box is shut down: an update goes on at the next start. */
  readonly stop: AbortSignal;
  /** The record of the update that goes on; `null` if none does. */
  read(): Promise<UpdateRecord | null>;
  /** Writes the record: whole or not at all, on disk when the promise resolves. */
  write(record: UpdateRecord): Promise<void>;
  /** Keeps the gateway from being started, also over a restart of the box, and stops it. */
  stopGateway(): Promise<void>;
  /** Lets the gateway be started, and starts it. */
  startGateway(): Promise<void>;
  /** Copies the state of the stopped gateway. The copy is there whole or not at all. */
  copyState(): Promise<void>;
  /** Puts the copy into the place of the state. */
  restoreState(): Promise<void>;
  installed(): Promise<InstalledPackage>;
  /** Installs a package. Rejects with what the package manager says. */
  install(which: "new" | "previous"): Promise<void>;
  /** `null` if no gateway answers. */
  look(): Promise<SeenGateway | null>;
  /** How often the service manager started the process again by itself since the gateway was started. */
  ends(): Promise<number>;
  /** Reports how an update ended to the gateway that runs now. */
  report(record: UpdateRecord): Promise<void>;
  /** Removes what is no longer needed. The update is no longer one that goes on. */
  close(record: UpdateRecord): Promise<void>;
}

/** Does what is left of the update; `null` if there is no update. Rejects if the previous version cannot be brought back yet. */
export async function runUpdate(box: UpdateBox): Promise<UpdateRecord | null> {
  for (;;) {
    const record = await box.read();
    if (record === null) return null;
    if (isEnded(record)) {
      await box.report(record);
      await box.close(record);
      return record;
    }
    await box.write(await nextOf(record, box));
  }
}

async function nextOf(record: UpdateRecord, box: UpdateBox): Promise<UpdateRecord> {
  const isReverting = record.reason !== null;
  try {
    return isReverting ? await revert(record, box) : await advance(record, box);
  } catch (error) {
    // The box is shut down, which ends what is being done: that says nothing about the new version.
    box.stop.throwIfAborted();
    if (isReverting) throw error;
    return reverting(record, error instanceof Error ? error.message : String(error));
  }
}

async function advance(record: UpdateRecord, box: UpdateBox): Promise<UpdateRecord> {
  if (record.step === "prepared") {
    await box.stopGateway();
    await box.copyState();
    return { ...record, step: "copied", isCopied: true };
  }
  if (record.step === "copied") {
    await box.stopGateway();
    await box.install("new");
    const { version, isWhole } = await box.installed();
    if (version !== record.to || !isWhole)
      throw new Error(`${record.to} is not installed in full after its installation`);
    return { ...record, step: "installed" };
  }
  return await watch(record, box);
}

async function revert(record: UpdateRecord, box: UpdateBox): Promise<UpdateRecord> {
  const { step } = record;
  if (step === "reverting") {
    await box.stopGateway();
    const { version, isWhole } = await box.installed();
    if (version !== record.from || !isWhole) await box.install("previous");
    return { ...record, step: "reinstalled" };
  }
  if (step === "reinstalled") {
    await box.stopGateway();
    if (record.isCopied) await box.restoreState();
    return { ...record, step: "restored" };
  }
  await box.startGateway();
  return { ...record, step: "rolled-back", endedAt: isoNow(box) };
}

/** The record of an update whose previous version is to come back. */
export function reverting(record: UpdateRecord, reason: string): UpdateRecord {
  return { ...record, step: "reverting", endedAt: null, reason };
}

/** Starts the new version, and waits until it has been ready for a while. */
async function watch(record: UpdateRecord, box: UpdateBox): Promise<UpdateRecord> {
  const { starts, readyWithinMs, settleMs } = record;
  if (starts >= MAX_STARTS) return reverting(record, `the box was started ${MAX_STARTS} times before it was ready`);
  const started = { ...record, starts: starts + 1 };
  await box.write(started);
  await box.startGateway();
  const { clock } = box;
  const untilMs = clock.monotonicMs() + readyWithinMs;
  let ready: Ready | null = null;
  for (;;) {
    const seen = await box.look();
    const missing = missingIn(seen, record);
    const nowMs = clock.monotonicMs();
    ready = missing.length > 0 ? null : readyOf(ready, seen, nowMs);
    if (ready !== null && nowMs - ready.sinceMs >= settleMs) return { ...started, step: "kept", endedAt: isoNow(box) };
    const ends = await box.ends();
    if (ends >= MAX_ENDS) return reverting(started, `its process ended ${ends} times`);
    if (nowMs >= untilMs) return reverting(started, missing.join("; ") || "it was not ready for long enough");
    await clock.sleep(LOOK_EVERY_MS, box.stop);
  }
}

/** Since when the same process has been ready. */
interface Ready {
  readonly sinceMs: number;
  readonly process: number;
}

function readyOf(before: Ready | null, seen: SeenGateway | null, nowMs: number): Ready | null {
  if (seen === null || before?.process === seen.process) return before;
  return { sinceMs: nowMs, process: seen.process };
}

/** What the new version lacks of what the previous one had; empty if it is ready. */
export function missingIn(
  seen: SeenGateway | null,
  { to, failures, answering }: Pick<UpdateRecord, "to" | "failures" | "answering">,
): readonly string[] {
  if (seen === null) return ["the gateway does not answer"];
  if (seen.version !== to) return [`version ${seen.version} runs in place of ${to}`];
  const silent = answering.filter((id) => !seen.answering.includes(id));
  return [
    ...(seen.isListening ? [] : ["the API does not listen"]),
    ...seen.failures.filter((failure) => !failures.includes(failure)),
    ...silent.map((id) => `device ${id} does not answer, and did before`),
  ];
}

function isoNow({ clock }: Pick<UpdateBox, "clock">): string {
  return new Date(clock.nowMs()).toISOString();
}
