import type { ControlDevice } from "../../cli-socket/messages.ts";
import { nearest } from "../../config/nearest.ts";
import type { CliContext } from "../context.ts";
import { askState, notRunning } from "../control-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { ageText, pointText } from "../point-text.ts";
import { textTable } from "../text-table.ts";

export interface ReadOptions {
  readonly folder: string;
  readonly deviceId: string;
  readonly isJson: boolean;
}

/** `hemgate read DEVICE`: every point of one device, its sign in words, as the installer checks it against the display. */
export async function read(
  { folder, deviceId, isJson }: ReadOptions,
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  const state = await askState(folder, context.stop);
  if (state === null) throw notRunning(folder);
  const device = state.devices.find(({ id }) => id === deviceId);
  if (device === undefined) throw unknownDevice(deviceId, state.devices);
  context.out(isJson ? JSON.stringify(device) : deviceText(device));
  return EXIT.ok;
}

function unknownDevice(deviceId: string, known: readonly ControlDevice[]): CliError {
  const ids = known.map(({ id }) => id);
  const near = nearest(deviceId, ids);
  const hint = near === null ? "" : `; did you mean "${near}"?`;
  const list = ids.length === 0 ? "none is configured" : `there are ${ids.join(", ")}`;
  return new CliError(EXIT.failed, `no device "${deviceId}"; ${list}${hint}`);
}

/** Who the device is, whether it answers, and all its points. */
function deviceText(device: ControlDevice): string {
  const { identity } = device;
  const name = [identity?.manufacturer, identity?.model, identity?.serial].filter((part) => part).join(" ");
  const state = device.isReachable
    ? `answers, read ${ageText(device.ageMs)}`
    : `does not answer (${lastAnswerText(device.ageMs)}): ${device.lastError ?? "not tried yet"}`;
  const heading = `${device.id}${name === "" ? "" : ` (${name})`}: ${state}`;
  if (device.points.length === 0) return heading;
  const rows = device.points.map((point) => [point.point, pointText(point), ageText(point.ageMs)]);
  return `${heading}\n${textTable(["POINT", "VALUE", "READ"], rows)}`;
}

function lastAnswerText(ageMs: number | null): string {
  return ageMs === null ? "never heard" : `last heard ${ageText(ageMs)}`;
}
