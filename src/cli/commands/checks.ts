import type { ControlCheck, ControlState } from "../../cli-socket/messages.ts";
import type { CliContext } from "../context.ts";
import { askState, notRunning } from "../control-client.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { ageText } from "../point-text.ts";

export interface ChecksOptions {
  readonly folder: string;
  readonly isJson: boolean;
}

/** `hemgate checks`: the findings about the installation, what would put each right, and how to confirm that. */
export async function checks(
  { folder, isJson }: ChecksOptions,
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  const state = await askState(folder, context.stop);
  if (state === null) throw notRunning(folder);
  context.out(isJson ? JSON.stringify(state.checks) : checksText(state));
  return EXIT.ok;
}

function checksText({ checks: all, address }: ControlState): string {
  if (all.length === 0) return "nothing is contradicted";
  const post = `curl -X POST -H "Authorization: Bearer $TOKEN" ${address ?? "http://GATEWAY:8080"}`;
  return all.map((check) => checkLines(check, post).join("\n")).join("\n\n");
}

function checkLines(check: ControlCheck, post: string): readonly string[] {
  const { check: kind, deviceId, measured, fix, state, confirm, dismiss, ageMs } = check;
  return [
    `${deviceId ?? "gateway"}: ${kind}, ${state.toLowerCase()}, since ${check.firstSeenAt} (${ageText(ageMs)})`,
    `  measured: ${measured}`,
    `  fix: ${fix ?? (deviceId === null ? "none; dismiss it when you know of it" : "none by a setting; look at the device or its configuration")}`,
    ...(confirm === null ? [] : [`  to apply the fix: ${post}${confirm}`]),
    ...(dismiss === null ? [] : [`  to keep it as it is: ${post}${dismiss}`]),
  ];
}

/** One line at a device: what is contradicted, since when. */
export function contradictionText({ deviceId, check, measured, firstSeenAt, ageMs }: ControlCheck): string {
  return `${deviceId}: ${check} is contradicted since ${firstSeenAt} (${ageText(ageMs)}): ${measured} See \`hemgate checks\`.`;
}
