/** Rules S2.2 and S2.8: states, locations, hints, and how actions end. */
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";
import { DEVICES, showing } from "./supplement-2-charging.ts";

const charging = says("S2.1");
const control = says("S2.2");
const timing = says("S2.8");
const START = { action: "START" };

const POWER_STATES = [
  ["UNPLUGGED", false, false],
  ["PLUGGED_IN:INITIALIZING", true, false],
  ["PLUGGED_IN:CHARGING", true, true],
  ["PLUGGED_IN:STOPPED", true, false],
  ["PLUGGED_IN:NO_POWER", true, false],
  ["PLUGGED_IN:FAULT", true, false],
  ["PLUGGED_IN:DISCHARGING", true, false],
] as const;

export const CONTROL_ROWS: readonly Row[] = [
  ...DEVICES.flatMap(({ kind, path }) =>
    POWER_STATES.map(([powerDeliveryState, isPluggedIn, isCharging]) =>
      charging(`A ${kind} shows ${powerDeliveryState}`, {
        versions: NEWEST,
        given: [showing(kind, powerDeliveryState)],
        request: { ask: `GET ${path}` },
        expect: { status: 200, body: { chargeState: { powerDeliveryState, isPluggedIn, isCharging } } },
      }),
    ),
  ),
  charging("A vehicle that reached its limit shows PLUGGED_IN:COMPLETE and is fully charged", {
    versions: NEWEST,
    given: [showing("vehicle", "PLUGGED_IN:COMPLETE")],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { chargeState: { powerDeliveryState: "PLUGGED_IN:COMPLETE", isFullyCharged: true } } },
  }),
  charging("A fully charged vehicle does not start", {
    versions: NEWEST,
    given: [showing("vehicle", "PLUGGED_IN:COMPLETE")],
    request: { ask: "POST /vehicles/{vehicle}/charging", body: START },
    expect: { status: 400, problem: "bad-request" },
  }),
  charging("A vehicle that does not tell is UNKNOWN, and so is whether it is full", {
    versions: NEWEST,
    given: [{ device: "vehicle", show: { "vehicle.state": null }, after: 5 }],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { chargeState: { powerDeliveryState: "UNKNOWN", isFullyCharged: null } } },
  }),
  charging("Rate and time remaining are null unless a vehicle charges", {
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { chargeState: { chargeRate: null, chargeTimeRemaining: null } } },
  }),
  charging("A charging vehicle has a rate and a time remaining", {
    versions: NEWEST,
    given: [
      { device: "vehicle", show: { "vehicle.timeToFull": 95 } },
      { ask: "POST /vehicles/{vehicle}/charging", body: START },
    ],
    request: { ask: "GET /vehicles/{vehicle}", after: 30 },
    expect: { status: 200, body: { chargeState: { chargeRate: 10, chargeTimeRemaining: 95 } } },
  }),
  timing("A battery that does not follow fails after ten minutes", {
    versions: NEWEST,
    given: [
      { device: "battery", ignoresCommands: true },
      {
        ask: "POST /batteries/{battery}/operation-mode",
        body: { operationMode: "IMPORT_FOCUS" },
        keep: { action: "id" },
      },
    ],
    request: { ask: "GET /batteries/actions/{action}", after: 590 },
    expect: { status: 200, body: { state: "PENDING" } },
    afterwards: [
      {
        ask: "GET /batteries/actions/{action}",
        after: 15,
        expect: { status: 200, body: { state: "FAILED", failureReason: { type: "NO_RESPONSE" } } },
      },
    ],
  }),
  timing("A unit that does not follow fails after ten minutes", {
    versions: NEWEST,
    given: [
      { device: "hvac", ignoresCommands: true },
      { ask: "POST /hvacs/{hvac}/permanent-hold", body: { mode: "OFF" }, keep: { action: "id" } },
    ],
    request: { ask: "GET /hvacs/actions/{action}", after: 590 },
    expect: { status: 200, body: { state: "PENDING" } },
    afterwards: [
      {
        ask: "GET /hvacs/actions/{action}",
        after: 15,
        expect: { status: 200, body: { state: "FAILED", failureReason: { type: "NO_RESPONSE" } } },
      },
    ],
  }),
  ...(["chargers", "hvacs"] as const).flatMap((plural) => {
    const kind = plural.slice(0, -1);
    const put = `PUT /${plural}/{${kind}}`;
    return [
      control(`${put} assigns a location`, {
        versions: ["2024-10-01", "2023-08-01"],
        given: [
          {
            ask: "POST /users/{user}/locations",
            body: { name: "House", latitude: 52.5, longitude: 13.4 },
            keep: { location: "id" },
          },
        ],
        request: { ask: put, body: { locationId: "{location}" } },
        expect: { status: 200, body: { id: `{${kind}}`, locationId: "{location}" } },
        afterwards: [{ ask: put, body: { locationId: null }, expect: { status: 200, body: { locationId: null } } }],
      }),
      control(`${put} needs the location`, { request: { ask: put, body: {} }, expect: { status: 400 } }),
      control(`${put} refuses a location that there is not`, {
        versions: { from: "2023-08-01" },
        request: { ask: put, body: { locationId: "{unknown}" } },
        expect: { status: 404, problem: "not-found" },
      }),
      control(`${put} has another name for the location before 2023-08-01`, {
        versions: { before: "2023-08-01" },
        request: { ask: put, body: { chargingLocationId: "{unknown}" } },
        expect: { status: 404, problem: "not-found" },
      }),
      control(`${put} refuses unknown keys`, {
        request: { ask: put, body: { locationId: null, name: "x" } },
        expect: { status: 400 },
      }),
    ];
  }),
  ...[
    "batteries/{battery}",
    "chargers/{charger}",
    "hvacs/{hvac}",
    "inverters/{inverter}",
    "meters/{meter}",
    "vehicles/{vehicle}",
  ].flatMap((path) => [
    control(`POST /${path}/refresh-hint is taken with 204`, {
      versions: { from: "2023-08-01" },
      request: { ask: `POST /${path}/refresh-hint` },
      expect: { status: 204, isEmpty: true },
    }),
    control(`POST /${path.split("/")[0]}/{unknown}/refresh-hint is 404 without a body`, {
      versions: { from: "2023-08-01" },
      request: { ask: `POST /${path.split("/")[0]}/{unknown}/refresh-hint` },
      expect: { status: 404, isEmpty: true },
    }),
  ]),
];
