import type { ClientCredentials } from "../control/messages.ts";
import type { DeviceStatus } from "../engine/services.ts";
import type { PointName } from "../sdk/points.ts";
import { POINT_UNITS } from "../sdk/points.ts";
import { pointText } from "./point-text.ts";

/** What the sandbox tells a newcomer: where the house is, how to get in, and two lines to paste. */
export function sandboxWelcome(address: string, { id, secret }: ClientCredentials): string {
  const token = `curl -s ${address}/oauth2/token -u '${id}:${secret}' -d grant_type=client_credentials`;
  return `
The sandbox home is running: an inverter with a battery, a grid meter and a charger.

  API            ${address}
  Documentation  ${address}/docs
  Client id      ${id}
  Client secret  ${secret}

Paste these two lines into another terminal:

  TOKEN=$(${token} | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')
  curl -s ${address}/batteries -H "Authorization: Bearer $TOKEN"

Ctrl-C stops it.
`;
}

/** What a house's line names, in the order of the energy's way. */
const LINE: readonly (readonly [label: string, point: PointName])[] = [
  ["sun", "inverter.power"],
  ["battery", "battery.soc"],
  ["", "battery.power"],
  ["grid", "meter.power"],
  ["car", "charger.power"],
  ["", "charger.state"],
];

/** The house in one line; what no device has told yet is left out. Null when none has told anything. */
export function houseLine(devices: readonly DeviceStatus[]): string | null {
  const parts = LINE.flatMap(([label, point]) => {
    const readings = devices.flatMap((device) => device.points.filter((reading) => reading.point === point));
    const value = readings[0]?.value ?? null;
    if (value === null) return [];
    const text = pointText({ point, value, unit: POINT_UNITS[point] });
    return [{ label, text }];
  });
  if (parts.length === 0) return null;
  return parts
    .map(({ label, text }, index) => (label === "" ? ` ${text}` : `${index === 0 ? "" : " · "}${label} ${text}`))
    .join("");
}
