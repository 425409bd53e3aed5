/** Rules S7.1 to S7.4: schedules and their rules. */
import { expect } from "vitest";
import { LOCATION } from "../given.ts";
import type { Ask, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const endpoint = says("S7.1");
const body = says("S7.2");
const rule = says("S7.4");
const CREATE = "POST /users/{user}/schedules";
export const CHARGE = {
  targetType: "charger",
  targetId: "{charger}",
  locationId: null,
  isEnabled: false,
  defaultShouldCharge: false,
  rules: [],
};
export const TEMPERATURE = {
  targetType: "hvac",
  targetId: "{hvac}",
  isEnabled: false,
  defaultTargetState: { holdType: "SCHEDULED" },
  rules: [],
};
const MADE: Ask = { ask: CREATE, body: CHARGE, keep: { schedule: "id" } };
const WITH_USERS = { from: "2023-08-01" };
const COOL = { holdType: "PERMANENT", mode: "COOL", coolSetpoint: 24 };

const TARGET_STATES = [
  COOL,
  { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 21 },
  { holdType: "PERMANENT", mode: "AUTO", coolSetpoint: 26, heatSetpoint: 20 },
  { holdType: "PERMANENT", mode: "OFF" },
  { holdType: "SCHEDULED" },
];

/** What no unit of the house can be held at. */
const IMPOSSIBLE_STATES = [
  ["a setpoint above the range", { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 99 }],
  ["a setpoint below the range", { holdType: "PERMANENT", mode: "COOL", coolSetpoint: 3 }],
  [
    "a cool setpoint below the heat setpoint",
    { holdType: "PERMANENT", mode: "AUTO", coolSetpoint: 18, heatSetpoint: 24 },
  ],
] as const;

const WRONG_RULES = [
  ["a weekday that there is not", { shouldCharge: true, weekdays: [7] }],
  ["an empty list of weekdays", { shouldCharge: true, weekdays: [] }],
  ["a time that there is not", { shouldCharge: true, hourMinute: { from: "25:00", to: "07:00" } }],
  ["half an hourMinute", { shouldCharge: true, hourMinute: { from: "07:00" } }],
  ["a timestamp that is none", { shouldCharge: true, fromTimestamp: "yesterday" }],
  ["an unknown key", { shouldCharge: true, colour: "red" }],
  ["no shouldCharge", { weekdays: [0] }],
] as const;

/** Rules on a Sunday in June at 00:00 UTC, which is 02:00 in Berlin, and whether they want charging. */
const RULES = [
  ["no rule", [], false],
  ["a rule without filters", [{ shouldCharge: true }], true],
  ["hours that hold", [{ shouldCharge: true, hourMinute: { from: "00:00", to: "01:00" } }], true],
  ["hours that do not hold", [{ shouldCharge: true, hourMinute: { from: "01:00", to: "02:00" } }], false],
  ["hours that have just ended", [{ shouldCharge: true, hourMinute: { from: "22:00", to: "00:00" } }], false],
  ["hours across midnight", [{ shouldCharge: true, hourMinute: { from: "22:00", to: "06:00" } }], true],
  ["hours until 24:00", [{ shouldCharge: true, hourMinute: { from: "00:00", to: "24:00" } }], true],
  ["from equal to to", [{ shouldCharge: true, hourMinute: { from: "05:00", to: "05:00" } }], true],
  ["Sunday", [{ shouldCharge: true, weekdays: [6] }], true],
  ["Monday", [{ shouldCharge: true, weekdays: [0] }], false],
  [
    "the night that began on Saturday",
    [{ shouldCharge: true, weekdays: [5], hourMinute: { from: "22:00", to: "06:00" } }],
    true,
  ],
  [
    "the night that begins on Sunday",
    [{ shouldCharge: true, weekdays: [6], hourMinute: { from: "22:00", to: "06:00" } }],
    false,
  ],
  ["a timestamp that has passed", [{ shouldCharge: true, fromTimestamp: "2026-06-21T00:00:00Z" }], true],
  ["a timestamp that is ahead", [{ shouldCharge: true, fromTimestamp: "2026-06-22T00:00:00Z" }], false],
  ["an end that has passed", [{ shouldCharge: true, toTimestamp: "2026-06-21T00:00:00Z" }], false],
  [
    "two filters of which one holds",
    [{ shouldCharge: true, weekdays: [0], hourMinute: { from: "00:00", to: "01:00" } }],
    false,
  ],
  ["two rules that hold: the last one counts", [{ shouldCharge: true }, { shouldCharge: false, weekdays: [6] }], false],
] as const;

export const SCHEDULE_ROWS: readonly Row[] = [
  ...IMPOSSIBLE_STATES.map(([what, state]) =>
    body(`A schedule for ${what} is refused as a hold is`, {
      versions: NEWEST,
      request: { ask: CREATE, body: { ...TEMPERATURE, defaultTargetState: state } },
      expect: {
        status: 400,
        problem: "bad-request",
        body: { issues: [{ in: "body", path: ["defaultTargetState"] }] },
      },
    }),
  ),
  body("A rule with a setpoint that the unit does not reach is refused", {
    versions: { from: "2023-08-01" },
    request: {
      ask: CREATE,
      body: { ...TEMPERATURE, rules: [{ targetState: { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 99 } }] },
    },
    expect: { status: 400, body: { issues: [{ in: "body", path: ["rules", 0, "targetState"] }] } },
  }),
  body("A change to a setpoint that the unit does not reach is refused", {
    versions: NEWEST,
    given: [{ ask: CREATE, body: TEMPERATURE, keep: { schedule: "id" } }],
    request: {
      ask: "PUT /schedules/{schedule}",
      body: { targetType: "hvac", defaultTargetState: { holdType: "PERMANENT", mode: "COOL", coolSetpoint: -40 } },
    },
    expect: { status: 400, body: { issues: [{ in: "body", path: ["defaultTargetState"] }] } },
  }),
  body("A charge schedule is made with 200", {
    versions: WITH_USERS,
    request: { ask: CREATE, body: CHARGE },
    expect: { status: 200, exactly: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...CHARGE } },
  }),
  body("A temperature schedule is made with 200, without a location", {
    versions: ["2024-10-01", "2023-08-01"],
    request: { ask: CREATE, body: TEMPERATURE },
    expect: { status: 200, exactly: { id: expect.any(String), ...TEMPERATURE } },
  }),
  ...["targetType", "targetId", "locationId", "isEnabled", "defaultShouldCharge", "rules"].map((field) =>
    body(`A charge schedule without ${field} is refused`, {
      versions: WITH_USERS,
      request: { ask: CREATE, body: { ...CHARGE, [field]: undefined } },
      expect: { status: 400, body: { issues: [{ path: [field], in: "body" }] } },
    }),
  ),
  ...["targetId", "isEnabled", "defaultTargetState", "rules"].map((field) =>
    body(`A temperature schedule without ${field} is refused`, {
      versions: WITH_USERS,
      request: { ask: CREATE, body: { ...TEMPERATURE, [field]: undefined } },
      expect: { status: 400, body: { issues: [{ path: [field], in: "body" }] } },
    }),
  ),
  body("A temperature schedule with a location is refused", {
    versions: WITH_USERS,
    request: { ask: CREATE, body: { ...TEMPERATURE, locationId: null } },
    expect: { status: 400 },
  }),
  body("A charge schedule with an unknown key is refused", {
    versions: WITH_USERS,
    request: { ask: CREATE, body: { ...CHARGE, name: "night" } },
    expect: { status: 400, body: { issues: [{ code: "unrecognized_keys", in: "body" }] } },
  }),
  ...WRONG_RULES.map(([what, rule]) =>
    body(`A rule with ${what} is refused`, {
      versions: WITH_USERS,
      request: { ask: CREATE, body: { ...CHARGE, rules: [rule] } },
      expect: { status: 400, body: { issues: [{ in: "body" }] } },
    }),
  ),
  ...TARGET_STATES.map((target) =>
    body(`A unit may be asked for ${JSON.stringify(target)}`, {
      versions: NEWEST,
      request: {
        ask: CREATE,
        body: { ...TEMPERATURE, defaultTargetState: target, rules: [{ targetState: target, weekdays: [0] }] },
      },
      expect: { status: 200, body: { defaultTargetState: target, rules: [{ targetState: target }] } },
    }),
  ),
  body("A target state without its setpoint is refused", {
    versions: NEWEST,
    request: { ask: CREATE, body: { ...TEMPERATURE, defaultTargetState: { holdType: "PERMANENT", mode: "COOL" } } },
    expect: { status: 400 },
  }),
  body("A schedule for an unknown target is refused with its place", {
    versions: WITH_USERS,
    request: { ask: CREATE, body: { ...CHARGE, targetId: "{unknown}" } },
    expect: { status: 400, body: { issues: [{ path: ["targetId"], in: "body" }] } },
  }),
  body("A schedule at an unknown location is refused with its place", {
    versions: WITH_USERS,
    request: { ask: CREATE, body: { ...CHARGE, locationId: "{unknown}" } },
    expect: { status: 400, body: { issues: [{ path: ["locationId"], in: "body" }] } },
  }),
  endpoint("A schedule of an unknown user is not found", {
    versions: WITH_USERS,
    request: { ask: "POST /users/nobody/schedules", body: CHARGE },
    expect: { status: 404, problem: "not-found", body: { title: "User does not exist" } },
  }),
  endpoint("Schedules of a user are listed in pages", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [MADE],
    request: { ask: "GET /users/{user}/schedules" },
    expect: { status: 200, body: { data: [{ id: "{schedule}" }], pagination: { after: null, before: null } } },
  }),
  endpoint("A schedule is read", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [MADE],
    request: { ask: "GET /schedules/{schedule}" },
    expect: { status: 200, body: { id: "{schedule}", targetId: "{charger}" } },
  }),
  endpoint("A change names only what changes", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [MADE],
    request: { ask: "PUT /schedules/{schedule}", body: { defaultShouldCharge: true } },
    expect: { status: 200, body: { ...CHARGE, id: "{schedule}", defaultShouldCharge: true } },
  }),
  endpoint("A change with an unknown key is refused", {
    versions: NEWEST,
    given: [MADE],
    request: { ask: "PUT /schedules/{schedule}", body: { id: "{unknown}" } },
    expect: { status: 400 },
  }),
  endpoint("A schedule is deleted with 204", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [MADE],
    request: { ask: "DELETE /schedules/{schedule}" },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /schedules/{schedule}", expect: { status: 404, problem: "not-found" } }],
  }),
  ...["GET /schedules/{unknown}", "DELETE /schedules/{unknown}", "GET /schedules/{unknown}/status"].map((ask) =>
    endpoint(`${ask}: there is no such schedule`, {
      versions: WITH_USERS,
      request: { ask },
      expect: { status: 404, problem: "not-found" },
    }),
  ),
  endpoint("In 2023-05-01 a schedule is made with 201 under the user of the header", {
    versions: ["2023-05-01"],
    request: {
      ask: "POST /schedules",
      body: TEMPERATURE,
    },
    expect: { status: 201, body: { targetId: "{hvac}" } },
  }),
  ...RULES.map(([what, rules, shouldCharge]) =>
    rule(`With ${what} a schedule ${shouldCharge ? "wants charging" : "does not want charging"}`, {
      versions: NEWEST,
      given: [{ ...MADE, body: { ...CHARGE, rules } }],
      request: { ask: "GET /schedules/{schedule}/status" },
      expect: { status: 200, body: { isChargingExpectedParts: { shouldCharge } } },
    }),
  ),
  rule("Rules are read by the clock of the schedule's location", {
    versions: NEWEST,
    given: [
      { ...LOCATION, body: { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" } },
      {
        ...MADE,
        body: {
          ...CHARGE,
          locationId: "{location}",
          rules: [{ shouldCharge: true, hourMinute: { from: "02:00", to: "03:00" } }],
        },
      },
    ],
    request: { ask: "GET /schedules/{schedule}/status" },
    expect: { status: 200, body: { isChargingExpectedParts: { shouldCharge: true } } },
  }),
];
