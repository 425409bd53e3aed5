import type { ControlDevice, ControlState } from "../../cli-socket/messages.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { CliContext } from "../context.ts";
import { askState, notRunning } from "../control-client.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { ageText, pointText } from "../point-text.ts";
import { textTable } from "../text-table.ts";
import { contradictionText } from "./checks.ts";

const WATCH_EVERY_MS = 2_000;
const CLEAR_SCREEN = "\u001b[H\u001b[2J";
/** The points that say most about each kind, for the overview. */
const HEADLINES = [
  "battery.soc",
  "battery.power",
  "inverter.power",
  "meter.power",
  "charger.power",
  "charger.state",
  "vehicle.soc",
  "vehicle.state",
  "hvac.temperature",
  "hvac.mode",
  "hvac.maxPower",
];

export interface DevicesOptions {
  readonly folder: string;
  readonly isJson: boolean;
  /** Prints again and again until the user stops it. */
  readonly isWatch: boolean;
}

/** `hemgate devices`: what each device is, whether it answers, and what it does. */
export async function devices(
  { folder, isJson, isWatch }: DevicesOptions,
  context: Pick<CliContext, "out" | "stop" | "isTerminal">,
  clock: Pick<Clock, "sleep">,
): Promise<ExitCode> {
  do {
    const state = await askState(folder, context.stop);
    if (state === null) throw notRunning(folder);
    const clear = isWatch && context.isTerminal ? CLEAR_SCREEN : "";
    context.out(isJson ? JSON.stringify(devicesJson(state)) : clear + devicesText(state));
    if (isWatch) await clock.sleep(WATCH_EVERY_MS, context.stop).catch(() => undefined);
  } while (isWatch && !context.stop.aborted);
  return EXIT.ok;
}

/** Each device with its open findings. */
function devicesJson({ devices: all, checks }: ControlState): readonly object[] {
  const open = checks.filter(({ state }) => state === "OPEN");
  return all.map((device) => ({ ...device, checks: open.filter(({ deviceId }) => deviceId === device.id) }));
}

/** The table of the devices, and below it why some do not answer, what somebody else took over, and what is contradicted. */
function devicesText(state: ControlState): string {
  if (state.devices.length === 0) return "no devices are configured";
  const table = textTable(["DEVICE", "WHAT", "STATE", "LAST ANSWER", "NOW"], state.devices.map(deviceRow));
  const silent = state.devices.filter(({ lastError }) => lastError !== null);
  const reasons = silent.map(({ id, lastError }) => `${id}: ${lastError}`);
  const taken = state.devices.flatMap(({ id, takenOver }) =>
    takenOver.map(
      ({ point, held, found, ageMs }) =>
        `${id}: ${point} was held at ${held} until somebody else set it to ${found} (${ageText(ageMs)})`,
    ),
  );
  const contradictions = state.checks
    .filter(({ state: verdict, check, deviceId }) => verdict === "OPEN" && check !== "control" && deviceId !== null)
    .map((check) => contradictionText(check));
  const failures = state.failures.map((failure) => `gateway: ${failure}`);
  return [table, ...reasons, ...taken, ...contradictions, ...failures].join("\n");
}

function deviceRow(device: ControlDevice): readonly string[] {
  const { identity, adapter } = device;
  const what = [identity?.manufacturer, identity?.model].filter((part) => part !== null && part !== undefined);
  const state = device.isReachable ? "answers" : device.ageMs === null ? "not yet reached" : "silent";
  const headlines = device.points.filter(({ point, value }) => HEADLINES.includes(point) && value !== null);
  const now = headlines.map((point) => pointText(point)).join(", ");
  return [device.id, what.length === 0 ? adapter : what.join(" "), state, ageText(device.ageMs), now];
}
