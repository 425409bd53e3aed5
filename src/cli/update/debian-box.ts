/** A box with the Debian package and systemd, as the steps of an update see it. */
import { errorText } from "../../platform/error-text.ts";
import { type InstallOptions, installedPackage, installPackage } from "../../platform/node/updates/debian-package.ts";
import {
  answersHttp,
  gatewayProcess,
  startGatewayService,
  stopGatewayService,
} from "../../platform/node/updates/gateway-service.ts";
import { ProgramError } from "../../platform/node/updates/programs.ts";
import type { UpdateFolder } from "../../platform/node/updates/update-folder.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { CliContext } from "../context.ts";
import { askForUpdateReport, askState } from "../control-client.ts";
import { CliError, EXIT } from "../exit-code.ts";
import { UpdateRecord } from "./update-record.ts";
import type { SeenGateway, UpdateBox } from "./update-steps.ts";

const LOCK_TRIES = 24;
const LOCK_WAIT_MS = 5_000;
const REPORT_TRIES = 30;
const REPORT_WAIT_MS = 2_000;

export interface DebianBoxParts {
  readonly folder: UpdateFolder;
  /** State folder of the gateway. */
  readonly state: string;
  readonly clock: Clock;
  readonly context: Pick<CliContext, "stop" | "out" | "err">;
}

export function debianBox({ folder, state, clock, context }: DebianBoxParts): UpdateBox {
  const { stop } = context;
  return {
    clock,
    stop,
    read: () => readRecord(folder, "current"),
    async write(record) {
      await folder.write(JSON.stringify(record));
      context.out(progressText(record));
    },
    async stopGateway() {
      await folder.forbidGateway();
      await stopGatewayService();
    },
    async startGateway() {
      await folder.allowGateway();
      await startGatewayService();
    },
    copyState: () => folder.copyState(),
    restoreState: () => folder.restoreState(new Date(clock.nowMs())),
    installed: installedPackage,
    install: (which) => installWhenFree(folder.current(`${which}.deb`), { isBack: which === "previous", stop }, clock),
    look: () => lookAt(state, stop),
    ends: async () => (await gatewayProcess()).restarts,
    async report(record) {
      const failure = await report(record, { state, clock, stop });
      if (failure !== null) context.err(`hemgate: the gateway did not take the report of the update: ${failure}`);
    },
    async close(record) {
      await folder.end(record.step === "kept");
    },
  };
}

/** The record of the update that goes on, or of the last one; `null` if there is none. */
export async function readRecord(folder: UpdateFolder, which: "current" | "last"): Promise<UpdateRecord | null> {
  const text = await folder.read(which);
  return text === null ? null : UpdateRecord.parse(JSON.parse(text));
}

/** What the gateway says of itself, and whether its API answers; `null` if it says nothing. */
export async function lookAt(state: string, stop: AbortSignal): Promise<SeenGateway | null> {
  const [seen, { pid }] = await Promise.all([askState(state, stop).catch(() => null), gatewayProcess()]);
  if (seen === null || pid === null) return null;
  return {
    version: seen.version,
    process: pid,
    isListening: seen.address !== null && (await answersHttp(new URL("/health/ready", seen.address).href)),
    failures: seen.failures,
    answering: seen.devices.filter(({ isReachable }) => isReachable).map(({ id }) => id),
  };
}

/** Another program, such as unattended-upgrades, may use dpkg for a while. */
async function installWhenFree(path: string, options: InstallOptions, clock: Clock): Promise<void> {
  for (let left = LOCK_TRIES; ; left--) {
    try {
      await installPackage(path, options);
      return;
    } catch (error) {
      const isLocked = error instanceof ProgramError && /\block\b/u.test(error.output);
      if (!isLocked || left === 0) throw error;
      await clock.sleep(LOCK_WAIT_MS, options.stop);
    }
  }
}

interface ReportParts extends Pick<DebianBoxParts, "state" | "clock"> {
  readonly stop: AbortSignal;
}

/** Reports to the gateway, which may still be starting. Returns what went wrong, or `null`. */
async function report(record: UpdateRecord, { state, clock, stop }: ReportParts): Promise<string | null> {
  const { step, from, to, reason } = record;
  const outcome = step === "kept" ? ({ outcome: "kept", from, to } as const) : null;
  const body = outcome ?? ({ outcome: "rolled-back", from, to, reason: reason ?? "" } as const);
  let failure = "it does not answer";
  for (let left = REPORT_TRIES; left > 0; left--) {
    try {
      if (await askForUpdateReport(state, body, stop)) return null;
    } catch (error) {
      failure = errorText(error);
      // It answered, and does not take it: an older version knows no reports.
      if (error instanceof CliError && error.exitCode === EXIT.failed) return failure;
    }
    await clock.sleep(REPORT_WAIT_MS, stop);
  }
  return failure;
}

/** Describes what has been done. */
export function progressText({ step, from, to, reason }: UpdateRecord): string {
  switch (step) {
    case "prepared":
      return `update from ${from} to ${to} is prepared`;
    case "copied":
      return "the gateway is stopped, and its state is copied";
    case "installed":
      return `${to} is installed; it is kept when it is ready`;
    case "kept":
      return `${to} is ready and stays`;
    case "reverting":
      return `${from} comes back: ${reason}`;
    case "reinstalled":
      return `${from} is installed again`;
    case "restored":
      return `the state is as it was before ${to}`;
    case "rolled-back":
      return `${from} runs again in place of ${to}: ${reason}`;
  }
}
