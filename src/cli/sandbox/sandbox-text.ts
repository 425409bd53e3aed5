import type { ClientCredentials } from "../../cli-socket/messages.ts";
import type { DeviceStatus } from "../../engine/contracts/engine.ts";
import { POINT_UNITS, type PointName, type PointValue } from "../../points/points.ts";
import { pointText } from "../point-text.ts";
import { DEMO_ACCOUNT } from "./sandbox-guests.ts";

/**
 * What the sandbox tells a newcomer: where the house is, how to get in, two lines to paste, and what else to try.
 * `setupCode` is `null` if the house has an owner already.
 */
export function sandboxWelcome(
  address: string,
  { id, secret }: ClientCredentials,
  folder: string,
  setupCode: string | null,
): string {
  const token = `curl -s ${address}/oauth2/token -u '${id}:${secret}' -d grant_type=client_credentials`;
  const link = JSON.stringify({
    vendorType: "vehicle",
    scopes: ["vehicle:read:data", "vehicle:control:charging"],
    language: "browser",
    redirectUri: `${address}/docs`,
    vendor: "SIMULATED",
  });
  return `
The sandbox home is running: an inverter with a battery, a grid meter, two chargers behind the garage's fuse and a
heating rod; a made-up car and heat pump. It simulates a summer's afternoon, or the hours of --home FILE. The cars take
the sun first, the rod what is left over. After an hour of readings the battery is planned by price.

  Home page      ${setupCode === null ? `${address}/` : `${address}/#code=${setupCode}`}
  API            ${address}
  Documentation  ${address}/docs
  Client id      ${id}
  Client secret  ${secret}
  State folder   ${folder}

Paste these two lines into another terminal:

  TOKEN=$(${token} | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')
  curl -s ${address}/batteries -H "Authorization: Bearer $TOKEN"

What else to try, with the same token; all of it is at ${address}/docs:

  /vehicles, /hvacs          the made-up devices; commands, schedules and smart charging work on them
  /local/simulated/vehicle   make devices up, change them, let them fail on purpose; of every kind
  /local/energy              what charges, and why; modes, fuses and limits of the grid operator work on it
  /local/energy/plan         what the battery will do by price, once the house's load was measured for an hour
  /local/events              what happens, as it happens (curl -N)
  /users/home/link           the page on which users link devices; this line answers its linkUrl for a browser,
                             where ${DEMO_ACCOUNT.username} with the password ${DEMO_ACCOUNT.password} has a car to link:

  curl -s ${address}/users/home/link -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '${link}'

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
  ["cars", ["charger.power"]],
  ["heat", ["hvac.power"]],
];

/** Describes the house in one line, without values that no device reports now; `null` if there are none. */
export function houseLine(devices: readonly DeviceStatus[]): string | null {
  const readings = new Map<PointName, PointValue | null>();
  for (const { point, value } of devices.flatMap(({ points }) => points)) {
    const before = readings.get(point);
    // Of several chargers or heaters the line has the sum.
    readings.set(point, typeof before === "number" ? before + (typeof value === "number" ? value : 0) : value);
  }
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
