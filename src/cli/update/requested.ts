/** `hemgate update requested`: what the gateway, which has no rights on the package, asks for. */
import type { UpdateReport } from "../../domain/updates/update-report.ts";
import { errorText } from "../../platform/error-text.ts";
import { takeUpdateRequests } from "../../platform/node/updates/node-update-requests.ts";
import type { UpdateRequest } from "../../platform/ports/update-requests-port.ts";
import type { CliContext } from "../context.ts";
import { askForUpdateReport } from "../control-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { progressText, readRecord } from "./debian-box.ts";
import { beginUpdate, lookForVersion, requirePackage, type UpdateOptions, updateFolder } from "./update.ts";

type Context = Pick<CliContext, "out" | "err" | "stop">;
type Options = Omit<UpdateOptions, "file">;

interface Result {
  /** What is sent to the gateway, and what `--json` prints. */
  readonly report: UpdateReport;
  readonly text: string;
}

/** Reports what it finds to the gateway; an update goes on in its own unit. */
export async function updateRequested(options: Options, context: Context): Promise<ExitCode> {
  const { state, isJson } = options;
  const { out, stop } = context;
  const requests = await takeUpdateRequests(state);
  requirePackage();
  try {
    const result = await (requests.includes("install") ? install(options, stop) : check(requests));
    if (isJson) out(JSON.stringify(result?.report ?? null));
    else if (result !== null) out(result.text);
    // `beginUpdate` has reported what it prepared before it started the unit.
    if (result !== null && result.report.outcome !== "prepared") await askForUpdateReport(state, result.report, stop);
    return EXIT.ok;
  } catch (error) {
    const reason = errorText(error);
    await askForUpdateReport(state, { outcome: "failed", reason }, stop);
    throw new CliError(EXIT.failed, reason, { cause: error });
  }
}

async function check(requests: readonly UpdateRequest[]): Promise<Result | null> {
  if (requests.length === 0) return null;
  const { installed: from, newest: to, isNew } = await lookForVersion();
  if (!isNew) return { report: { outcome: "newest", from }, text: `${from} is the newest` };
  return { report: { outcome: "available", from, to }, text: `${to} is there; ${from} is installed` };
}

async function install(options: Options, stop: AbortSignal): Promise<Result> {
  const folder = updateFolder(options.state);
  if ((await readRecord(folder, "current")) !== null) return skipped("another update goes on");
  const last = await readRecord(folder, "last");
  const { installed: from, newest, isNew } = await lookForVersion();
  // It was not ready here. A later version may be, and who is there can try again with `hemgate update`.
  if (isNew && last?.step === "rolled-back" && last.to === newest) {
    return skipped(`${newest} was rolled back: ${last.reason}; \`sudo hemgate update\` tries it again`);
  }
  const begun = isNew ? await beginUpdate({ ...options, file: undefined }, folder, stop) : null;
  if (begun === null) return { report: { outcome: "newest", from }, text: "there is no later version" };
  return { report: { outcome: "prepared", from: begun.from, to: begun.to }, text: progressText(begun) };
}

function skipped(reason: string): Result {
  return { report: { outcome: "skipped", reason }, text: reason };
}
