/** Rules I4.9 and I4.10: tariffs and schedules. */
import { expect } from "vitest";
import type { Ask, Row } from "../row.ts";
import { about, NEWEST, NOT_CUT, TEXT, USER_IN_HEADER, USERS_IN_PATHS, UUID } from "../words.ts";

const tariff = about("I4.9");
const schedule = about("I4.10");

const PUT = "PUT /tariffs/t";
const REFUSED = { status: 400, body: { issues: expect.any(Array) } };
const NOT_FOUND = { status: 404, problem: "not-found" };

const WRONG_RATES: readonly (readonly [string, unknown])[] = [
  ["a cost that is a number", [{ name: "a", cost: 0.1 }]],
  ["a cost with ten decimal places", [{ name: "a", cost: "0.1234567890" }]],
  ["a cost that is no number", [{ name: "a", cost: "dear" }]],
  ["a rate without a name", [{ cost: "0.1" }]],
  ["a rate without a cost", [{ name: "a" }]],
  [
    "a name twice",
    [
      { name: "a", cost: "1" },
      { name: "a", cost: "2" },
    ],
  ],
  ["an object instead of a list", { name: "a", cost: "1" }],
];

const TARIFF_ROWS: readonly Row[] = [
  tariff("A tariff is submitted with 204", {
    request: { ask: PUT, body: [{ name: "a", cost: "0.1" }] },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /tariffs/t", expect: { status: 200, exactly: [{ name: "a", cost: "0.1" }] } }],
  }),
  tariff("A tariff takes the place of the one before", {
    versions: ["2024-10-01", "2023-05-01"],
    given: [
      {
        ask: PUT,
        body: [
          { name: "a", cost: "0.1" },
          { name: "b", cost: "0.2" },
        ],
      },
    ],
    request: { ask: PUT, body: [{ name: "c", cost: "-0.03" }] },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /tariffs/t", expect: { status: 200, exactly: [{ name: "c", cost: "-0.03" }] } }],
  }),
  ...WRONG_RATES.map(([what, body]) =>
    tariff(`A tariff is refused for ${what}`, { request: { ask: PUT, body }, expect: REFUSED }),
  ),
  tariff("An unknown tariff is not found", { request: { ask: "GET /tariffs/none" }, expect: NOT_FOUND }),
];

const BODY = {
  targetId: "{charger}",
  targetType: "charger",
  locationId: null,
  isEnabled: false,
  defaultShouldCharge: false,
  rules: [{ hourMinute: { from: "22:00", to: "06:00" }, weekdays: [0, 1], shouldCharge: true }],
};
const TEMPERATURE = {
  targetId: "{hvac}",
  targetType: "hvac",
  isEnabled: false,
  defaultTargetState: { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 19 },
  rules: [],
};
const POST = "POST /users/{user}/schedules";
const MADE: Ask = { ask: POST, body: BODY, keep: { schedule: "id" } };
const ONE = "/schedules/{schedule}";

function rule(change: object): object {
  return { ...BODY, rules: [{ shouldCharge: true, ...change }] };
}
const WRONG_SCHEDULES: readonly (readonly [string, object])[] = [
  ["without a target", { ...BODY, targetId: undefined }],
  ["without rules", { ...BODY, rules: undefined }],
  ["of a kind that cannot charge", { ...BODY, targetType: "battery" }],
  ["with a time that there is not", rule({ hourMinute: { from: "25:00", to: "06:00" } })],
  ["with an eighth weekday", rule({ weekdays: [7] })],
  ["with a rule that says nothing", { ...BODY, rules: [{ weekdays: [1] }] }],
  ["with an instant that is none", rule({ fromTimestamp: "tomorrow" })],
  ["with a key that it does not have", { ...BODY, colour: "red" }],
];

const SCHEDULE_ROWS: readonly Row[] = [
  schedule("A charge schedule is made", {
    versions: USERS_IN_PATHS,
    request: MADE,
    expect: { status: 200, exactly: { ...BODY, id: UUID } },
  }),
  schedule("Before 2023-08-01 a schedule is made with 201 under /schedules, with a charging location", {
    versions: USER_IN_HEADER,
    request: { ask: "POST /schedules", body: { ...BODY, locationId: undefined, chargingLocationId: null } },
    expect: { status: 201, body: { id: UUID, chargingLocationId: null, targetType: "charger" }, lacks: ["locationId"] },
  }),
  schedule("A temperature schedule is made", {
    versions: USERS_IN_PATHS,
    request: { ask: POST, body: TEMPERATURE },
    expect: { status: 200, exactly: { ...TEMPERATURE, id: UUID } },
  }),
  schedule("Temperature schedules are not before 2023-05-01", {
    versions: { before: "2023-05-01" },
    request: { ask: "POST /schedules", body: TEMPERATURE },
    expect: { status: 400 },
  }),
  ...WRONG_SCHEDULES.map(([what, body]) =>
    schedule(`A schedule is refused ${what}`, {
      versions: USERS_IN_PATHS,
      request: { ask: POST, body },
      expect: REFUSED,
    }),
  ),
  schedule("An unknown user has no schedules", {
    versions: USERS_IN_PATHS,
    request: { ask: "POST /users/nobody/schedules", body: BODY },
    expect: { status: 404, body: { title: "User does not exist" } },
  }),
  schedule("A user's schedules are listed in pages", {
    versions: USERS_IN_PATHS,
    given: [MADE],
    request: { ask: "GET /users/{user}/schedules" },
    expect: { status: 200, exactly: { data: [{ ...BODY, id: "{schedule}" }], pagination: NOT_CUT } },
    afterwards: [
      { ask: "GET /users/{neighbour}/schedules", expect: { status: 200, exactly: { data: [], pagination: NOT_CUT } } },
    ],
  }),
  schedule("A schedule is changed in part", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [MADE],
    request: { ask: `PUT ${ONE}`, body: { defaultShouldCharge: true } },
    expect: { status: 200, exactly: { ...BODY, id: "{schedule}", defaultShouldCharge: true } },
    afterwards: [{ ask: `GET ${ONE}`, expect: { status: 200, body: { defaultShouldCharge: true } } }],
  }),
  schedule("The id of a schedule cannot be changed", {
    versions: ["2024-10-01"],
    given: [MADE],
    request: { ask: `PUT ${ONE}`, body: { id: "{unknown}" } },
    expect: { status: 400 },
  }),
  schedule("A schedule is deleted with 204 and gone", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [MADE],
    request: { ask: `DELETE ${ONE}` },
    expect: { status: 204, isEmpty: true },
    afterwards: [
      { ask: `GET ${ONE}/status`, expect: NOT_FOUND },
      { ask: `PUT ${ONE}`, body: {}, expect: NOT_FOUND },
      { ask: `DELETE ${ONE}`, expect: NOT_FOUND },
    ],
  }),
  schedule("An unknown schedule has no status", {
    request: { ask: "GET /schedules/{unknown}/status" },
    expect: NOT_FOUND,
  }),
  schedule("An unknown schedule cannot be changed", {
    request: { ask: "PUT /schedules/{unknown}", body: {} },
    expect: NOT_FOUND,
  }),
  schedule("An unknown schedule cannot be deleted", {
    request: { ask: "DELETE /schedules/{unknown}" },
    expect: NOT_FOUND,
  }),
  schedule("A schedule's status tells how it stands to its target", {
    versions: NEWEST,
    given: [MADE],
    request: { ask: `GET ${ONE}/status`, after: 5 },
    expect: {
      status: 200,
      body: { scheduleId: "{schedule}", scheduleType: "CHARGE", state: "INACTIVE:DISABLED", changedAt: TEXT },
    },
  }),
  schedule("A vehicle without a location in its schedule is left alone away from known places", {
    versions: NEWEST,
    given: [
      {
        ask: POST,
        body: { ...BODY, targetId: "{vehicle}", targetType: "vehicle", isEnabled: true },
        keep: { schedule: "id" },
      },
    ],
    request: { ask: `GET ${ONE}/status`, after: 10 },
    expect: { status: 200, body: { state: "INACTIVE:AWAY" } },
  }),
  schedule("A charger without a location in its schedule is controlled anywhere", {
    versions: NEWEST,
    given: [{ ask: POST, body: { ...BODY, isEnabled: true, rules: [] }, keep: { schedule: "id" } }],
    request: { ask: `GET ${ONE}/status`, after: 10 },
    expect: { status: 200, body: { state: "ALIGNED" } },
  }),
];

export const TARIFF_SCHEDULE_ROWS: readonly Row[] = [...TARIFF_ROWS, ...SCHEDULE_ROWS];
