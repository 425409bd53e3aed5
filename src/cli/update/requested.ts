/** `hemgate update requested`: what the gateway, which has no rights on the package, asks for. */
import { errorText } from "../../platform/error-text.ts";
import { takeUpdateRequests } from "../../platform/node/updates/node-update-requests.ts";
import type { CliContext } from "../context.ts";
import { askForUpdateReport } from "../control-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { progressText, readRecord } from "./debian-box.ts";
import { beginUpdate, lookForVersion, requirePackage, type UpdateOptions, updateFolder } from "./update.ts";

type Context = Pick<CliContext, "out" | "err" | "stop">;
type Options = Omit<UpdateOptions, "file" | "isJson">;

/** Reports what it finds to the gateway; an update goes on in its own unit. */
export async function updateRequested(options: Options, context: Context): Promise<ExitCode> {
  const requests = await takeUpdateRequests(options.state);
  requirePackage();
  if (requests.length === 0) return EXIT.ok;
  try {
    await (requests.includes("install") ? install(options, context) : check(options, context));
    return EXIT.ok;
  } catch (error) {
    const reason = errorText(error);
    await askForUpdateReport(options.state, { outcome: "failed", reason }, context.stop);
    throw new CliError(EXIT.failed, reason, { cause: error });
  }
}

async function check({ state }: Options, { out, stop }: Context): Promise<void> {
  const { installed: from, newest: to, isNew } = await lookForVersion();
  if (!isNew) {
    out(`${from} is the newest`);
    await askForUpdateReport(state, { outcome: "newest", from }, stop);
    return;
  }
  out(`${to} is there; ${from} is installed`);
  await askForUpdateReport(state, { outcome: "available", from, to }, stop);
}

async function install(options: Options, { out, stop }: Context): Promise<void> {
  const folder = updateFolder(options.state);
  const skip = async (reason: string): Promise<void> => {
    out(reason);
    await askForUpdateReport(options.state, { outcome: "skipped", reason }, stop);
  };
  if ((await readRecord(folder, "current")) !== null) return await skip("another update goes on");
  const last = await readRecord(folder, "last");
  const { installed, newest, isNew } = await lookForVersion();
  // It was not ready here. A later version may be, and who is there can try again with `hemgate update`.
  if (isNew && last?.step === "rolled-back" && last.to === newest) {
    return await skip(`${newest} was rolled back: ${last.reason}; \`sudo hemgate update\` tries it again`);
  }
  const begun = isNew ? await beginUpdate({ ...options, file: undefined }, folder, stop) : null;
  if (begun !== null) return out(progressText(begun));
  out("there is no later version");
  await askForUpdateReport(options.state, { outcome: "newest", from: installed }, stop);
}
