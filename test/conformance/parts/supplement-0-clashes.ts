/** Rule S0: what to do where two descriptions differed. */
import { expect } from "vitest";
import { LOCATION } from "../given.ts";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

/** `4: what holds` is about the fourth clash. */
function row(text: string, rest: Omit<Row, "part" | "statement">): Row {
  const [, number, first = "", others] = /^(\d+): (.)(.*)$/.exec(text) ?? [];
  return says(`S0.${number}`)(`${first.toUpperCase()}${others}`, rest);
}
const HOUSE = { name: "House", latitude: 52.5, longitude: 13.4 };
const CAPABILITY = { isCapable: expect.any(Boolean), interventionIds: expect.any(Array) };
const SMART_PATHS = [
  ["/chargers/{charger}/smart-charging-policy", { isEnabled: false }],
  ["/chargers/{charger}/smart-charging-status", { chargerId: "{charger}", state: "DISABLED" }],
  ["/hvacs/{hvac}/smart-policy", { isEnabled: false }],
  ["/hvacs/{hvac}/smart-status", { hvacId: "{hvac}", intervals: [] }],
] as const;

export const CLASH_ROWS: readonly Row[] = [
  row("1: a location is made with 201", {
    versions: ["2024-10-01", "2023-08-01"],
    request: { ask: "POST /users/{user}/locations", body: HOUSE },
    expect: { status: 201, body: { name: "House" } },
  }),
  row("1: a deleted location is answered with 200", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [LOCATION],
    request: { ask: "DELETE /locations/{location}" },
    expect: { status: 200, body: { id: "{location}" } },
  }),
  row("2: a user has id, time, scopes and linked vendors", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /users/{user}" },
    expect: {
      status: 200,
      exactly: {
        id: "{user}",
        createdAt: expect.any(String),
        scopes: ["all"],
        linkedVendors: expect.arrayContaining([{ vendor: "KEBA", vendorType: "charger", isValid: true }]),
      },
    },
  }),
  row("4: an HVAC unit has all of the interface in every version", {
    request: { ask: "GET /hvacs/{hvac}" },
    expect: {
      status: 200,
      body: {
        mode: "HEAT",
        heatSetpoint: 20,
        coolSetpoint: 25,
        holdType: "SCHEDULED",
        isActive: true,
        currentTemperature: 19.5,
        capabilities: { capableHoldTypes: ["PERMANENT", "SCHEDULED"] },
      },
    },
  }),
  row("4: an HVAC unit has its location's id and the location", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /hvacs/{hvac}" },
    expect: { status: 200, body: { locationId: null, location: { id: null } } },
  }),
  row("4: mode UNKNOWN may be reported from 2024-10-01", {
    versions: NEWEST,
    given: [{ device: "hvac", show: { "hvac.mode": null }, after: 5 }],
    request: { ask: "GET /hvacs/{hvac}" },
    expect: { status: 200, body: { thermostatState: { mode: "UNKNOWN" } } },
  }),
  row("4: mode UNKNOWN was null before 2024-10-01", {
    versions: ["2024-01-01", "2023-04-01"],
    given: [{ device: "hvac", show: { "hvac.mode": null }, after: 5 }],
    request: { ask: "GET /hvacs/{hvac}" },
    expect: { status: 200, body: { thermostatState: { mode: null } } },
  }),
  ...SMART_PATHS.map(([path, body]) =>
    row(`5: ${path} is there in every version`, { request: { ask: `GET ${path}` }, expect: { status: 200, body } }),
  ),
  row("5: a charger is overridden in every version since 2023-05-01", {
    versions: { from: "2023-05-01" },
    request: { ask: "POST /chargers/{charger}/smart-override" },
    expect: { status: 200, body: { targetType: "charger" } },
  }),
  ...["inverter", "inverters", "batteries", "meters"].map((category) =>
    row(`6: /health/${category} is there in every version`, {
      request: { ask: `GET /health/${category}` },
      expect: { status: 200, body: expect.any(Array) },
    }),
  ),
  row("7: production is there in every version with users in paths", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /users/{user}/statistics/production?type=inverter&startDate=2026-06-20T00:00:00Z" },
    expect: { status: 200, body: [{ kw: { max: 3.21 } }] },
  }),
  row("7: the vendor's statistics are there in every version", {
    request: { ask: "GET /inverters/{inverter}/vendor-statistics?resolution=HOUR&startDate=2026-06-20T00:00:00Z" },
    expect: { status: 200, body: { production: { unit: "kWh" } } },
  }),
  row("7: the single webhook is there in every version", {
    request: { ask: "DELETE /webhooks/firehose", body: { url: "https://hooks.example/in" } },
    expect: { status: 404, problem: "not-found" },
  }),
  row("8: an inverter has its charging location in every version", {
    request: { ask: "GET /inverters/{inverter}" },
    expect: { status: 200, body: { chargingLocationId: null, location: { longitude: 13.4, latitude: 52.5 } } },
  }),
  row("8: an inverter has its capabilities, serial number and system", {
    versions: NEWEST,
    request: { ask: "GET /inverters/{inverter}" },
    expect: {
      status: 200,
      body: {
        capabilities: { productionState: CAPABILITY, productionStatistics: CAPABILITY },
        information: { sn: "I-1" },
        hemSystemId: expect.any(String),
        location: { id: null, lastUpdated: expect.any(String) },
      },
    },
  }),
  row("9: weekdays are optional in the tariff of a location", {
    versions: NEWEST,
    given: [LOCATION, { ask: "PUT /tariffs/flat", body: [{ name: "all", cost: "0.30" }] }],
    request: {
      ask: "PUT /locations/{location}/tariff",
      body: { tariffId: "flat", tariffIntervals: [{ name: "all", from: "00:00", to: "24:00" }] },
    },
    expect: { status: 204 },
    afterwards: [
      {
        ask: "GET /locations/{location}/tariff",
        expect: { status: 200, body: [{ fromHourMinute: "00:00", toHourMinute: "24:00" }], lacks: ["0.weekday"] },
      },
    ],
  }),
  row("10: one schedule is read", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [
      {
        ask: "POST /users/{user}/schedules",
        body: {
          targetType: "charger",
          targetId: "{charger}",
          locationId: null,
          isEnabled: false,
          defaultShouldCharge: true,
          rules: [],
        },
        keep: { schedule: "id" },
      },
    ],
    request: { ask: "GET /schedules/{schedule}" },
    expect: { status: 200, body: { id: "{schedule}" } },
  }),
  row("11: a charger has its user and the state of its power", {
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, body: { userId: "{user}", chargeState: { powerDeliveryState: "PLUGGED_IN:STOPPED" } } },
  }),
  row("11: a charger has its serial number", {
    versions: NEWEST,
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, body: { information: { serialNumber: "K-1" } } },
  }),
  row("12: a vehicle has its name and its location", {
    versions: NEWEST,
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { information: { displayName: expect.any(String) }, location: { id: null } } },
  }),
  row("12: a vehicle takes a maximum current", {
    request: { ask: "POST /vehicles/{vehicle}/max-current", body: { maxCurrent: 10 } },
    expect: { status: 200, body: { targetType: "vehicle", targetState: { maxCurrent: 10 } } },
  }),
  ...(
    [
      ["vehicle", "/vehicles/{vehicle}/charging", { action: "START" }],
      ["charger", "/chargers/{charger}/charging", { action: "START" }],
      ["battery", "/batteries/{battery}/operation-mode", { operationMode: "IMPORT_FOCUS" }],
      ["hvac", "/hvacs/{hvac}/permanent-hold", { mode: "OFF" }],
    ] as const
  ).map(([targetType, path, body]) =>
    row(`13: an action of a ${targetType} says that nothing failed`, {
      versions: NEWEST,
      request: { ask: `POST ${path}`, body },
      expect: { status: 200, body: { targetType, failureReason: null } },
    }),
  ),
  row("15: who leaves the link page early is led back with the error, and its message by both names", {
    versions: NEWEST,
    house: "sandbox",
    given: [
      {
        ask: "POST /users/ada/link",
        body: { scopes: ["vehicle:read:data"], language: "en-US", redirectUri: "app://done", vendorType: "vehicle" },
        keep: { token: "linkToken" },
      },
    ],
    request: { ask: "GET /link/{token}", token: null },
    expect: {
      status: 200,
      text: expect.stringMatching(
        /app:\/\/done\?error=access_denied&(amp;)?error_message=[^"&]+&(amp;)?error_description=/,
      ),
    },
  }),
  row("16: interventions are filtered by kind and vendor, and say what to do", {
    versions: NEWEST,
    request: { ask: "GET /interventions?vendorType=charger&vendor=KEBA" },
    expect: {
      status: 200,
      body: expect.toSatisfy(
        (all: readonly { vendor: string; vendorType: string; resolution: object }[]) =>
          all.length > 0 &&
          all.every(
            ({ vendor, vendorType, resolution }) =>
              vendor === "KEBA" && vendorType === "charger" && "action" in resolution,
          ),
      ),
    },
  }),
  row("17: a charge action is cancelled", {
    versions: ["2024-10-01", "2023-04-01"],
    given: [{ ask: "POST /chargers/{charger}/charging", body: { action: "START" }, keep: { action: "id" } }],
    request: { ask: "POST /chargers/actions/{action}/cancel" },
    expect: { status: 200, body: { id: "{action}", state: "CANCELLED" } },
  }),
];
