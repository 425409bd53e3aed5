import type { ClientCredentials } from "../control/messages.ts";
import type { DeviceStatus } from "../engine/services.ts";
import { POINT_UNITS, type PointName } from "../sdk/points.ts";
import { pointText } from "./point-text.ts";

/** What the sandbox tells a newcomer: where the house is, how to get in, and two lines to paste. */
export function sandboxWelcome(address: string, { id, secret }: ClientCredentials, folder: string): string {
  const token = `curl -s ${address}/oauth2/token -u '${id}:${secret}' -d grant_type=client_credentials`;
  return `
The sandbox home is running: an inverter with a battery, a grid meter and a charger.
It lives through a summer's afternoon, or through the hours of --home FILE.

  API            ${address}
  Documentation  ${address}/docs
  Client id      ${id}
  Client secret  ${secret}
  State folder   ${folder}

Paste these two lines into another terminal:

  TOKEN=$(${token} | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')
  curl -s ${address}/batteries -H "Authorization: Bearer $TOKEN"

And to see its devices as the installer does:

  npm run hemgate -- devices --state ${folder}

Ctrl-C stops it.
`;
}

/** What a house's line names, in the order of the energy's way. */
const LINE: readonly (readonly [label: string, points: readonly PointName[]])[] = [
  ["sun", ["inverter.power"]],
  ["battery", ["battery.soc", "battery.power"]],
  ["grid", ["meter.power"]],
  ["car", ["charger.power"]],
];

/** The house in one line; what no device can tell now is left out. Null when none has told anything. */
export function houseLine(devices: readonly DeviceStatus[]): string | null {
  const readings = new Map(devices.flatMap(({ points }) => points.map(({ point, value }) => [point, value])));
  const parts = LINE.flatMap(([label, points]) => {
    const texts = points.flatMap((point) => {
      const value = readings.get(point);
      return typeof value === "number" ? [roundText(point, value)] : [];
    });
    return texts.length === 0 ? [] : [`${label} ${texts.join(", ")}`];
  });
  return parts.length === 0 ? null : parts.join(" · ");
}

/** Whole watts and percent: a line that moves every few seconds is read at a glance. */
function roundText(point: PointName, value: number): string {
  // Adding zero makes 0 of −0, which would be shown with its sign.
  return pointText({ point, value: Math.round(value) + 0, unit: POINT_UNITS[point] });
}
