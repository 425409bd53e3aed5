/** `hemgate update`: to another version of the Debian package, and back. */
import { join, resolve } from "node:path";
import { nodeClock } from "../../platform/node/node-clock.ts";
import { packageFacts } from "../../platform/node/package-root.ts";
import {
  downloadPackage,
  installedPackage,
  isLater,
  newestVersion,
  readPackageFile,
  repack,
} from "../../platform/node/updates/debian-package.ts";
import { startUpdateService, stopUpdateService } from "../../platform/node/updates/gateway-service.ts";
import { PACKAGE_FOLDER } from "../../platform/node/updates/node-update-requests.ts";
import { UpdateFolder } from "../../platform/node/updates/update-folder.ts";
import type { CliContext } from "../context.ts";
import { askForUpdateReport } from "../control-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { debianBox, lookAt, progressText, readRecord } from "./debian-box.ts";
import type { UpdateRecord } from "./update-record.ts";
import { reverting, runUpdate, type SeenGateway } from "./update-steps.ts";

const FOLDER = "/var/lib/hemgate-update";
const FOLLOW_EVERY_MS = 500;
const MS_PER_S = 1_000;
const MS_PER_MIN = 60_000;

type Context = Pick<CliContext, "out" | "err" | "stop" | "workingFolder">;

interface Place {
  /** State folder of the gateway. */
  readonly state: string;
  readonly isJson: boolean;
}

export interface UpdateOptions extends Place {
  /** A package file; absent: the newest of the repository. */
  readonly file: string | undefined;
  readonly readyWithinMin: number;
  readonly settleS: number;
}

/** `hemgate update --check`: whether the repository has a later version. Changes nothing but apt's list of it. */
export async function updateCheck({ isJson }: Pick<Place, "isJson">, context: Context): Promise<ExitCode> {
  requirePackage();
  const { installed, newest, isNew } = await lookForVersion().catch(failed);
  if (isJson) context.out(JSON.stringify({ installed, newest: newest === "" ? null : newest, isNew }));
  else if (newest === "") context.out(`${installed} is installed; the repository has no hemgate for this machine`);
  else context.out(isNew ? `${newest} is there; ${installed} is installed` : `${installed} is the newest`);
  return EXIT.ok;
}

export interface FoundVersion {
  readonly installed: string;
  /** Of the repository; empty if it has none for this machine. */
  readonly newest: string;
  readonly isNew: boolean;
}

/** Asks the repository for its newest version. */
export async function lookForVersion(): Promise<FoundVersion> {
  const { version: installed } = await installedPackage();
  const newest = await newestVersion();
  return { installed, newest, isNew: newest !== "" && (await isLater(newest, installed)) };
}

/** `hemgate update`: prepares the update, and follows it to its end. Ended before that, it goes on by itself. */
export async function update(options: UpdateOptions, context: Context): Promise<ExitCode> {
  requirePackage();
  const folder = updateFolder(options.state);
  if ((await readRecord(folder, "current")) !== null)
    throw new CliError(EXIT.unavailable, "another update goes on: hemgate update status");
  const file = options.file === undefined ? undefined : resolve(context.workingFolder, options.file);
  const begun = await beginUpdate({ ...options, file }, folder, context.stop).catch(failed);
  if (begun === null) {
    const { version } = await installedPackage();
    context.out(options.isJson ? JSON.stringify({ installed: version, isNew: false }) : `${version} is the newest`);
    return EXIT.ok;
  }
  if (!options.isJson) context.out(progressText(begun));
  return await follow(begun, { ...options, folder }, context);
}

/** Prepares an update and has the unit make it; `null` if there is nothing to update to. */
export async function beginUpdate(
  options: Omit<UpdateOptions, "isJson">,
  folder: UpdateFolder,
  stop: AbortSignal,
): Promise<UpdateRecord | null> {
  const installed = await installedPackage();
  if (!installed.isWhole) {
    const how = "`sudo apt install --reinstall hemgate` puts that right";
    throw new Error(`hemgate ${installed.version} is not whole (${installed.problems.join(", ")}); ${how}`);
  }
  const seen = await lookAt(options.state, stop);
  if (seen === null) {
    const why = "the gateway does not run, so a new version has nothing to be compared with";
    throw new Error(`${why}: sudo systemctl start hemgate`);
  }
  const prepared = await folder.makePrepared();
  try {
    const record = await prepare({ ...options, installed: installed.version, seen, folder, prepared });
    if (record === null) return null;
    await folder.begin(prepared, JSON.stringify(record));
    // The page shows it. A gateway that does not take it is updated all the same.
    const { from, to } = record;
    await askForUpdateReport(options.state, { outcome: "prepared", from, to }, stop).catch(() => false);
    // The unit may still clean up after the update before: a start would then do nothing, and this one would wait for a restart.
    await stopUpdateService();
    await startUpdateService();
    return record;
  } finally {
    await folder.dropPrepared(prepared);
  }
}

interface Prepare extends Omit<UpdateOptions, "isJson"> {
  readonly installed: string;
  readonly seen: SeenGateway;
  readonly folder: UpdateFolder;
  readonly prepared: string;
}

/** Puts everything together that the update needs; `null` if there is nothing to update to. */
async function prepare({ file, installed, seen, folder, prepared, ...limits }: Prepare): Promise<UpdateRecord | null> {
  const path = file ?? (await download(prepared));
  if (path === null) return null;
  const { version: to, installedBytes } = await readPackageFile(path);
  if (!(await isLater(to, installed))) {
    throw new Error(`${to} is not later than ${installed}, which is installed; \`hemgate update rollback\` goes back`);
  }
  await folder.requireRoom(installedBytes);
  await folder.placePackage(path, prepared);
  await repack(join(prepared, "previous.deb"));
  await folder.keepProgram(prepared);
  return {
    from: installed,
    to,
    step: "prepared",
    beganAt: new Date(nodeClock(() => "restored").nowMs()).toISOString(),
    endedAt: null,
    answering: [...seen.answering],
    failures: [...seen.failures],
    readyWithinMs: limits.readyWithinMin * MS_PER_MIN,
    settleMs: limits.settleS * MS_PER_S,
    starts: 0,
    isCopied: false,
    reason: null,
  };
}

async function download(prepared: string): Promise<string | null> {
  const { newest, isNew } = await lookForVersion();
  return isNew ? await downloadPackage(newest, join(prepared, "download")) : null;
}

interface Follow extends Place {
  readonly folder: UpdateFolder;
}

/** Prints the steps as they are done, until the update has ended. */
async function follow(begun: UpdateRecord, { folder, isJson }: Follow, context: Context): Promise<ExitCode> {
  const clock = nodeClock(() => "restored");
  let shown = begun.step;
  for (;;) {
    const current = await readRecord(folder, "current");
    const record = current ?? (await readRecord(folder, "last"));
    if (record === null) throw new CliError(EXIT.failed, "the update is gone: journalctl -u hemgate-update says why");
    if (record.step !== shown && !isJson) context.out(progressText(record));
    shown = record.step;
    if (current === null) {
      if (isJson) context.out(JSON.stringify(record));
      return record.step === "kept" || begun.reason !== null ? EXIT.ok : EXIT.failed;
    }
    await clock.sleep(FOLLOW_EVERY_MS, context.stop).catch(() => undefined);
    if (context.stop.aborted) {
      context.err("hemgate: the update goes on by itself: hemgate update status");
      return EXIT.ok;
    }
  }
}

/** `hemgate update status`: the update that goes on, or the last one. */
export async function updateStatus({ state, isJson }: Place, context: Context): Promise<ExitCode> {
  requirePackage();
  const folder = updateFolder(state);
  const current = await readRecord(folder, "current");
  const record = current ?? (await readRecord(folder, "last"));
  const canRollBack = current === null && (await folder.canReopenLast());
  if (isJson) context.out(JSON.stringify({ isRunning: current !== null, canRollBack, record }));
  else if (record === null) context.out("there was no update yet");
  else {
    const when = record.endedAt === null ? `since ${record.beganAt}` : record.endedAt;
    context.out(`${when}: ${progressText(record)}`);
    if (canRollBack) context.out(`${record.from} can come back: hemgate update rollback`);
  }
  return EXIT.ok;
}

/** `hemgate update rollback`: the version before the last update, with the state from before it. */
export async function updateRollback(
  { state, isJson, isSure }: Place & { isSure: boolean },
  context: Context,
): Promise<ExitCode> {
  requirePackage();
  const folder = updateFolder(state);
  const running = await readRecord(folder, "current");
  if (running === null && !(await folder.canReopenLast())) {
    throw new CliError(EXIT.failed, "there is no update to take back");
  }
  const record = running ?? (await readRecord(folder, "last"));
  if (record === null) throw new CliError(EXIT.failed, "there is no update to take back");
  if (running !== null && running.step !== "installed") {
    throw new CliError(EXIT.unavailable, `the update is busy (${progressText(running)}); wait until it has ended`);
  }
  if (!isSure) {
    const loss = `what was set and measured since ${record.beganAt} is put aside, into before-restore-… in ${state}`;
    throw new CliError(EXIT.usage, `${record.from} comes back with its state; ${loss}: say --yes`);
  }
  // Without an update that goes on the unit may still clean up after the last one.
  await stopUpdateService().catch(failed);
  if (running === null) await folder.reopenLast();
  else if ((await readRecord(folder, "current"))?.step !== "installed") {
    await startUpdateService().catch(failed);
    throw new CliError(EXIT.unavailable, "the update ended just now: hemgate update status");
  }
  const asked = reverting(record, "it was asked for with hemgate update rollback");
  await folder.write(JSON.stringify(asked));
  if (!isJson) context.out(progressText(asked));
  await startUpdateService().catch(failed);
  return await follow(asked, { state, isJson, folder }, context);
}

/** `hemgate update resume`: what is left of an update. The unit hemgate-update.service runs it. */
export async function updateResume({ state, isJson }: Place, context: Context): Promise<ExitCode> {
  requireRoot();
  // JSON is one object at the end, without a line for each step.
  const shown = isJson ? { ...context, out: () => undefined } : context;
  const box = debianBox({ folder: updateFolder(state), state, clock: nodeClock(() => "restored"), context: shown });
  const record = await runUpdate(box);
  if (isJson) context.out(JSON.stringify({ record }));
  else if (record === null) context.out("no update goes on");
  return EXIT.ok;
}

export function updateFolder(state: string): UpdateFolder {
  return new UpdateFolder({ folder: FOLDER, state, program: PACKAGE_FOLDER });
}

/** Throws a `CliError` unless root runs the installed package. */
export function requirePackage(): void {
  const { root } = packageFacts();
  if (root !== PACKAGE_FOLDER) {
    const checkout = `this hemgate runs from ${root}: UPGRADING.md has the steps for a checkout`;
    throw new CliError(EXIT.failed, `hemgate update is for the Debian package; ${checkout}`);
  }
  requireRoot();
}

function requireRoot(): void {
  if (process.getuid?.() !== 0) throw new CliError(EXIT.failed, "hemgate update takes root: sudo hemgate update");
}

function failed(error: unknown): never {
  if (error instanceof CliError) throw error;
  throw new CliError(EXIT.failed, error instanceof Error ? error.message : String(error), { cause: error });
}
