import type { ControlState } from "../../cli-socket/messages.ts";
import type { ClockQuality } from "../../platform/ports/ports.ts";
import type { CliContext } from "../context.ts";
import { askState } from "../control-client.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { socketClient } from "../socket-client.ts";
import { deviceNames } from "./device-names.ts";
import {
  bad,
  brokerChecks,
  type Check,
  clockCheck,
  deviceCheck,
  diskCheck,
  dnsChecks,
  gatewayCheck,
  portCheck,
  serialChecks,
  storeCheck,
  versionCheck,
} from "./doctor-checks.ts";

export interface DoctorOptions {
  readonly folder: string;
  readonly isJson: boolean;
}

/** `hemgate doctor`: what a person who helps would look at. Exit code 1 if something is wrong. */
export async function doctor(
  { folder, isJson }: DoctorOptions,
  context: Pick<CliContext, "out" | "stop">,
  quality: () => ClockQuality,
): Promise<ExitCode> {
  // The first question has the answer of the kernel fetched.
  quality();
  const state = await askState(folder, context.stop);
  const disk = await diskCheck(folder);
  const running = state === null ? [] : await runningChecks(folder, state, context.stop);
  const checks: readonly Check[] = [gatewayCheck(folder, state), clockCheck(quality()), disk, ...running];
  const wrong = checks.filter(({ isGood }) => isGood === false);
  if (isJson) context.out(JSON.stringify({ isGood: wrong.length === 0, checks }));
  else context.out([...checks.map(checkText), summary(wrong.length)].join("\n"));
  return wrong.length === 0 ? EXIT.ok : EXIT.failed;
}

async function runningChecks(folder: string, state: ControlState, stop: AbortSignal): Promise<readonly Check[]> {
  const client = await socketClient(folder, stop);
  const { configuration } = await client.get("/local/diagnostics");
  const names = await deviceNames(client);
  return [
    versionCheck(state),
    await portCheck(state, stop),
    storeCheck(state),
    ...(await brokerChecks(configuration["mqtt"])),
    ...(await dnsChecks(configuration)),
    ...(await serialChecks(configuration["devices"], folder)),
    ...state.devices.map((device) => deviceCheck(device, state, names.get(device.id) ?? null)),
    ...state.failures.map((failure) => bad("readiness", failure, "`hemgate logs --level warn` says what led to it")),
  ];
}

function checkText({ name, isGood, found, advice }: Check): string {
  const line = `${isGood === null ? "?    " : isGood ? "ok   " : "WRONG"} ${name}: ${found}`;
  return advice === null ? line : `${line}\n      to do: ${advice}`;
}

function summary(wrong: number): string {
  return wrong === 0 ? "nothing is wrong" : `${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong`;
}
